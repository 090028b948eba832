package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"davar/clock"
	"davar/cmd/davar/table"
	"davar/device/journal"
	"davar/device/mqtt"
	"davar/rules"
	"davar/rules/referee"
)

// seenEvents is a sink that remembers what was shown.
type seenEvents struct {
	mu    sync.Mutex
	seqs  []int64
	shown chan struct{} // a token for each event
}

func (s *seenEvents) Publish(e referee.Event) {
	s.mu.Lock()
	s.seqs = append(s.seqs, e.Seq)
	s.mu.Unlock()
	s.shown <- struct{}{}
}

func (s *seenEvents) SetState(referee.State, time.Time, float64) {}

func (s *seenEvents) all() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seqs)
}

// crampedDisk mounts a file system of two megabytes, where the system lets this user.
func crampedDisk(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: mounting a small disk needs root")
	}
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("SKIPPED: mounting a small disk is not permitted here (%v)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return folder
}

// fill leaves no room on the disk; the file it returns is to be removed for some.
func fill(t *testing.T, folder string) string {
	t.Helper()
	ballast, err := os.Create(filepath.Join(folder, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer ballast.Close()
	for err == nil {
		_, err = ballast.Write(make([]byte, 4096))
	}
	return ballast.Name()
}

func TestOnAFullDiskPlayAndClockGoOnAndTheLogResumesByItself(t *testing.T) {
	folder := crampedDisk(t)
	log, err := journal.Open(t.Context(), filepath.Join(folder, "davar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	settings := referee.DefaultSettings()
	settings.Match = "m"
	control, err := clock.Preset("club-15")
	if err != nil {
		t.Fatal(err)
	}
	settings.Clock = &control
	begun, err := timekeeping.begin(t.Context(), log, settings, true)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan error, 10)
	shown := &seenEvents{shown: make(chan struct{}, 1000)}
	clockwork := &table.Table{
		Referee: begun.judge, Twin: begun.twin, Live: true, Timeline: table.Timeline{Start: time.Now(), Rate: 1},
		Journal: &ledger{
			journal: log, match: "m", header: &journal.Header{Players: settings.Players, Length: 7, Settings: &settings},
			cursor: func() mqtt.Cursor { return mqtt.Cursor{} }, fault: func(err error) { told <- err },
		},
		Sinks: []table.Sink{shown}, Log: slog.New(slog.DiscardHandler),
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := clockwork.Run(ctx, true); err != nil {
			t.Errorf("run: %v", err)
		}
	})
	defer running.Wait()
	defer stop()
	press := func(side rules.Side) (judged int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		events, err := clockwork.Submit(ctx, referee.Input{T: clockwork.Timeline.Now(), Press: &referee.Press{Side: side}})
		if err != nil {
			t.Fatal(err)
		}
		return len(events)
	}
	press(rules.Light)
	<-shown.shown

	ballast := fill(t, folder)
	side, judged := rules.Dark, 0
	for range 400 { // what room there is in the files is used up first
		judged += press(side)
		side = side.Other()
	}
	select {
	case err := <-told:
		if !errors.Is(err, journal.ErrFull) {
			t.Fatalf("told %v, want that the disk is full", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("the operator was not told that the disk is full, after %d events", judged)
	}
	before := len(shown.all())
	for range 6 {
		if n := press(side); n == 0 {
			t.Error("a press is not judged while the disk is full")
		}
		side = side.Other()
	}
	if n := len(shown.all()); n > before {
		t.Errorf("%d events were shown that are not written", n-before)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := <-told; err != nil {
		t.Fatalf("told %v, want that the log can be written again", err)
	}
	judged += press(side)
	stop()
	running.Wait()
	if judged == 0 {
		t.Error("nothing was judged")
	}
	seqs := shown.all()
	for i, seq := range seqs {
		if seq != int64(i+1) {
			t.Fatalf("event %d was shown as number %d", seq, i+1)
		}
	}
	m, err := log.Match(t.Context(), "m")
	if err != nil || m.LastSeq < int64(len(seqs)) {
		t.Errorf("%d events were shown, the log ends at %d (%v)", len(seqs), m.LastSeq, err)
	}
	if _, err := log.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

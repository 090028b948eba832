package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"davar/device/journal"
	"davar/device/mqtt"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// fullFor is a journal whose disk is full for some appends.
type fullFor struct {
	left    int
	written int
}

func (f *fullFor) Append(b journal.Batch) ([]referee.Event, error) {
	if f.left > 0 {
		f.left--
		return nil, fmt.Errorf("journal: append: %w", journal.ErrFull)
	}
	f.written += len(b.Events)
	return b.Events, nil
}

func TestTheOperatorIsToldOnceThatTheDiskIsFullAndOnceThatItIsNoMore(t *testing.T) {
	var told []string
	disk := &fullFor{left: 3}
	l := &ledger{journal: disk, match: "m", cursor: func() mqtt.Cursor { return mqtt.Cursor{} }, fault: func(err error) {
		told = append(told, fmt.Sprint(err))
	}}
	events := []referee.Event{{Seq: 1, Match: "m", Type: referee.MatchStarted}}
	for i := range 5 {
		_, err := l.Append(events, []byte("{}"), time.Duration(i)*time.Second)
		if full := err != nil; full != (i < 3) {
			t.Errorf("append %d: %v", i, err)
		}
	}
	want := []string{"journal: append: " + journal.ErrFull.Error(), "<nil>"}
	if !slices.Equal(told, want) || disk.written != 2 {
		t.Errorf("told %q, %d events written", told, disk.written)
	}
}

func TestARulingKeepsThePicturesItRestsOn(t *testing.T) {
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "davar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := j.Append(journal.Batch{Match: "m", Events: []referee.Event{{Seq: 1, Match: "m", Type: referee.MatchStarted}}}); err != nil {
		t.Fatal(err)
	}
	w := newWitness(j, "m", slog.New(slog.DiscardHandler), func(what string, err error) {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	})
	img := gocv.NewMatWithSize(40, 60, gocv.MatTypeCV8UC3)
	defer img.Close()
	for i := range 12 {
		w.taken = time.Time{} // as if the world's time had passed
		at := time.Duration(i) * 300 * time.Millisecond
		w.see(img, &sighting.Sighting{T: at, Still: i != 6}, 0)
	}
	w.Publish(referee.Event{Seq: 4, Type: referee.Roll})
	w.Publish(referee.Event{Seq: 5, Type: referee.RulingMade, Ruling: &referee.RulingBody{Before: 100, After: 3300}})
	w.Publish(referee.Event{Seq: 6, Type: referee.PlayMade, TMS: 60_000}) // of which no picture was seen
	w.Publish(referee.Event{Seq: 7, Type: referee.PlayMade, TMS: 1900})
	over, stop := context.WithCancel(t.Context())
	stop()
	w.run(over)
	pictures, err := j.Pictures(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, p := range pictures {
		kept = append(kept, fmt.Sprintf("%d %s %d", p.Seq, p.Role, p.TMS))
		if data, err := j.Picture(p); err != nil || len(data) < 100 || data[0] != 0xff || data[1] != 0xd8 {
			t.Errorf("%s: %d bytes, no JPEG (%v)", p.Name, len(data), err)
		}
	}
	if want := []string{"5 before 0", "5 after 3300", "7 turnend 2100"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
}

func TestAfterAPowerCutOneLineSaysWhatHappened(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	running, err := journal.Open(t.Context(), filepath.Join(from, "davar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	events := []referee.Event{{Match: "m", Seq: 1, Type: referee.MatchStarted}, {Match: "m", Seq: 2, Type: referee.GameStarted, Game: 1}}
	if _, err := running.Append(journal.Batch{Match: "m", Header: &journal.Header{}, Events: events}); err != nil {
		t.Fatal(err)
	}
	// What a power cut leaves: the files as they are, the journal not closed.
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []int{1, 0} { // after the cut, and after an orderly end
		log, err := journal.Open(t.Context(), filepath.Join(to, "davar.db"))
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		s := &station{plan: plan{log: slog.New(slog.NewTextHandler(&said, nil))}, journal: log, begun: &beginning{match: "m", last: 2}}
		s.tellRecovery()
		if n := strings.Count(said.String(), "\n"); n != line || line > 0 && !strings.Contains(said.String(), "cut off") {
			t.Errorf("%d lines, want %d: %s", n, line, said.String())
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

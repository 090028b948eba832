package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// scripted is a judge that makes one event of every press, decision and picture.
type scripted struct {
	seq  int64
	t    time.Duration
	deaf bool // makes no events
}

func (j *scripted) Handle(in referee.Input) []referee.Event {
	j.t = in.T
	e := referee.Event{TMS: in.T.Milliseconds()}
	switch {
	case in.Press != nil:
		e.Type = referee.ClockPressed
	case in.Sighting != nil:
		e.Type = referee.Roll
	}
	if e.Type == "" || j.deaf {
		return nil
	}
	j.seq++
	e.Seq = j.seq
	return []referee.Event{e}
}

func (j *scripted) State() referee.State {
	return referee.State{Seq: j.seq, TMS: j.t.Milliseconds()}
}

func (j *scripted) Checkpoint() ([]byte, error) { return fmt.Append(nil, j.seq), nil }

func (j *scripted) Clock() (clock.Still, bool) { return clock.Still{}, false }

// ledger is a journal in memory; while broken is set every write fails.
type ledger struct {
	mu      sync.Mutex
	broken  bool
	written []referee.Event
}

func (l *ledger) fail(broken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = broken
}

func (l *ledger) last() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.written) == 0 {
		return 0
	}
	return l.written[len(l.written)-1].Seq
}

func (l *ledger) Append(events []referee.Event, _ []byte, _ time.Duration) ([]referee.Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken {
		return nil, errors.New("disk full")
	}
	l.written = append(l.written, events...)
	return events, nil
}

// viewer keeps what it is shown and complains about events that are not in the journal yet.
type viewer struct {
	t       *testing.T
	journal *ledger
	mu      sync.Mutex
	seen    []referee.Event
}

func (v *viewer) count() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.seen)
}

func (v *viewer) Publish(e referee.Event) {
	if v.journal.last() < e.Seq {
		v.t.Errorf("event %d is shown before it is written", e.Seq)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.seen = append(v.seen, e)
}

func (v *viewer) SetState(referee.State, time.Time, float64) {}

// pictures is a feed of so many pictures.
type pictures int

func (n pictures) Run(ctx context.Context, handle func(context.Context, referee.Input) error) error {
	for i := range n {
		at := time.Duration(i) * 100 * time.Millisecond
		if err := handle(ctx, referee.Input{T: at, Sighting: &sighting.Sighting{T: at, Frame: int(i)}}); err != nil {
			return err
		}
	}
	return nil
}

func newTable(t *testing.T, feed Feed) (*Table, *ledger, *viewer) {
	journal := &ledger{}
	sink := &viewer{t: t, journal: journal}
	return &Table{
		Referee: &scripted{}, Twin: &scripted{}, Timeline: Timeline{Start: time.Now(), Rate: 1}, Journal: journal,
		Sinks: []Sink{sink}, Feed: feed, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}, journal, sink
}

func press(ms int) referee.Input {
	return referee.Input{T: time.Duration(ms) * time.Millisecond, Press: &referee.Press{Side: rules.Light}}
}

func TestWhileTheDiskIsFullNothingIsShownAndNothingIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, journal, sink := newTable(t, pictures(1))
		journal.fail(true)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- table.Run(ctx, true) }()
		for range 5 { // the clock's path does not wait for the disk
			if events, err := table.Submit(ctx, press(500)); err != nil || len(events) != 1 {
				t.Fatal(events, err)
			}
		}
		<-time.After(time.Minute) // the bubble's own time: the writer tries in vain
		synctest.Wait()
		if n := sink.count(); n != 0 {
			t.Errorf("%d events were shown", n)
		}
		journal.fail(false)
		<-time.After(time.Minute)
		synctest.Wait()
		if n := sink.count(); n != 6 {
			t.Errorf("%d events were shown after the disk came back, want 6", n)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestATableStopsEvenIfTheDiskStaysFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, journal, sink := newTable(t, pictures(3))
		journal.fail(true)
		if err := table.Run(t.Context(), false); err != nil {
			t.Error(err)
		}
		if len(sink.seen) != 0 {
			t.Error("events were shown that are not written")
		}
	})
}

func TestAPressAfterTheTableStoppedIsRefused(t *testing.T) {
	table, _, _ := newTable(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := table.Submit(ctx, press(1)); !errors.Is(err, ErrOver) {
		t.Error(err)
	}
}

// stuck is a camera that gives nothing until it is told to end.
type stuck struct{ until chan struct{} }

func (s stuck) Run(ctx context.Context, handle func(context.Context, referee.Input) error) error {
	<-s.until
	return nil
}

func TestAPressWaitsForNeitherEyeNorDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		eye := stuck{until: make(chan struct{})}
		table, journal, _ := newTable(t, eye)
		journal.fail(true)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- table.Run(ctx, true) }()
		begun := time.Now() // of the bubble: it stands still unless everybody waits
		if events, err := table.Submit(ctx, press(100)); err != nil || len(events) != 1 {
			t.Fatal(events, err)
		}
		if waited := time.Since(begun); waited != 0 {
			t.Errorf("the press waited %v", waited)
		}
		close(eye.until)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestATwinThatDisagreesIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, _, _ := newTable(t, nil)
		table.Twin.(*scripted).deaf = true
		var log bytes.Buffer
		table.Log = slog.New(slog.NewTextHandler(&log, nil))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- table.Run(ctx, true) }()
		if _, err := table.Submit(ctx, press(100)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if !strings.Contains(log.String(), "twin") {
			t.Errorf("the log says %q", log.String())
		}
	})
}

func TestWhileAClockRunsItIsSavedTwiceASecondAndSeldomWhileItStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &life{t: t}
		l.begin()
		synctest.Wait()
		count := func(d time.Duration) (n int) {
			for last, over := l.disk.get().at, time.Now().Add(d); time.Now().Before(over); {
				<-time.After(10 * time.Millisecond)
				if at := l.disk.get().at; at != last {
					n, last = n+1, at
				}
			}
			return n
		}
		if n := count(10 * time.Second); n < 4 || n > 6 {
			t.Errorf("saved %d times in ten seconds of standing", n)
		}
		l.submit(referee.Input{Press: &referee.Press{Side: rules.Dark}})
		if n := count(10 * time.Second); n < 16 || n > 22 {
			t.Errorf("saved %d times in ten seconds of running", n)
		}
		l.stop()
	})
}

// quietly is a judge at whose table what is awaited changes without an event.
type quietly struct{ scripted }

func (j *quietly) State() referee.State {
	s := j.scripted.State()
	s.Phase, s.Rulings = "setup", []referee.RulingBody{{ID: 1}}
	if j.t >= 100*time.Millisecond {
		s.Phase = "opening"
	}
	if j.t >= 300*time.Millisecond {
		s.Rulings = nil
	}
	return s
}

// states keeps what it is shown.
type states struct {
	mu  sync.Mutex
	all []string
}

func (*states) Publish(referee.Event) {}

func (v *states) SetState(s referee.State, _ time.Time, _ float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.all = append(v.all, fmt.Sprint(s.Phase, " ", len(s.Rulings)))
}

func TestWhatChangesWithoutAnEventIsShownOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &states{}
		table := &Table{
			Referee: &quietly{scripted{deaf: true}}, Twin: &quietly{scripted{deaf: true}}, Timeline: Timeline{Start: time.Now(), Rate: 1}, Journal: &ledger{},
			Sinks: []Sink{seen}, Feed: pacedPictures(5), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		}
		if err := table.Run(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(seen.all, ", "); got != "setup 1, opening 1, opening 0" {
			t.Errorf("shown: %s", got)
		}
	})
}

// pacedPictures is a feed that waits until each picture has been dealt with.
type pacedPictures int

func (n pacedPictures) Run(ctx context.Context, handle func(context.Context, referee.Input) error) error {
	return pictures(n).Run(ctx, func(ctx context.Context, in referee.Input) error {
		synctest.Wait()
		return handle(ctx, in)
	})
}

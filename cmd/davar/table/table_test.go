package table

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gocv.io/x/gocv"

	"davar/device/camera"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// scripted is a judge that makes one event of every press, decision and picture.
type scripted struct {
	seq int64
	t   time.Duration
}

func (j *scripted) Handle(in referee.Input) []referee.Event {
	j.t = in.T
	e := referee.Event{TMS: in.T.Milliseconds()}
	switch {
	case in.Press != nil:
		e.Type = referee.ClockPressed
	case in.Sighting != nil:
		e.Type = referee.Roll
	default:
		return nil
	}
	j.seq++
	e.Seq = j.seq
	return []referee.Event{e}
}

func (j *scripted) State() referee.State {
	return referee.State{Seq: j.seq, TMS: j.t.Milliseconds()}
}

func (j *scripted) Checkpoint() ([]byte, error) { return []byte("saved"), nil }

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

// blank is an eye that sees nothing in particular.
type blank struct{}

func (blank) Watch(_ gocv.Mat, t time.Duration, n int) (*sighting.Sighting, error) {
	return &sighting.Sighting{T: t, Frame: n}, nil
}

func newTable(t *testing.T, pictures int, inputs []referee.Input) (*Table, *ledger, *viewer) {
	img := gocv.NewMatWithSize(8, 8, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { img.Close() })
	film := &camera.Fake{}
	for range pictures {
		film.Pictures = append(film.Pictures, &img)
	}
	journal := &ledger{}
	sink := &viewer{t: t, journal: journal}
	timeline := Timeline{Start: time.Now(), Rate: 1}
	return &Table{
		Referee: &scripted{}, Timeline: timeline, Journal: journal, Sinks: []Sink{sink},
		Feed: &Feed{Source: film, Eye: blank{}, Inputs: inputs, Wait: timeline.Wait},
		Log:  slog.New(slog.NewTextHandler(io.Discard, nil)),
	}, journal, sink
}

func press(ms int) referee.Input {
	return referee.Input{T: time.Duration(ms) * time.Millisecond, Press: &referee.Press{Side: rules.Light}}
}

func TestAFilmsPressesComeInOrderWithItsPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, journal, sink := newTable(t, 4, []referee.Input{press(100), press(150), press(900)})
		if err := table.Run(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		want := []int64{0, 100, 100, 150, 200, 300, 900}
		for i, e := range sink.seen {
			if i >= len(want) || e.TMS != want[i] {
				t.Errorf("event %d is at %d ms, want %v", i, e.TMS, want)
			}
		}
		if len(sink.seen) != len(want) || len(journal.written) != len(want) || sink.seen[1].Type != referee.ClockPressed {
			t.Errorf("%d events shown, %d written, want %d", len(sink.seen), len(journal.written), len(want))
		}
	})
}

func TestWhileTheDiskIsFullNothingIsShownAndNothingIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, journal, sink := newTable(t, 1, nil)
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
		table, journal, sink := newTable(t, 3, nil)
		journal.fail(true)
		if err := table.Run(t.Context(), false); err != nil {
			t.Error(err)
		}
		if len(sink.seen) != 0 {
			t.Error("events were shown that are not written")
		}
	})
}

func TestALostCameraIsToldToTheReferee(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, _, _ := newTable(t, 2, nil)
		table.Feed.Source.(*camera.Fake).Pictures[0] = nil
		var scenes []sighting.Scene
		err := table.Feed.Run(t.Context(), func(_ context.Context, in referee.Input) error {
			scenes = append(scenes, in.Sighting.Scene)
			return nil
		})
		if err != nil || len(scenes) != 2 || scenes[0] != sighting.SceneLost || scenes[1] != sighting.SceneClear {
			t.Errorf("%v, %v", scenes, err)
		}
	})
}

func TestAPressAfterTheTableStoppedIsRefused(t *testing.T) {
	table, _, _ := newTable(t, 0, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := table.Submit(ctx, press(1)); !errors.Is(err, ErrOver) {
		t.Error(err)
	}
}

// stuck is an eye that takes as long as it likes.
type stuck struct{ until chan struct{} }

func (s stuck) Watch(_ gocv.Mat, t time.Duration, n int) (*sighting.Sighting, error) {
	<-s.until
	return &sighting.Sighting{T: t, Frame: n}, nil
}

func TestAPressWaitsForNeitherEyeNorDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, journal, _ := newTable(t, 1, nil)
		eye := stuck{until: make(chan struct{})}
		table.Feed.Eye = eye
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

package table

import (
	"context"
	"flag"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/timekeeper"
)

// cuts is how often the power is cut. go test ./cmd/davar/table -run PowerCut -cuts 1000
var cuts = flag.Int("cuts", 60, "how often a table's power is cut at a random moment")

// durable is a journal of which only the last checkpoint outlives a power cut. Writing takes it a while.
type durable struct {
	takes time.Duration
	mu    sync.Mutex
	last  saved
}

// saved is a checkpoint and the match's time of it.
type saved struct {
	checkpoint []byte
	at         time.Duration
}

func (d *durable) Append(events []referee.Event, checkpoint []byte, at time.Duration) ([]referee.Event, error) {
	<-time.After(d.takes)
	d.set(saved{checkpoint, at})
	return events, nil
}

func (d *durable) get() saved {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}

func (d *durable) set(s saved) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = s
}

// life is a table with a clock between two power cuts.
type life struct {
	t     *testing.T
	rand  *rand.Rand
	disk  durable
	still atomic.Pointer[clock.Still] // the clock as it is
	table *Table
	stop  func()
}

// begin starts the table from what is durable.
func (l *life) begin() {
	last := l.disk.get()
	open := func() Judge {
		if last.checkpoint != nil {
			k, err := timekeeper.Restore(last.checkpoint)
			if err != nil {
				l.t.Fatal(err)
			}
			return k
		}
		s := referee.DefaultSettings()
		s.Clock = &clock.Control{System: clock.Plain, Bonus: 1000 * time.Hour}
		k, err := timekeeper.New(s)
		if err != nil {
			l.t.Fatal(err)
		}
		return k
	}
	l.table = &Table{
		Referee: open(), Twin: open(), Timeline: Timeline{Start: time.Now(), From: last.at, Rate: 1}, Live: true, Journal: &l.disk,
		Switched: func(s clock.Still) { l.still.Store(&s) }, Log: slog.New(slog.DiscardHandler),
	}
	ctx, cancel := context.WithCancel(l.t.Context())
	done := make(chan error)
	go func() { done <- l.table.Run(ctx, true) }()
	l.stop = func() {
		cancel()
		if err := <-done; err != nil {
			l.t.Error(err)
		}
	}
}

func (l *life) view() clock.View { return l.still.Load().View(l.table.Timeline.Now()) }

func (l *life) submit(in referee.Input) {
	in.T = l.table.Timeline.Now()
	if _, err := l.table.Submit(l.t.Context(), in); err != nil {
		l.t.Fatal(err)
	}
}

func (l *life) pause(most time.Duration) { <-time.After(time.Duration(l.rand.Int64N(int64(most)))) }

// TestAPowerCutAtAnyMomentCostsAtMostASecond cuts the power of a table again and again, in a time of its own: what is
// written in the cut's moment is lost.
func TestAPowerCutAtAnyMomentCostsAtMostASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &life{t: t, rand: rand.New(rand.NewPCG(6, 6))}
		l.disk.takes = 60 * time.Millisecond
		var worst time.Duration
		pressedLast := 0
		for range *cuts {
			l.begin()
			synctest.Wait()
			l.pause(300 * time.Millisecond)
			if l.view().OnMove == clock.Nobody {
				l.submit(referee.Input{Press: &referee.Press{Side: rules.Dark}})
			} else {
				l.submit(referee.Input{Decision: &referee.Decision{What: referee.DecideResume, By: "players"}})
			}
			for range l.rand.IntN(3) {
				l.pause(3 * time.Second)
				l.submit(referee.Input{Press: &referee.Press{Side: rules.Side(l.view().OnMove)}})
			}
			l.pause(3 * time.Second)
			was, turn, disk := l.view(), l.still.Load(), l.disk.get() // the cut
			l.stop()
			l.disk.set(disk)
			l.begin()
			synctest.Wait()
			is := l.view()
			l.stop()
			l.disk.set(disk)
			if is.Running != clock.Nobody {
				t.Fatalf("it came back running for %v", is.Running)
			}
			if is.OnMove != was.OnMove {
				// Only a press that was on its way to the disk may be forgotten.
				if v := turn.View(0); disk.at >= v.AsOf {
					t.Fatalf("%v was on move, now %v", was.OnMove, is.OnMove)
				}
				pressedLast++
			}
			for side := range was.Remaining {
				worst = max(worst, (was.Remaining[side] - is.Remaining[side]).Abs())
			}
		}
		if worst == 0 || worst > time.Second {
			t.Errorf("a power cut cost %v", worst)
		}
		t.Logf("%d power cuts, each write taking %v: at most %v lost or gained, %d presses cut off on their way to the disk",
			*cuts, l.disk.takes, worst, pressedLast)
	})
}

package table

import (
	"context"
	"time"

	"davar/clock"
	"davar/rules/referee"
)

const (
	retryFirst = 100 * time.Millisecond // after a failed write
	retryLast  = 5 * time.Second
	lastTry    = 3 * time.Second // how long a stopping table still tries to write
)

// scribe writes outcomes down and then shows them, in order, until the outbox is closed and empty. stopping ends
// when the judge stops: from then on a journal that fails is given only a little more time.
func (t *Table) scribe(stopping context.Context) {
	var now, saved time.Duration // match's time of the newest input and of the last checkpoint
	var shown standing
	for {
		all := t.outbox.takeAll()
		var events []referee.Event
		over, last := false, all == nil
		for _, out := range all {
			events = append(events, out.events...)
			over = over || out.over
			if !out.first && !out.over {
				t.repeat(out)
				now = max(now, out.in.T)
			}
		}
		if len(events) > 0 || over || last && now > saved || now >= saved+t.saveEvery() {
			var ok bool
			if events, ok = t.save(stopping, events, now, over); !ok {
				return
			}
			saved = now
		}
		if last {
			return
		}
		state := t.Twin.State()
		if stands := standingOf(&state); len(events) > 0 || all[0].first || stands != shown {
			shown = stands
			t.show(events, state)
		}
	}
}

// standing is what can change at a table without an event: the checkers are in place and the opening roll is awaited, or the
// time in which a ruling could be acted on has passed.
type standing struct {
	phase, notice string
	rulings       int
	newest        int64 // ruling
}

func standingOf(s *referee.State) standing {
	now := standing{phase: s.Phase, notice: s.Notice, rulings: len(s.Rulings)}
	for i := range s.Rulings {
		now.newest = max(now.newest, s.Rulings[i].ID)
	}
	return now
}

// save writes the events down with the twin's checkpoint.
func (t *Table) save(stopping context.Context, events []referee.Event, now time.Duration, over bool) ([]referee.Event, bool) {
	if over {
		now = Over
	}
	checkpoint, err := t.Twin.Checkpoint()
	if err != nil {
		t.Log.Error("the match cannot be saved for a restart", "error", err)
	}
	return t.write(stopping, events, checkpoint, now)
}

// repeat gives the twin an input that the referee has had; what comes of it is known already.
func (t *Table) repeat(out outcome) {
	again := t.Twin.Handle(out.in)
	if len(again) != len(out.events) {
		t.Log.Error("the same input gave the referee and its twin different events: what is saved may be wrong",
			"events", len(out.events), "twin", len(again), "t", out.in.T)
	}
}

// How often the twin's checkpoint is written down when nothing happens: while a side's time runs it bounds what a
// power cut can take of it, with half a second to spare for the ticks between and for a slow disk.
const (
	saveRunning  = 500 * time.Millisecond
	saveStanding = 2 * time.Second
)

func (t *Table) saveEvery() time.Duration {
	if still, ok := t.Twin.Clock(); ok && still.View(0).Running != clock.Nobody {
		return saveRunning
	}
	return saveStanding
}

// write repeats until the journal has taken the events: nothing may be shown that could be lost. It gives up
// only when the table stops.
func (t *Table) write(stopping context.Context, events []referee.Event, checkpoint []byte, at time.Duration) ([]referee.Event, bool) {
	wait := retryFirst
	var deadline time.Time
	for {
		written, err := t.Journal.Append(events, checkpoint, at)
		if err == nil {
			return written, true
		}
		if stopping.Err() != nil {
			if deadline.IsZero() {
				deadline = time.Now().Add(lastTry)
			}
			if time.Now().After(deadline) {
				t.Log.Error("the last events could not be written down and were not shown", "error", err, "events", len(events))
				return nil, false
			}
			wait = retryFirst
		}
		t.Log.Error("the match log cannot be written; nothing new is shown until it can", "error", err, "events", len(events))
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ended(stopping):
			timer.Stop()
		}
		wait = min(2*wait, retryLast)
	}
}

// ended returns the channel that closes when ctx ends, and nil (which never delivers) once it has.
func ended(ctx context.Context) <-chan struct{} {
	if ctx.Err() != nil {
		return nil
	}
	return ctx.Done()
}

func (t *Table) show(events []referee.Event, state referee.State) {
	asOf := t.Timeline.At(time.Duration(state.TMS) * time.Millisecond)
	if state.Clock != nil {
		asOf = t.Timeline.At(time.Duration(state.Clock.AsOfMS) * time.Millisecond)
	}
	for _, s := range t.Sinks {
		for _, e := range events {
			s.Publish(e)
		}
		s.SetState(state, asOf, t.Timeline.Rate)
	}
}

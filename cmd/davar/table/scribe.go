package table

import (
	"context"
	"time"

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
	for {
		all := t.outbox.takeAll()
		if all == nil {
			return
		}
		var events []referee.Event
		var checkpoint []byte
		var at time.Duration
		for _, out := range all {
			events = append(events, out.events...)
			if out.checkpoint != nil {
				checkpoint, at = out.checkpoint, out.t
			}
		}
		if checkpoint != nil {
			var ok bool
			if events, ok = t.write(stopping, events, checkpoint, at); !ok {
				return
			}
		}
		if len(events) > 0 || all[0].first {
			t.show(events, all[len(all)-1].state)
		}
	}
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

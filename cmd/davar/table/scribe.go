package table

import (
	"time"

	"davar/rules/referee"
)

const (
	retryFirst = 100 * time.Millisecond // after a failed write
	retryLast  = 5 * time.Second
)

// scribe writes outcomes down and then shows them, in order, until the outbox is closed and empty.
func (t *Table) scribe() {
	for {
		all := t.outbox.takeAll()
		if all == nil {
			return
		}
		var events []referee.Event
		var checkpoint []byte
		for _, out := range all {
			events = append(events, out.events...)
			if out.checkpoint != nil {
				checkpoint = out.checkpoint
			}
		}
		if len(events) > 0 {
			events = t.write(events, checkpoint)
		}
		t.show(events, all[len(all)-1].state)
	}
}

// write repeats until the journal has taken the events: nothing may be shown that could be lost.
func (t *Table) write(events []referee.Event, checkpoint []byte) []referee.Event {
	wait := retryFirst
	for {
		written, err := t.Journal.Append(events, checkpoint)
		if err == nil {
			return written
		}
		t.Log.Error("the match log cannot be written; nothing new is shown until it can", "error", err, "events", len(events))
		time.Sleep(wait)
		wait = min(2*wait, retryLast)
	}
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

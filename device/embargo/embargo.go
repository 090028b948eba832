package embargo

import (
	"slices"
	"time"

	"davar/rules/referee"
)

// spread is the longest that what happened within one turn is shown one after the other. A turn becomes due as a
// whole; shown all at once, spectators would never see the dice before the play.
const spread = 4 * time.Second

// Embargo knows which turns of a table are closed and when they may be shown. The zero value is not usable; see New.
// It knows no wall clock and is for one goroutine at a time.
type Embargo struct {
	delay time.Duration
	turns []turn // closed ones, in the order of matches and events
	match string // of the newest event
	begun time.Time
	open  bool // a turn has begun and is not closed

	closings int
}

// turn is a run of events, up to and with seq to of match, that became due together.
type turn struct {
	match         string
	to            int64
	begun, closed time.Time
}

// New returns an embargo with the given delay (publish.delay). Without one there is no embargo: a table that has no
// delay has no secret, and everything is due when it happens.
func New(delay time.Duration) *Embargo { return &Embargo{delay: delay} }

// Saw takes note of an event, given at the moment at; events of a match come in the order of their seq, matches one
// after the other.
func (b *Embargo) Saw(e referee.Event, at time.Time) {
	if b.delay <= 0 {
		return
	}
	if e.Match != b.match {
		b.close(endless, at)
		b.match = e.Match
		b.open, b.begun = e.Seq > 1, at // what came before was not seen: it is open
	}
	if closesBefore(e.Type) {
		b.close(e.Seq-1, at)
	}
	if !b.open {
		b.open, b.begun = true, at
	}
	if closesItself(e.Type) {
		b.close(e.Seq, at)
	}
}

// Dated is an event with the moment it was given.
type Dated struct {
	Event referee.Event
	At    time.Time
}

// Recall takes note of events of one match that were given before those that Saw has been told of, oldest first: a
// journal's after a restart. over tells that the match is over though its last event may not say so; now is the
// moment it is known.
func (b *Embargo) Recall(events []Dated, over bool, now time.Time) {
	if b.delay <= 0 || len(events) == 0 {
		return
	}
	past := New(b.delay)
	for _, e := range events {
		past.Saw(e.Event, e.At)
	}
	if over {
		past.close(endless, now)
	}
	for _, t := range past.turns {
		b.insert(t)
	}
	if b.match == "" { // nothing has been seen since: what is open goes on
		b.match, b.begun, b.open = past.match, past.begun, past.open
	}
}

// Closings returns how many turns Saw has seen closed. What a camera shows may run ahead of the events by the beginning
// of one turn: a picture taken at Closings n is due by the delay after closing number n+2.
func (b *Embargo) Closings() int { return b.closings }

// Due returns when something may be shown that happened at the moment at with event seq of match as the newest event,
// false as long as the turn it belongs to is open.
func (b *Embargo) Due(match string, seq int64, at time.Time) (time.Time, bool) {
	if b.delay <= 0 {
		return at, true
	}
	for _, t := range b.turns {
		if t.match == match && seq <= t.to {
			return t.closed.Add(b.delay).Add(min(max(at.Sub(t.begun), 0), spread)), true
		}
	}
	return time.Time{}, false
}

// Forget drops what is known of the turns up to and with event seq of match: all of them have been shown.
func (b *Embargo) Forget(match string, seq int64) {
	for i, t := range b.turns {
		if t.match == match && t.to > seq {
			b.turns = slices.Delete(b.turns, 0, i)
			return
		}
	}
}

// endless is the seq of no event: all of a match.
const endless = 1<<63 - 1

func (b *Embargo) close(to int64, at time.Time) {
	if !b.open {
		return
	}
	b.open = false
	b.closings++
	b.turns = append(b.turns, turn{match: b.match, to: to, begun: b.begun, closed: at})
}

// insert puts an older turn where it belongs: before the later ones of its match, or before all other matches.
func (b *Embargo) insert(t turn) {
	at := 0
	for i, other := range b.turns {
		if other.match == t.match {
			if other.to == t.to {
				return
			}
			if other.to < t.to {
				at = i + 1
			}
		}
	}
	b.turns = slices.Insert(b.turns, at, t)
}

// closesBefore tells whether an event of the type closes the window of what was before: a throw, valid or not (IRREG-4).
func closesBefore(kind string) bool {
	switch kind {
	case referee.Roll, referee.RollInvalid, referee.GameStarted, referee.MatchStarted:
		return true
	}
	return false
}

// closesItself tells whether nothing about an event of the type can be corrected afterwards.
func closesItself(kind string) bool {
	return kind == referee.MatchStarted || kind == referee.MatchEnded
}

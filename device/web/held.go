package web

import (
	"cmp"
	"context"
	"slices"
	"time"

	"davar/device/embargo"
	"davar/rules/referee"
)

// heldLimit is how many states and events wait for the public at most; the oldest states go first, which nobody
// misses: of several that are due only the newest is shown.
const heldLimit = 4096

// held is what the public is not shown yet (PUB-1), in the order it came. The server's lock guards it.
type held struct {
	embargo *embargo.Embargo
	queue   []waiting
	news    chan struct{} // holds one: look again when the next is due
}

// waiting is a state or a message with the event it belongs to.
type waiting struct {
	match   string
	seq     int64
	at      time.Time
	state   *shown
	message message
}

func newHeld(delay time.Duration) held {
	return held{embargo: embargo.New(delay), news: make(chan struct{}, 1)}
}

func (h *held) add(w waiting) {
	if len(h.queue) >= heldLimit {
		for i := range h.queue {
			if h.queue[i].state != nil {
				h.queue = append(h.queue[:i], h.queue[i+1:]...)
				break
			}
		}
	}
	h.queue = append(h.queue, w)
	h.wake()
}

func (h *held) saw(e referee.Event, at time.Time) {
	h.embargo.Saw(e, at)
	h.wake()
}

func (h *held) wake() {
	select {
	case h.news <- struct{}{}:
	default: // one wake-up is enough
	}
}

// due takes from the queue what may be shown now: the messages, the newest state with its figures moved to the later
// moment, and when to ask again (zero: when something new comes).
func (h *held) due(now time.Time) (messages []message, state *shown, next time.Time) {
	for len(h.queue) > 0 {
		first := h.queue[0]
		due, closed := h.embargo.Due(first.match, first.seq, first.at)
		if !closed || due.After(now) {
			if closed {
				next = due
			}
			break
		}
		h.queue = h.queue[1:]
		if first.message != nil {
			messages = append(messages, first.message)
		}
		if first.state != nil {
			late := *first.state
			late.asOf = late.asOf.Add(due.Sub(first.at))
			state = &late
		}
		if len(h.queue) == 0 || h.queue[0].match != first.match || h.queue[0].seq > first.seq {
			h.embargo.Forget(first.match, first.seq)
		}
	}
	return messages, state, next
}

// Recall tells, after a restart and before anything is published, what there was of a match, so that spectators see at
// once what is due and later what becomes it. Matches are given one after the other, the one that goes on last.
func (s *Server) Recall(past embargo.Past) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.held.embargo.Recall(past.Events, past.Over, now)
	isDue := func(match string, seq int64, at time.Time) bool {
		due, closed := s.held.embargo.Due(match, seq, at)
		return closed && !due.After(now)
	}
	for i, g := range past.Given {
		if i+1 < len(past.Given) && isDue(g.State.Match, past.Given[i+1].State.Seq, past.Given[i+1].At) {
			continue // the next has taken its place already
		}
		s.held.queue = append(s.held.queue, waiting{match: g.State.Match, seq: g.State.Seq, at: g.At, state: &shown{state: g.State, asOf: g.AsOf, rate: g.Rate}})
	}
	for _, e := range past.Events {
		if data := eventView(s.book, e.Event, playersOf(past), public); data != nil && !isDue(e.Event.Match, e.Event.Seq, e.At) {
			m := newNumberedMessage(e.Event.Seq, "event", data)
			s.held.queue = append(s.held.queue, waiting{match: e.Event.Match, seq: e.Event.Seq, at: e.At, message: m})
		}
	}
	slices.SortStableFunc(s.held.queue, func(a, b waiting) int {
		if a.match != b.match {
			return 0 // matches come one after the other
		}
		return cmp.Compare(a.seq, b.seq)
	})
	s.held.wake()
}

func playersOf(past embargo.Past) (players [2]string) {
	if len(past.Given) > 0 {
		players = past.Given[len(past.Given)-1].State.Players
	}
	return players
}

// release shows the public what becomes due, until ctx ends.
func (s *Server) release(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-s.held.news:
		}
		if next := s.releaseDue(time.Now()); next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(next))
		}
	}
}

func (s *Server) releaseDue(now time.Time) (next time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages, state, next := s.held.due(now)
	if state != nil {
		s.public = state
		s.showTo(public)
	}
	for _, m := range messages {
		s.hub.publish(public, m)
	}
	return next
}

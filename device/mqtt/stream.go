package mqtt

import (
	"slices"
	"time"

	"davar/device/analysis"
	"davar/device/embargo"
	"davar/rules/referee"
)

// stream is what one audience, private or public, is still to be sent.
type stream struct {
	private bool
	policy  Policy
	embargo *embargo.Embargo

	spans []span          // matches with events to send, oldest first; the last stays when it is done
	chunk []embargo.Dated // the journal's answer to the last wish
	prev  Position        // the event sent last
	heard Position        // the event confirmed last
	fresh []landing       // those confirmed within resendTime, oldest first

	states  []dated // states not due yet, oldest first
	current *dated  // the newest that is due
	unsent  bool    // current is still to be sent
	first   bool    // ... before any event: a new connection

	judgements analysis.Judgements // of the match in play; empty in the private one
	faults     []string            // devices that fail, in the order of the alphabet; of the private one alone
	asks       []string            // what the table can be asked; of the private one alone
}

// span is a run of events of one match.
type span struct {
	match     string
	confirmed int64 // the broker has all up to here
	sent      int64 // handed to the connection up to here
	last      int64 // known to exist up to here
	flying    int   // sent and not confirmed
}

// landing is an event that was confirmed, with the one before it.
type landing struct {
	at     Position
	before Position
	when   time.Time
}

// resendTime is how long after its confirmation an event is sent again when the connection is lost: a broker that is
// killed forgets what it has not written down, and not given to anybody, yet.
const resendTime = 3 * time.Second

// dated is a snapshot, when it was given, and how much later it is shown.
type dated struct {
	snapshot
	at     time.Time
	late   time.Duration
	judged *analysis.Judgement // as it stood when the state was sent
	faults []string            // likewise
}

// topic is where the stream's leaf lies.
func (s *stream) topic(place Place, leaf string) string {
	if s.private {
		return place.Topic(PrivateLevel, leaf)
	}
	return place.Topic(leaf)
}

// statePayload is the form in which the stream shows a state.
func (s *stream) statePayload(d dated) StatePayload {
	if !s.private {
		d.state = s.policy.publicState(d.state)
	}
	payload := statePayload(d.snapshot, d.late)
	payload.DelayMS = s.policy.Delay.Milliseconds() // 0 for the private one
	payload.Judged = d.judged
	payload.Faults, payload.Asks = d.faults, s.asks
	return payload
}

func (s *stream) setFault(what string, fails bool) {
	at, known := slices.BinarySearch(s.faults, what)
	switch {
	case fails == known:
		return
	case fails:
		s.faults = slices.Insert(slices.Clone(s.faults), at, what)
	default:
		s.faults = slices.Delete(slices.Clone(s.faults), at, at+1)
	}
	s.unsent = s.current != nil
}

// extend makes events after, up to last of match, to be sent.
func (s *stream) extend(match string, after, last int64) {
	if n := len(s.spans); n > 0 && s.spans[n-1].match == match {
		s.spans[n-1].last = max(s.spans[n-1].last, last)
		return
	}
	s.spans = append(s.spans, span{match: match, confirmed: after, sent: after, last: last})
}

func (s *stream) resume(match string, last int64, from Position) {
	if from.Match != match {
		if from.Match != "" {
			s.extend(from.Match, from.Seq, untilJournalEnds)
		}
		from.Seq = 0
	}
	s.extend(match, min(from.Seq, last), last)
	s.prev, s.heard = from, from
}

// end is the newest event known.
func (s *stream) end() Position {
	if len(s.spans) == 0 {
		return Position{}
	}
	newest := s.spans[len(s.spans)-1]
	return Position{newest.match, newest.last}
}

// confirmed is how far the broker has everything.
func (s *stream) confirmed() Position {
	if len(s.spans) == 0 {
		return Position{}
	}
	return Position{s.spans[0].match, s.spans[0].confirmed}
}

func (s *stream) setState(snap snapshot, now time.Time) {
	if len(s.states) == stateLimit {
		s.states = s.states[1:]
	}
	s.states = append(s.states, dated{snapshot: snap, at: now})
}

// recall takes in what there was of a match before a restart.
func (s *stream) recall(past embargo.Past, now time.Time) {
	s.embargo.Recall(past.Events, past.Over, now)
	for _, g := range past.Given {
		s.states = append(s.states, dated{snapshot: snapshot{g.State, g.AsOf, g.Rate}, at: g.At})
	}
}

// next returns what to send, what to fetch, or when to ask again.
func (s *stream) next(now time.Time, recent []embargo.Dated) (*item, *need, time.Time) {
	s.mature(now)
	if s.first && s.unsent {
		return s.sendState(), nil, time.Time{}
	}
	it, wish, wake := s.nextEvent(now, recent)
	if it == nil && s.unsent {
		it = s.sendState()
	}
	if len(s.states) > 0 {
		if due, closed := s.due(&s.states[0]); closed && (wake.IsZero() || due.Before(wake)) {
			wake = due
		}
	}
	return it, wish, wake
}

func (s *stream) due(d *dated) (time.Time, bool) {
	return s.embargo.Due(d.state.Match, d.state.Seq, d.at)
}

// mature makes the newest state that is due the current one.
func (s *stream) mature(now time.Time) {
	for len(s.states) > 0 {
		next := s.states[0]
		due, closed := s.due(&next)
		if !closed || due.After(now) {
			return
		}
		next.late = due.Sub(next.at)
		s.current, s.unsent = &next, true
		s.states = s.states[1:]
	}
}

func (s *stream) sendState() *item {
	s.unsent, s.first = false, false
	now := *s.current
	now.judged = s.judgements.Of(now.state.Match, now.state.Game, now.state.Seq)
	now.faults = s.faults
	return &item{stream: s, state: &now}
}

func (s *stream) nextEvent(now time.Time, recent []embargo.Dated) (*item, *need, time.Time) {
	for {
		s.dropFinished()
		at := s.open()
		if at < 0 {
			return nil, nil, time.Time{}
		}
		open := &s.spans[at]
		next, found := find(open.match, open.sent+1, recent, s.chunk)
		if !found {
			return nil, &need{s, open.match, open.sent + 1}, time.Time{}
		}
		due, closed := s.embargo.Due(open.match, next.Event.Seq, next.At)
		if !closed || due.After(now) {
			return nil, nil, due
		}
		open.sent++
		if e, show := s.show(next.Event); show {
			open.flying++
			prev := int64(0)
			if s.prev.Match == e.Match {
				prev = s.prev.Seq
			}
			s.prev = Position{e.Match, e.Seq}
			return &item{stream: s, event: &e, prev: prev}, nil, time.Time{}
		}
	}
}

func (s *stream) show(e referee.Event) (referee.Event, bool) {
	if s.private {
		return e, true
	}
	return s.policy.publicEvent(e)
}

// open is the first span with something to send, -1 when there is none.
func (s *stream) open() int {
	for i := range s.spans {
		if s.spans[i].sent < s.spans[i].last {
			return i
		}
	}
	return -1
}

// dropFinished counts as confirmed what was sent or left out with nothing on its way, and forgets matches that
// are wholly done, save for the newest.
func (s *stream) dropFinished() {
	for i := range s.spans {
		if s.spans[i].flying == 0 {
			s.spans[i].confirmed = s.spans[i].sent
		}
	}
	for len(s.spans) > 1 && s.spans[0].confirmed == s.spans[0].last {
		s.spans = s.spans[1:]
	}
}

// find looks an event up in memory.
func find(match string, seq int64, places ...[]embargo.Dated) (embargo.Dated, bool) {
	for _, place := range places {
		for i := len(place) - 1; i >= 0; i-- {
			if e := &place[i].Event; e.Seq == seq && e.Match == match {
				return place[i], true
			}
		}
	}
	return embargo.Dated{}, false
}

// fill takes the journal's answer and returns how many events nobody has.
func (s *stream) fill(n need, events []referee.Event, recent []embargo.Dated, now time.Time) (lost int64) {
	s.chunk = embargo.Date(slices.DeleteFunc(events, func(e referee.Event) bool { return e.Match != n.match || e.Seq < n.from }), now)
	first := int64(0) // the oldest that anybody has
	if len(s.chunk) > 0 {
		first = s.chunk[0].Event.Seq
	}
	s.embargo.Recall(s.chunk, n.match != s.end().Match, now)
	if first == n.from {
		return 0
	}
	for i := range s.spans {
		if open := &s.spans[i]; open.match == n.match && open.sent == n.from-1 {
			if open.last == untilJournalEnds && first == 0 {
				open.last = open.sent
				return 0
			}
			for k := range recent {
				if e := &recent[k].Event; e.Match == n.match && e.Seq >= n.from && (first == 0 || e.Seq < first) {
					first = e.Seq
				}
			}
			if first == 0 {
				first = open.last + 1
			}
			lost = first - n.from
			open.sent = first - 1
		}
	}
	return lost
}

func (s *stream) confirm(match string, seq int64, now time.Time) {
	for i := range s.spans {
		if on := &s.spans[i]; on.match == match && on.flying > 0 {
			on.confirmed = max(on.confirmed, seq)
			on.flying--
			break
		}
	}
	landed := landing{Position{match, seq}, s.heard, now}
	for len(s.fresh) > 0 && now.Sub(s.fresh[0].when) > resendTime {
		s.forget(s.fresh[0].at)
		s.fresh = s.fresh[1:]
	}
	s.fresh, s.heard = append(s.fresh, landed), landed.at
	s.dropFinished()
}

// forget lets go of what is known of the turns up to an event that is not sent again, unless a state of theirs waits.
func (s *stream) forget(up Position) {
	if len(s.states) == 0 || s.states[0].state.Match != up.Match || s.states[0].state.Seq > up.Seq {
		s.embargo.Forget(up.Match, up.Seq)
	}
}

// unland counts as not confirmed what was confirmed just now, as far as its match has not gone from memory.
func (s *stream) unland(now time.Time) {
	for _, l := range s.fresh {
		if now.Sub(l.when) > resendTime {
			continue
		}
		for i := range s.spans {
			if on := &s.spans[i]; on.match == l.at.Match && on.confirmed >= l.at.Seq {
				on.confirmed, s.heard = l.at.Seq-1, l.before
				s.fresh = nil
				return
			}
		}
	}
	s.fresh = nil
}

func (s *stream) rewind(now time.Time) {
	s.unland(now)
	for i := range s.spans {
		s.spans[i].sent, s.spans[i].flying = s.spans[i].confirmed, 0
	}
	s.chunk, s.prev = s.chunk[:0], s.heard
	s.unsent = s.current != nil
	s.first = true
}

package mqtt

import (
	"slices"
	"time"

	"davar/rules/referee"
)

// Policy says what the public topics show, and when.
type Policy struct {
	// Delay is how far the public topics lag behind the closing of a turn's correction window (PUB-1, package embargo);
	// 0 shows everything at once.
	Delay time.Duration
	// Silent hides from the public whether a play was legal: the system was not appointed to announce it, or
	// noticing is the opponent's task (MON-4).
	Silent bool
}

// publicEvent returns the event as the public may see it, false when it may not at all: rulings for the
// director or the log only stay private, nobody's better plays are told (EQUIP-9), nor who decided and why.
func (p Policy) publicEvent(e referee.Event) (referee.Event, bool) {
	switch e.Type {
	case referee.Attention:
		if e.Ruling != nil && !publicRuling(e.Ruling) {
			return referee.Event{}, false
		}
	case referee.RulingMade, referee.RulingWithdrawn:
		if !publicRuling(e.Ruling) {
			return referee.Event{}, false
		}
	case referee.DecisionMade:
		if e.Ruling != nil && !publicRuling(e.Ruling) {
			return referee.Event{}, false
		}
		e.By, e.Why, e.Transaction = "", "", ""
	case referee.DecisionRefused: // between the director and the referee
		return referee.Event{}, false
	}
	if e.Ruling != nil {
		body := withoutNearest(*e.Ruling)
		e.Ruling = &body
	}
	if p.Silent {
		e.Legal = nil
	}
	return e, true
}

// publicState returns the state as the public may see it.
func (p Policy) publicState(s referee.State) referee.State {
	rulings := make([]referee.RulingBody, 0, len(s.Rulings))
	for _, r := range s.Rulings {
		if publicRuling(&r) {
			rulings = append(rulings, withoutNearest(r))
		}
	}
	s.Rulings = rulings
	if s.NoticeTo != "table" {
		s.Notice, s.NoticeTo = "", ""
	}
	if p.Silent {
		s.Plays = slices.Clone(s.Plays)
		for i := range s.Plays {
			s.Plays[i].Legal = true
		}
		if s.Last != nil {
			last := *s.Last
			last.Legal = true
			s.Last = &last
		}
	}
	return s
}

func publicRuling(r *referee.RulingBody) bool { return r != nil && r.Audience == "table" }

func withoutNearest(r referee.RulingBody) referee.RulingBody {
	r.Nearest = nil
	return r
}

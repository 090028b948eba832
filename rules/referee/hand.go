package referee

import (
	"time"

	"davar/rules/sighting"
)

const (
	// touchingFor is how long a player's hand must be over the board while the other one moves to be told of (P4).
	touchingFor = 500 * time.Millisecond
	// goneFor is for how long it must be gone before it is sure that it has thrown no dice.
	goneFor = 400 * time.Millisecond
	// whose is how probable it must be that the hand is his.
	whose = 0.9
)

// watchHand tells the director of a hand that was on the board although its owner is not on turn (TURN-1, P4), where the
// eye can tell whose it is. Reaching is no matter while something is being put right; a hand that throws is judged by what
// it has thrown (D6), so the matter waits until it is gone.
func (r *Referee) watchHand(s *sighting.Sighting) {
	if r.Phase != phaseRolled || r.Ended != nil || r.Fast != nil || len(r.Rulings) > 0 {
		r.Reaching, r.Reached = 0, 0
		return
	}
	side := r.Roll.Side
	if s.Reach[side.Other()] >= whose && s.Reach[side] <= 1-whose {
		if r.Reaching == 0 {
			r.Reaching = s.T
		}
		if s.T-r.Reaching >= touchingFor && r.rollSeenSince(r.Reaching) {
			r.Reached = s.T
		}
		return
	}
	switch {
	case r.Reached == 0:
		r.Reaching = 0
	case !calm(s) || s.DiceHidden || s.T-r.Reached < goneFor:
	default:
		if !r.thrownAfter(r.Reaching) && r.once("P4") {
			r.rule("P4", side.Other(), nil)
		}
		r.Reaching, r.Reached = 0, 0
	}
}

// thrownAfter tells whether a die that is none of the roll has come into view since t.
func (r *Referee) thrownAfter(t time.Duration) bool {
	for i := range r.Eyes.Dice.Seen {
		if x := &r.Eyes.Dice.Seen[i]; !r.Roll.has(x) && x.First >= t {
			return true
		}
	}
	return false
}

// rollSeenSince tells whether the dice of the roll were seen to lie there after t: nobody has lifted them to end his turn,
// which is noticed only when no hand is about.
func (r *Referee) rollSeenSince(t time.Duration) bool {
	for i := range r.Roll.Seen {
		if d := r.Eyes.Dice.find(r.Roll.lying(i).ID); d == nil || d.Last <= t {
			return false
		}
	}
	return true
}

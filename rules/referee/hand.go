package referee

import (
	"time"

	"davar/rules/sighting"
)

const (
	// touchingFor is how long a player's hand must be over the board while the other one moves to be told of (P4).
	touchingFor = 500 * time.Millisecond
	// whose is how probable it must be that the hand is his.
	whose = 0.9
)

// watchHand tells the director of a hand that is on the board although its owner is not on turn (TURN-1, P4), where the
// eye can tell whose it is. Reaching is no matter while something is being put right.
func (r *Referee) watchHand(s *sighting.Sighting) {
	if r.Phase != phaseRolled || r.Ended != nil || r.Fast != nil || len(r.Rulings) > 0 {
		r.Reaching = 0
		return
	}
	side := r.Roll.Side
	if s.Reach[side.Other()] < whose || s.Reach[side] > 1-whose {
		r.Reaching = 0
		return
	}
	if r.Reaching == 0 {
		r.Reaching = s.T
	}
	if s.T-r.Reaching >= touchingFor && r.once("P4") {
		r.rule("P4", side.Other(), nil)
	}
}

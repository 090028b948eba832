package referee

import (
	"time"

	"davar/rules/sighting"
)

const (
	// coveredFor is for how long a hand must lie over the dice to have covered them: it passes over them sooner.
	coveredFor = time.Second
	// palm is how many points a hand that does nothing but lie on the dice hides at most.
	palm = 8
)

// covering is a hand that lies over the dice of the roll and does not move.
type covering struct {
	Since time.Duration `json:"since"` // since when the dice are hidden and the same points are
	Hides places        `json:"hides"`
	Told  bool          `json:"told,omitempty"`
}

// watchCovered looks whether the player covers his dice after a complete play, which ends his turn where no clock does
// (TURN-2, D8): a hand of which nothing says that it is the other player's lies over both, hides the same points in every
// picture, and what is seen beside it was a complete play before it came.
func (r *Referee) watchCovered(s *sighting.Sighting) {
	x := r.Roll
	if r.Settings.timed() || r.Ended != nil || x.Opening || x.Replay && !x.Present || s.Hand < 0.5 || s.Reach[x.Side.Other()] > 1-whose ||
		s.Scene != sighting.SceneClear || !x.rested() || !x.seen() || r.partShown(s.T) {
		r.Covering = nil
		return
	}
	hides := hidden(s)
	if c := r.Covering; c == nil || c.Hides != hides {
		r.Covering = &covering{Since: s.T, Hides: hides}
		return
	}
	if c := r.Covering; !c.Told && s.T-c.Since >= coveredFor && hides.count() <= palm {
		c.Told = true
		if r.completeSince(c.Since) {
			r.rule("D8", x.Side, nil)
			r.endTurn(c.Since, "touch")
		}
	}
}

// partShown tells whether the picture taken at t shows a die of the roll.
func (r *Referee) partShown(t time.Duration) bool {
	for i := range r.Roll.Seen {
		if d := r.Eyes.Dice.find(r.Roll.lying(i).ID); d != nil && d.Last == t {
			return true
		}
	}
	return false
}

// hidden returns the points that the picture does not show.
func hidden(s *sighting.Sighting) (p places) {
	for i := range s.Points {
		if s.Points[i].Hidden {
			p |= 1 << i
		}
	}
	return p
}

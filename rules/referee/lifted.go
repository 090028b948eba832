package referee

import (
	"time"

	"davar/rules"
)

const (
	// doubtTilt is how probable leaning must be for a die to be one that may be taken for cocked.
	doubtTilt = 0.4
	// agreeing is for how long dice may lie before those who lift them may have had the opponent's word, which nobody
	// but he hears (DICE-5).
	agreeing = 1500 * time.Millisecond
	// doubtFor is how long they must have lain, and throwing how long they must have been gone before others lay there,
	// not to have been seen in the air.
	doubtFor = 400 * time.Millisecond
	throwing = 900 * time.Millisecond
)

// noteDoubtful remembers a throw of side of which a die may lean and that is not judged yet: who lifts it without his
// opponent's word is ruled against (DICE-6).
func (r *Referee) noteDoubtful(side rules.Side) {
	var thrown []*die
	for i := range r.Eyes.Dice.Seen {
		x := &r.Eyes.Dice.Seen[i]
		if !x.Spent && x.Missed == 0 && x.Rest > restPictures && x.real() >= likely && x.half() == r.rightHalf(side) {
			thrown = append(thrown, x)
		}
	}
	if thrown = certainOnes(thrown); len(thrown) != 2 {
		return
	}
	a, b := thrown[0], thrown[1]
	switch {
	case max(a.Tilt/float32(a.Rest), b.Tilt/float32(b.Rest)) >= doubtTilt:
		r.Doubtful = &[2]die{*a, *b}
	case r.Doubtful != nil && r.Doubtful[0].ID == a.ID && r.Doubtful[1].ID == b.ID:
		r.Doubtful = nil // it lies flat after all
	}
}

// liftedInDoubt tells whether side has thrown a and b after lifting dice that may have leaned, so soon that his
// opponent can hardly have agreed.
func (r *Referee) liftedInDoubt(a, b *die) bool {
	if r.Doubtful == nil || !r.unchanged() || r.thrownBetween(a, b) {
		return false
	}
	for i := range r.Doubtful {
		x := &r.Doubtful[i]
		if x.ID == a.ID || x.ID == b.ID || x.Last-x.First > agreeing || x.Last-x.Still < doubtFor || min(a.First, b.First)-x.Last < throwing {
			return false
		}
	}
	return true
}

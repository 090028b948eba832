package referee

import "time"

const (
	// apartMost is how far apart the two dice of a throw may come down (DICE-1). Their first contact need not be seen: one
	// that lay at rest alone for so long came down before the other by more than that.
	apartMost = 500 * time.Millisecond
	// apartPictures is how many still pictures must show the first die alone.
	apartPictures = 4
)

// apart tells whether the two dice were not thrown together: one lay alone for a while, something moved, and only then
// did the other one come down (D4). Once the other one was asked for, nobody is accused: it may have lain there all the time.
// Nor after a turn that was lost, or made out only when these dice lay there: what moved in between may have been the play.
func (r *Referee) apart(a, b *die) bool {
	early, late := a, b
	if late.First < early.First {
		early, late = late, early
	}
	alone := early.AloneTo - early.Still
	if r.Lost || r.Last != nil && r.Last.Roll.Inferred && early.First < r.Since {
		return false
	}
	return early.Alone >= apartPictures && alone >= apartMost && !r.asked(askDie) && late.First > early.AloneTo &&
		early.Spells > 1 && min(early.Rest, late.Rest) >= faultPictures && r.unchanged() &&
		max(early.real(), late.real()) >= certain && min(early.realAsSecond(), late.realAsSecond()) >= certain
}

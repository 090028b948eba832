package referee

// forced tells whether the player who moves has no choice.
func (r *Referee) forced() bool { return len(r.law.plays(r.base(), r.Roll.Side, r.Roll.Dice)) <= 1 }

// fastPlayed tells whether the fast roll has been played without a word from the interrupted player, whose turn is over:
// it stands then, and he has no claim for the rest of the match (DICE-13).
func (r *Referee) fastPlayed() bool {
	f := r.Fast
	if !r.changed() {
		return false
	}
	r.Roll = &roll{Side: f.Side, Dice: f.Dice, Seen: f.Seen}
	w := r.weigh(&r.Eyes.View)
	r.Roll = nil
	if w.Wrong != 0 || !w.legal() || w.reread() {
		return false
	}
	interrupted := f.Side.Other()
	r.Waived[interrupted] = r.Waived[interrupted] || r.Settings.FastRollWaiver
	r.standFast()
	return true
}

package referee

import "davar/rules"

// setup is a wrong starting position from which a game was begun: it is put right if that is noticed before the play
// of the second roll is complete (IRREG-8).
type setup struct {
	Wrong rules.Position `json:"wrong"`
}

// setupTurns is how many turns must be closed for a wrong setup to stand (setup.correct_until).
const setupTurns = 2

// begunWrongly goes on to the opening roll from a setup that was objected to, when the players throw all the same: from
// the wrong position, or from the right one when only a checker seemed to be missing.
func (r *Referee) begunWrongly(start *rules.Position) bool {
	fresh := r.Eyes.Dice.fresh()
	if len(fresh) != 2 || r.thrower(fresh[0]) == r.thrower(fresh[1]) || !r.Settings.OpeningSeen && r.Match.Game.Number == 1 {
		return false
	}
	switch {
	case r.open("S2"):
		r.settleCodes("S2")
		r.Match.Game.Position, r.Current = *start, *start
	case r.open("S1") && r.Eyes.View.wrong(&r.Current) == 0 && r.Current.Check(r.Match.Game.Excluded) == nil:
		r.Match.Game.Position = r.Current
	default:
		return false
	}
	r.enter(phaseOpening)
	return true
}

// corrected returns the position that pos would be had the game begun from the right starting position.
func (r *Referee) corrected(pos *rules.Position) (rules.Position, bool) {
	start := rules.Start(r.Match.Options.Rules.Variant)
	right := *pos
	for side := range right.Checkers {
		for p := range right.Checkers[side] {
			n := int(pos.Checkers[side][p]) + int(start.Checkers[side][p]) - int(r.Setup.Wrong.Checkers[side][p])
			if n < 0 {
				return right, false
			}
			right.Checkers[side][p] = uint8(n)
		}
	}
	return right, right.Check(r.Match.Game.Excluded) == nil
}

// watchSetup takes note that a wrong starting position is put right while that may be.
func (r *Referee) watchSetup() {
	v := &r.Eyes.View
	if r.Setup == nil || v.Pictures < rulePictures || v.To-v.From < correctedAfter {
		return
	}
	right, ok := r.corrected(r.base())
	if ok && v.wrong(&right) == 0 && v.wrong(r.base()) > 0 {
		r.setupRight(&right)
	}
}

// setupRight goes on from the corrected position.
func (r *Referee) setupRight(right *rules.Position) {
	r.Setup, r.Last = nil, nil
	r.Match.Game.Position, r.Current = *right, *right
	r.withdrawCode("S1")
}

// weighEnd weighs the pictures at a turn's end; where a wrong setup may have been put right in it, from the corrected
// position too.
func (r *Referee) weighEnd(v *evidence) weighing {
	w := r.weigh(v)
	if r.Setup == nil || w.Wrong == 0 {
		return w
	}
	right, ok := r.corrected(r.base())
	if !ok {
		return w
	}
	wrong := *r.base()
	r.Match.Game.Position = right
	again := r.weigh(v)
	if again.legal() && again.Wrong == 0 {
		r.setupRight(&right)
		return again
	}
	r.Match.Game.Position = wrong
	return w
}

// setupStands closes the matter when the play of the second roll is complete (IRREG-8).
func (r *Referee) setupStands() {
	if r.Setup != nil && r.Match.Game.Turns >= setupTurns {
		r.Setup = nil
		r.settleCodes("S1")
	}
}

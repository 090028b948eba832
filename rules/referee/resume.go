package referee

import (
	"davar/clock"
	"davar/rules"
	"davar/rules/match"
)

// resume goes on from what is seen when a turn cannot be made out and play has gone on: side has thrown, so the
// position before him is the one on the board. It reports whether that can be.
func (r *Referee) resume(side rules.Side) bool {
	if r.Eyes.View.Pictures < 2*leastPictures {
		return false
	}
	seen, ok := r.goneOnFrom(side)
	if !ok {
		return false
	}
	if r.hasPassed(side) {
		r.Eyes.Dice.spend(r.Pressed.At - pressGrace)
		side = side.Other()
	}
	r.ask(askOnwards)
	g := &r.Match.Game
	g.Position, g.Turn, g.Phase, g.Dice = seen, side, match.AwaitRoll, rules.Dice{}
	g.Opening = false
	g.Turns++
	r.Current = seen
	r.lapse(untilRoll)
	if r.Breach != nil {
		r.settle(r.Breach.Ruling)
	}
	r.Roll, r.Ended, r.Breach, r.Fast, r.Blind, r.Last = nil, nil, nil, nil, nil, nil
	r.Glimpsed, r.HalfSeen, r.Lost = [2]die{}, false, true
	r.Unfit, r.Between = 0, false
	r.clockTo(side)
	r.enter(phaseAwait)
	return true
}

// hasPassed tells whether side, of whom dice lie there, has pressed since he threw: his turn is over as well.
func (r *Referee) hasPassed(side rules.Side) bool {
	if r.clock == nil || r.Pressed.Side != side || r.clock.View(r.Now).Running != clock.Side(side.Other()) {
		return false
	}
	for i := range r.Eyes.Dice.Seen {
		if x := &r.Eyes.Dice.Seen[i]; !x.Spent && x.Rest >= restPictures && x.half() == r.rightHalf(side) && x.First < r.Pressed.At {
			return true
		}
	}
	return false
}

// goneOnFrom returns the position on the board, from which side goes on: one that can follow in a turn of either player or,
// where both bear off, in several.
func (r *Referee) goneOnFrom(side rules.Side) (pos rules.Position, ok bool) {
	v := &r.Eyes.View
	for _, mover := range [2]rules.Side{side.Other(), side} {
		seen, whole := v.literal(r.base(), mover)
		if !whole && !r.bornOffSince(&seen) {
			continue
		}
		if _, unseen := v.misfits(&seen); unseen == 0 && seen.Check(r.Match.Game.Excluded) == nil {
			return seen, true
		}
	}
	return pos, false
}

// bornOffSince tells whether all that is missing on the board may have been borne off by now, by either player.
func (r *Referee) bornOffSince(seen *rules.Position) bool {
	for side := rules.Light; side <= rules.Dark; side++ {
		if more := int(seen.Checkers[side][rules.Off]) - int(r.base().Checkers[side][rules.Off]); more < 0 || more > 0 && !r.bearing(side) {
			return false
		}
	}
	return seen.Active(rules.Light) == r.base().Active(rules.Light) && seen.Active(rules.Dark) == r.base().Active(rules.Dark)
}

// clockTo has the time of side run, whose turn it proves to be. The presses since were taken for something else; nobody is
// to be told that he presses the wrong clock.
func (r *Referee) clockTo(side rules.Side) {
	if r.clock == nil {
		return
	}
	if v := r.clock.View(r.Now); v.OnMove != clock.Side(side) && (v.Running != clock.Nobody || v.Paused == clock.Ruling) {
		r.startClock(side)
	}
	r.resumeClock()
}

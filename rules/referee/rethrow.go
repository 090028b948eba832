package referee

import (
	"strconv"
	"time"

	"davar/rules"
	"davar/rules/match"
)

// watchRethrow deals with dice thrown again by the player who has rolled already, the board untouched: the throw
// before did not count for the players, or it was a valid roll thrown again (D9).
func (r *Referee) watchRethrow() bool {
	x := r.Roll
	if x.Opening || x.Replay || x.Seen[0].Rest == 0 {
		return false
	}
	var thrown []*die
	for _, d := range r.Eyes.Dice.fresh() {
		if !x.has(d) && d.First > x.Seen[0].Last && d.First > x.Seen[1].Last {
			thrown = append(thrown, d)
		}
	}
	if !r.inRightHalf(thrown, x.Side) || r.rollLies() || !r.unchanged() {
		return false
	}
	if len(thrown) == 1 && !r.partLies() && thrown[0].Rest >= faultPictures && thrown[0].real() >= certain {
		x.Disputed = true // of dice thrown again one is not seen
	}
	if len(thrown) != 2 {
		return false
	}
	n := seenNumbers(thrown[0], thrown[1])
	dice := rules.Dice{uint8(n[0]), uint8(n[1])}
	if sameDice(dice, x.Dice) {
		x.lie(thrown)
		r.correctRoll(dice) // the same, in the order in which they lie
		r.Ended = nil
		return true
	}
	for _, d := range thrown {
		if d.Rest < faultPictures || d.leans() {
			return false
		}
	}
	if x.beyondDoubt() && x.accepted() {
		thrown[0].Spent, thrown[1].Spent = true, true
		x.Again, x.AgainSeen, r.Ended = dice, [2]die{*thrown[0], *thrown[1]}, nil
		x.Moved = [2]die{*thrown[0], *thrown[1]} // these lie there for the roll now
		r.rule("D9", x.Side, map[string]string{"a": strconv.Itoa(int(x.Dice[0])), "b": strconv.Itoa(int(x.Dice[1]))})
		return true
	}
	first, seen := x.Dice, x.Seen
	x.lie(thrown)
	r.Ended, r.Asked = nil, nil
	r.correctRoll(dice)
	x.Again, x.AgainSeen, x.Disputed = first, seen, true // should it be the one that counts for the players
	return true
}

func sameDice(a, b rules.Dice) bool { return a == b || a == rules.Dice{b[1], b[0]} }

// callWithin is how soon players call a die cocked and agree (DICE-4, DICE-5), which nobody but they hear. Whoever throws
// again sooner is taken to have had his opponent's word: how flat a die lies is not read so surely.
const callWithin = 2500 * time.Millisecond

// accepted tells whether the dice of the roll lay for so long that nobody would have called them invalid any more.
func (x *roll) accepted() bool {
	for i := range x.Seen {
		if d := &x.Seen[i]; d.Last-d.Still < callWithin {
			return false
		}
	}
	return true
}

const (
	// mayLean is how probable leaning may be read of a die that is held to be flat: less is read of flat dice often.
	mayLean = 0.45
	// sureNumber is how probable the number of a die must be for another one to mean that the die was turned.
	sureNumber = 0.97
)

// seen tells whether both dice of the roll were certainly seen.
func (x *roll) seen() bool {
	for i := range x.Seen {
		if d := &x.Seen[i]; d.Rest < 2*restPictures || d.real() < certain {
			return false
		}
	}
	return true
}

// beyondDoubt tells whether they were, what they showed, and whether they lay so well that the roll was certainly valid.
func (x *roll) beyondDoubt() bool {
	for i := range x.Seen {
		d := &x.Seen[i]
		if _, sure := d.value(); d.Tilt > mayLean*float32(d.Rest) || sure < sureNumber {
			return false
		}
	}
	return x.seen()
}

// inDispute tells whether it is not known what else the players may hold for the roll. Dice thrown again are weighed with
// the others.
func (x *roll) inDispute() bool { return x.Disputed && !x.Again.Valid() }

// resume goes on from what is seen when a turn cannot be made out and play has gone on: side has thrown, so the
// position before him is the one on the board. It reports whether that can be.
func (r *Referee) resume(side rules.Side) bool {
	v := &r.Eyes.View
	if v.Pictures < 2*leastPictures {
		return false
	}
	for _, mover := range [2]rules.Side{side.Other(), side} {
		seen, whole := v.literal(r.base(), mover)
		if _, unseen := v.misfits(&seen); !whole || unseen != 0 || seen.Check(r.Match.Game.Excluded) != nil {
			continue
		}
		r.ask(askOnwards)
		g := &r.Match.Game
		g.Position, g.Turn, g.Phase, g.Dice = seen, side, match.AwaitRoll, rules.Dice{}
		g.Opening = false
		g.Turns++
		r.Current = seen
		if r.Breach != nil {
			r.settle(r.Breach.Ruling)
		}
		r.Roll, r.Ended, r.Breach, r.Fast, r.Blind, r.Last = nil, nil, nil, nil, nil, nil
		r.Glimpsed, r.HalfSeen, r.Lost = [2]die{}, false, true
		r.resumeClock()
		r.enter(phaseAwait)
		return true
	}
	return false
}

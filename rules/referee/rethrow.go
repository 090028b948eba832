package referee

import (
	"slices"
	"strconv"
	"time"

	"davar/rules"
)

// watchRethrow deals with dice thrown again by the player who has rolled already, the board untouched: the throw
// before did not count for the players, or it was a valid roll thrown again (D9).
func (r *Referee) watchRethrow() bool {
	x := r.Roll
	if x.Opening {
		return r.watchOpeningRethrow()
	}
	if x.Replay || x.Seen[0].Rest == 0 {
		return false
	}
	var thrown []*die
	for _, d := range r.Eyes.Dice.fresh() {
		if r.Ended != nil && r.Ended.By == "press" && d.First > r.Ended.At+pressGrace {
			continue // his turn was over: whatever that is, it is no throw of it
		}
		if !x.has(d) && d.First > x.Seen[0].Last && d.First > x.Seen[1].Last {
			thrown = append(thrown, d)
		}
	}
	if !r.inRightHalf(thrown, x.Side) || r.rollLies() || !r.unchanged() {
		return false
	}
	if len(thrown) > 0 && !r.partLies() && thrown[0].mayHaveLain() {
		if x.HalfAgain && !slices.ContainsFunc(thrown, func(d *die) bool { return d.ID == x.HalfDie }) {
			x.Disputed = true // there was a throw between: of more than two throws not all are weighed
		}
		x.HalfAgain, x.HalfDie = true, thrown[0].ID // until it is known what was thrown again
	}
	if len(thrown) != 2 {
		return false
	}
	n := seenNumbers(thrown[0], thrown[1])
	dice := rules.Dice{uint8(n[0]), uint8(n[1])}
	if sameDice(dice, x.Dice) {
		x.HalfAgain = false
		if !x.Again.Valid() {
			x.Again, x.AgainSeen = x.Dice, x.Seen // the first throw may have shown something else, and count
		}
		x.lie(thrown)
		r.correctRoll(dice) // the same, in the order in which they lie
		r.Ended = nil
		return true
	}
	for i, d := range thrown {
		if f := r.faultOf(d, thrown[1-i], x.Side); d.Rest < faultPictures || f.unsure || f.code != "" {
			return false
		}
	}
	if x.beyondDoubt() && x.accepted() {
		thrown[0].Spent, thrown[1].Spent = true, true
		x.Again, x.AgainSeen, x.HalfAgain, r.Ended = dice, [2]die{*thrown[0], *thrown[1]}, false, nil
		x.Moved = [2]die{*thrown[0], *thrown[1]} // these lie there for the roll now
		r.rule("D9", x.Side, map[string]string{"a": strconv.Itoa(int(x.Dice[0])), "b": strconv.Itoa(int(x.Dice[1]))})
		return true
	}
	first, seen := x.Dice, x.Seen
	x.lie(thrown)
	r.Ended, r.Asked = nil, nil
	r.correctRoll(dice)
	x.Disputed = x.Disputed || x.Again.Valid()             // of more than two throws not all are weighed
	x.Again, x.AgainSeen, x.HalfAgain = first, seen, false // should it be the one that counts for the players
	return true
}

// watchOpeningRethrow deals with opening dice that both players throw again, the board untouched: what was taken for a roll
// was a tie, or invalid, for the players (OPEN-3, OPEN-5).
func (r *Referee) watchOpeningRethrow() bool {
	x := r.Roll
	if x.Replay || x.Seen[0].Rest == 0 || r.Ended != nil || r.partLies() || !r.unchanged() {
		return false
	}
	var thrown [2]*die
	for _, d := range r.Eyes.Dice.fresh() {
		if side := r.thrower(d); !x.has(d) && thrown[side] == nil && d.First > max(x.Seen[0].Last, x.Seen[1].Last) {
			thrown[side] = d
		}
	}
	for side, d := range thrown {
		if d == nil || d.Rest < faultPictures {
			return false
		}
		if f := r.faultOf(d, nil, rules.Side(side)); f.unsure || f.code != "" {
			return false
		}
	}
	n := seenNumbers(thrown[0], thrown[1])
	dice := rules.Dice{uint8(n[0]), uint8(n[1])}
	if dice.Double() {
		return false
	}
	again, seen := x.Dice, x.Seen
	if r.starter(dice) == x.Side {
		r.correctRoll(dice)
	} else {
		r.otherStarts(dice)
	}
	x.lie(thrown[:])
	x.Again, x.AgainSeen = again, seen
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
		if d := &x.Seen[i]; d.Rest < 2*restPictures || d.realBeside(&x.Seen[1-i]) < certain {
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

// inDispute tells whether the players may hold for the roll a throw of the turn of which not all was seen. One that was seen is
// weighed with the roll instead: a play that neither allows is illegal whichever counts.
func (x *roll) inDispute() bool { return x.Disputed || x.HalfAgain }

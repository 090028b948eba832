package referee

import (
	"strconv"
	"time"

	"davar/rules"
)

const (
	// shiftMost is how far a die may be pushed, as a share of the board, and shiftWithin how soon it must lie again, for
	// it to have been pushed and not lifted and thrown: nobody shakes three times in that.
	shiftMost   = 0.15
	shiftWithin = 1200 * time.Millisecond
	// settledFor is how long a die must have lain where it came to rest before its being elsewhere is not its rolling on.
	settledFor = 1500 * time.Millisecond
	// completeFor is how long a complete play must have been seen before the dice were touched to be what was played.
	completeFor = 300 * time.Millisecond
)

// watchShifted looks whether dice of the roll have been pushed to another place, without being lifted. Without a clock
// that ends a turn whose play is complete (TURN-2, D8). Before, dice that show something else now were disturbed (DICE-7,
// D7); those that show the same were only put aside (DICE-11).
func (r *Referee) watchShifted() {
	x := r.Roll
	if x.Replay && !x.Present || r.Ended != nil || !x.rested() || !x.seen() {
		return
	}
	moved := [2]*die{}
	for i := range x.Seen {
		if r.Eyes.Dice.find(x.lying(i).ID) != nil {
			continue
		}
		if moved[i] = r.shifted(i); moved[i] == nil {
			return
		}
	}
	first := moved[0]
	if first == nil || moved[1] != nil && moved[1].First < first.First {
		first = moved[1]
	}
	if first == nil {
		return
	}
	complete := r.completeSince(first.First) || !r.Settings.timed() && r.showsOther(moved) && r.completeBy(moved, first.First)
	other := r.showsOther(moved)
	for i, d := range moved {
		if d != nil {
			x.Moved[i] = *d
		}
	}
	switch {
	case complete && !r.Settings.timed():
		r.rule("D8", x.Side, nil)
		r.endTurn(first.First, "touch")
	case other && !complete && r.once("D7"):
		r.rule("D7", x.Side, map[string]string{"a": strconv.Itoa(int(x.Dice[0])), "b": strconv.Itoa(int(x.Dice[1]))})
	}
}

// rested tells whether both dice of the roll lay long enough to have come to rest.
func (x *roll) rested() bool {
	for i := range x.Seen {
		if d := &x.Seen[i]; d.Rest == 0 || d.Last-d.Still < settledFor {
			return false
		}
	}
	return true
}

// lying returns the roll's i-th die as it lies now, or lay when it was seen last.
func (x *roll) lying(i int) *die {
	if x.Moved[i].Rest > 0 {
		return &x.Moved[i]
	}
	return &x.Seen[i]
}

// has tells whether the die is one of the roll's.
func (x *roll) has(d *die) bool {
	return d.ID == x.Seen[0].ID || d.ID == x.Seen[1].ID || d.ID == x.Moved[0].ID || d.ID == x.Moved[1].ID
}

// shifted returns the die that the roll's i-th has become by being pushed, or nil when none lies near enough.
func (r *Referee) shifted(i int) *die {
	was := r.Roll.lying(i)
	for _, d := range r.Eyes.Dice.fresh() {
		if r.Roll.has(d) || d.Rest < faultPictures || d.realAsSecond() < certain || d.half() != was.half() {
			continue
		}
		if d.First > was.Last && d.First-was.Last <= shiftWithin && was.apartFrom(d) < shiftMost {
			return d
		}
	}
	return nil
}

// completeSince tells whether the board shows a complete legal play that was seen already before t.
func (r *Referee) completeSince(t time.Duration) bool {
	v := &r.Eyes.View
	if v.Pictures < leastPictures {
		return false
	}
	w := r.weigh(v)
	if !w.legal() || w.Stays || w.reread() && r.Roll.seenFor(&w.Legal.Play.Final) < ruleStill {
		return false
	}
	before := r.Roll.seenFor(&w.Legal.Play.Final)
	if w.Whole { // a stack misread all the time
		before = max(before, r.Roll.seenFor(&w.Literal))
	}
	if v.From >= t {
		before -= v.To - v.From
	}
	return before >= completeFor
}

// showsOther tells whether a die that was pushed shows something else than was read before.
func (r *Referee) showsOther(moved [2]*die) bool {
	for i, d := range moved {
		if d != nil && r.Roll.Seen[i].alike(d) < mayBeSame {
			return true
		}
	}
	return false
}

// completeBy tells whether the board shows a complete legal play, seen before t, of what the dice show now that they have
// been pushed. They then showed that before, and were misread: the roll is put right.
func (r *Referee) completeBy(moved [2]*die, t time.Duration) bool {
	x := r.Roll
	if x.Opening || x.Stated || r.unchanged() {
		return false
	}
	read, seen := x.Dice, x.Seen
	for i, d := range moved {
		if d != nil {
			v, _ := d.value()
			x.Dice[i], x.Seen[i] = uint8(v), *d
		}
	}
	now := x.Dice
	complete := r.completeSince(t)
	x.Dice, x.Seen = read, seen
	if complete {
		for i, d := range moved {
			if d != nil {
				x.Seen[i] = *d
			}
		}
		r.correctRoll(now)
	}
	return complete
}

// mayBeSame is how probable at most two looks may show one number for it to be certain that they do not.
const mayBeSame = 0.02

// watchUndone points out that the board was changed after a turn that ended by touching the dice: the change is undone. Of
// a player of whose dice something was seen the change may be the next turn.
func (r *Referee) watchUndone() {
	l := r.Last
	if l != nil && l.Touched && !r.mayHaveRolled() && r.changed() && r.Eyes.View.To-r.Eyes.View.From >= time.Second &&
		r.rearranged(l.Roll.Side) && r.once("D8") {
		r.rule("D8", l.Roll.Side, nil)
	}
}

// rearranged tells whether side has put checkers elsewhere: none has only gone or come, as far as he does not bear off.
func (r *Referee) rearranged(side rules.Side) bool {
	pos, whole := r.Eyes.View.reading(r.base(), side)
	if !whole || pos == *r.base() {
		return false
	}
	return r.bearing(side) || pos.Checkers[side][rules.Off] == r.base().Checkers[side][rules.Off]
}

// mayHaveRolled tells whether a die of a roll of the player on roll was seen to rest.
func (r *Referee) mayHaveRolled() bool {
	return r.Glimpsed[0].Rest >= restPictures || r.Glimpsed[1].Rest >= restPictures
}

package referee

import (
	"slices"
	"time"

	"davar/rules"
)

// readingsKept is how many positions seen in a turn are remembered.
const readingsKept = 8

// notePosition remembers for how long which positions were seen since the roll: a ruling needs one that lay there for
// a while, not what a picture shows while a hand puts it right.
func (r *Referee) notePosition() {
	v := &r.Eyes.View
	if v.Pictures < leastPictures {
		return
	}
	pos, whole := v.reading(r.base(), r.Roll.Side)
	if !whole {
		return
	}
	if pos == *r.base() {
		r.Roll.Unmoved = v.To
	}
	d := v.Step
	if v.Pictures == leastPictures {
		d = v.To - v.From
	}
	least := 0
	for i := range r.Roll.Readings {
		if r.Roll.Readings[i].Position == pos {
			r.Roll.Readings[i].Time += d
			return
		}
		if r.Roll.Readings[i].Time < r.Roll.Readings[least].Time {
			least = i
		}
	}
	if len(r.Roll.Readings) == readingsKept {
		r.Roll.Readings[least] = reading{pos, d}
		return
	}
	r.Roll.Readings = append(r.Roll.Readings, reading{pos, d})
}

// lie takes these dice for those of the roll.
func (x *roll) lie(dice []*die) {
	x.Seen, x.Moved, x.Present = [2]die{*dice[0], *dice[1]}, [2]die{}, true
}

// clear tells whether the numbers of the roll were seen beyond the eye's own doubt.
func (x *roll) clear() bool { return x.Stated || x.Seen[0].clear() && x.Seen[1].clear() }

// seenFor returns for how long the position was seen since the roll.
func (x *roll) seenFor(pos *rules.Position) time.Duration {
	for i := range x.Readings {
		if x.Readings[i].Position == *pos {
			return x.Readings[i].Time
		}
	}
	return 0
}

// followRoll goes on reading the dice of the roll as long as they lie where they came to rest (DICE-18).
func (r *Referee) followRoll() {
	x := r.Roll
	seen := 0
	for i := range x.Seen {
		lying := x.lying(i)
		if d := r.Eyes.Dice.find(lying.ID); d != nil && lying.ID != 0 {
			*lying = *d
			seen++
		}
	}
	if x.Replay && !x.Present && (seen == 0 || x.Opening && seen == 1) {
		r.adoptReplayed()
	}
}

// adoptReplayed knows the dice of a turn to be played anew when they are put back on the board (IRREG-5). They are put
// back as the players agree they lay: should they have been misread, they are put right.
func (r *Referee) adoptReplayed() {
	fresh := r.Eyes.Dice.fresh()
	if len(fresh) > 2 { // the other player's opening die may lie there still
		fresh = slices.DeleteFunc(fresh, func(d *die) bool { return d.half() != r.rightHalf(r.Roll.Side) })
	}
	if len(fresh) != 2 || min(fresh[0].Rest, fresh[1].Rest) < faultPictures || r.inRightHalf(fresh, r.Roll.Side.Other()) {
		return // none, or it is the other player who has thrown
	}
	n := seenNumbers(fresh[0], fresh[1])
	d := rules.Dice{uint8(n[0]), uint8(n[1])}
	same := sameDice(d, r.Roll.Dice)
	if !same && (!r.inRightHalf(fresh, r.Roll.Side) || !fresh[0].clear() || !fresh[1].clear() || r.Roll.Stated) {
		return
	}
	if x := r.Roll; !r.unchanged() && (x.Unmoved > r.Since || !same) {
		// He had the position before him and has played: dice that come now are of a throw, not put back.
		if x.Unmoved > r.Since && !same && !r.Settings.timed() && r.changed() {
			r.endTurn(min(fresh[0].First, fresh[1].First), "throw")
			r.Ended.Passed = true // the other player's turn is over as well
		}
		return
	}
	r.Roll.lie(fresh)
	r.correctRoll(d)
}

// watchFastRoll looks for a throw of the other player before the turn has ended (DICE-12).
func (r *Referee) watchFastRoll() {
	if r.Ended != nil || r.Fast != nil || r.Settings.FastRollForcedExempt && r.forced() {
		return
	}
	other := r.Roll.Side.Other()
	var thrown []*die
	for _, x := range r.Eyes.Dice.fresh() {
		if !r.Roll.has(x) && x.half() == r.rightHalf(other) {
			thrown = append(thrown, x)
		}
	}
	if thrown = certainOnes(thrown); len(thrown) != 2 || thrown[0].LeanAt != 0 || thrown[1].LeanAt != 0 || !r.Settings.timed() && !r.rollLies() {
		return
	}
	n := seenNumbers(thrown[0], thrown[1])
	r.Fast = &fastRoll{
		Side: other, Dice: rules.Dice{uint8(n[0]), uint8(n[1])}, Seen: [2]die{*thrown[0], *thrown[1]},
	}
	thrown[0].Spent, thrown[1].Spent = true, true
	r.emit(Event{Type: RollInvalid, Side: &other, Why: "premature", Dice: n})
	body := r.ruling("D6", map[string]string{"other": r.Roll.Side.String()})
	if r.Waived[r.Roll.Side] && body.Audience == "table" {
		body.Audience = "director" // no claim any more; the director decides
	}
	r.Fast.Ruling = r.announce(body, &other, 0.99)
}

// rollingOn is how long after two dice came to rest others may come to rest in their place and still be the same
// throw: dice that seemed to lie were still in the air or rolling.
const rollingOn = 2 * time.Second

// watchRolling corrects a roll whose dice rolled on: both are gone, nothing was moved, and two others lie in the same
// half sooner than anybody could have thrown again.
func (r *Referee) watchRolling() {
	x := r.Roll
	if r.Ended != nil || x.Replay || x.Seen[0].Rest == 0 || x.rested() {
		return
	}
	var thrown []*die
	for _, d := range r.Eyes.Dice.fresh() {
		if x.has(d) {
			return
		}
		if d.First > x.Seen[0].First && d.First > x.Seen[1].First && d.First < max(x.Seen[0].Last, x.Seen[1].Last)+rollingOn {
			thrown = append(thrown, d)
		}
	}
	if len(thrown) != 2 || x.Opening && thrown[0].half() == thrown[1].half() {
		return
	}
	if !x.Opening && !r.inRightHalf(thrown, x.Side) {
		return
	}
	if r.Eyes.View.wrong(r.base()) > 1 {
		return
	}
	r.rollAgain(thrown)
}

// rollAgain takes the two dice for the true ones of the roll.
func (r *Referee) rollAgain(thrown []*die) {
	x := r.Roll
	if x.Opening && thrown[0].half() != r.rightHalf(rules.Light) {
		thrown[0], thrown[1] = thrown[1], thrown[0]
	}
	n := seenNumbers(thrown[0], thrown[1])
	dice := rules.Dice{uint8(n[0]), uint8(n[1])}
	if x.Opening && r.starter(dice) != x.Side {
		return
	}
	x.lie(thrown)
	r.correctRoll(dice)
}

// starter returns who begins with these opening dice, light's first; light when they are equal.
func (r *Referee) starter(d rules.Dice) rules.Side {
	if d[1] > d[0] {
		return rules.Dark
	}
	return rules.Light
}

// rollLies tells whether both dice of the roll are still seen on the board.
func (r *Referee) rollLies() bool {
	for i := range r.Roll.Seen {
		if d := r.Eyes.Dice.find(r.Roll.lying(i).ID); d == nil || d.Missed > 0 {
			return false
		}
	}
	return true
}

// partLifted tells whether a die of the roll is gone, not only overlooked in a picture.
func (r *Referee) partLifted() bool {
	for i := range r.Roll.Seen {
		if r.Eyes.Dice.find(r.Roll.lying(i).ID) == nil {
			return true
		}
	}
	return false
}

// partLies tells whether a die of the roll is still seen on the board.
func (r *Referee) partLies() bool {
	for i := range r.Roll.Seen {
		if r.Eyes.Dice.find(r.Roll.lying(i).ID) != nil {
			return true
		}
	}
	return false
}

// correctRoll puts a misread roll right when the play shows what it was.
func (r *Referee) correctRoll(dice rules.Dice) {
	if sameDice(dice, r.Roll.Dice) {
		r.Roll.Dice = dice
		return
	}
	r.Roll.Dice, r.Match.Game.Dice = dice, dice
	side := r.Roll.Side
	r.Roll.Seq = r.emit(Event{
		Type: Roll, Side: &side, Dice: numbers(dice), Opening: r.Roll.Opening, Why: "corrected", Corrects: r.Roll.Seq,
	})
}

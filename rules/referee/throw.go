package referee

import (
	"slices"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/match"
	"davar/rules/sighting"
)

const (
	// sureValue is how sure the number of a die must be to be taken without waiting for more pictures.
	sureValue = 0.9
	// faultPictures is in how many still pictures a die must lie wrong before the throw is called invalid.
	faultPictures = 5
	// patientRest is after how many still pictures an unsure number is taken all the same: the play will tell.
	patientRest = 6
	// askew is for how long more than it takes for a die to be cocked one is watched that seems to lean a little: nobody
	// is accused, and the roll counts.
	askew = 300 * time.Millisecond
	// loneDie is how long one die lies alone before another one can hardly be of the same throw, and askLone how long before the
	// players are asked for the other one: dice not thrown together (D4) have come to rest by then.
	loneDie = 2500 * time.Millisecond
	askLone = 1800 * time.Millisecond
)

// fault is what is wrong with a die at rest.
type fault struct {
	code   string // D1, D2, D3; "" when it lies well
	why    string // of roll.invalid
	unsure bool   // more pictures are needed
	sure   float64
}

// rightHalf returns the half of the picture that is side's right half from his own chair (DICE-2).
func (r *Referee) rightHalf(side rules.Side) sighting.Place {
	if side.String() == r.Settings.Layout.Bottom {
		return sighting.RightHalf
	}
	return sighting.LeftHalf
}

// faultOf returns what is wrong with a die that side threw (DICE-2 to DICE-4, DICE-8), other being the second one of the
// throw, nil when there is none.
func (r *Referee) faultOf(x, other *die, side rules.Side) fault {
	switch {
	case x.leans() && x.Last-x.First >= r.Settings.CockedHold && x.Leaning >= faultPictures,
		x.Lean >= r.Settings.CockedNear && x.Last-x.First >= r.Settings.CockedHold:
		if x.realBeside(other) < certain {
			return fault{unsure: true}
		}
		return fault{code: "D1", why: "cocked", sure: float64(x.Tilt) / float64(x.Rest)}
	case !x.flat() && x.Last-x.Still < r.Settings.CockedHold+askew:
		return fault{unsure: true}
	}
	place := x.place()
	f := fault{sure: float64(x.Places[place]) / float64(x.Rest)}
	switch {
	case place == sighting.Outside || place == sighting.OnBar:
		f.code, f.why = "D2", "off_board"
	case x.half() != r.rightHalf(side):
		f.code, f.why = "D2", "wrong_half"
	case place == sighting.OnChecker && !r.Settings.OnChecker:
		f.code, f.why = "D3", "on_checker"
	default:
		return f
	}
	if x.Rest < faultPictures || x.realBeside(other) < fallen {
		return fault{unsure: true}
	}
	return f
}

// stepAwait waits for a double or a roll.
func (r *Referee) stepAwait(still bool) {
	if !still {
		return
	}
	r.watchCube()
	r.watchCubeValue()
	r.watchUndone()
	r.watchMissing()
	r.watchSetup()
	if r.stepCube() {
		return
	}
	g := &r.Match.Game
	if g.Phase != match.AwaitRoll {
		return
	}
	if r.Fast != nil && r.fastPlayed() {
		return
	}
	r.glimpse()
	r.noteUnfit()
	r.noteDoubtful(g.Turn)
	if r.Blind != nil && r.playedUnseen(r.Blind.At, r.Blind.By) {
		return
	}
	if g.Position.ClosedOut(g.Turn) {
		r.closedOut()
		return
	}
	r.stepThrow()
}

// stepThrow looks for a throw of the player on roll.
func (r *Referee) stepThrow() {
	side := r.Match.Game.Turn
	fresh := r.ownDice(r.Eyes.Dice.fresh(), side)
	switch {
	case len(fresh) == 0:
		return
	case len(fresh) == 1:
		if x := fresh[0]; x.Last-x.First >= askLone {
			r.oneDie(x, side)
		}
		return
	}
	a, b := r.pair(fresh, side)
	if r.inRightHalf([]*die{a, b}, side.Other()) || r.belong(a, b, side.Other()) {
		if r.playedUnseen(min(a.First, b.First), "throw") || !r.unchanged() || r.dancedUnseen(min(a.First, b.First)) || r.notHisThrow(a, b, side) {
			return
		}
		if r.Lost && r.inRightHalf([]*die{a, b}, side.Other()) {
			r.resume(side.Other()) // who is on roll is only what the board and the dice before suggested
			return
		}
	}
	fa, fb := r.faultOf(a, b, side), r.faultOf(b, a, side)
	switch {
	case fa.unsure || fb.unsure:
		return
	case fa.code != "" || fb.code != "":
		r.invalid(worse(fa, fb), side)
		return
	case r.apart(a, b):
		r.invalid(fault{code: "D4", why: "split", sure: 0.95}, side)
		return
	}
	va, sa := a.value()
	vb, sb := b.value()
	if min(sa, sb) < sureValue && min(a.Rest, b.Rest) < patientRest {
		return
	}
	dice := rules.Dice{uint8(va), uint8(vb)}
	if err := r.Match.Roll(side, dice); err != nil {
		return
	}
	r.Fast = nil
	lifted := r.liftedInDoubt(a, b)
	lone := max(a.First-b.First, b.First-a.First) >= loneDie || !lifted && r.halfSeen(a, b)
	r.rolled(&roll{Side: side, Dice: dice, Seen: [2]die{*a, *b}, Disputed: lone}, sa*sb)
	if lifted {
		r.rule("D5", side, nil)
	}
}

// ownDice returns those of the dice that may be of one throw of side: where each player has his own pair, dice of the
// other's colour beside some of his are no part of it, unless they came to rest with them.
func (r *Referee) ownDice(fresh []*die, side rules.Side) []*die {
	if r.Settings.sets() != 2 || len(fresh) < 2 {
		return fresh
	}
	strange := func(x *die) bool {
		owner, known := x.body()
		return known && owner != side
	}
	own := slices.DeleteFunc(slices.Clone(fresh), strange)
	if len(own) == 0 {
		return fresh
	}
	return slices.DeleteFunc(fresh, func(x *die) bool {
		return strange(x) && !slices.ContainsFunc(own, func(y *die) bool { return x.together(y) })
	})
}

// pair returns the two dice of a throw of side among those that lie fresh, the surest first: where there are more
// than two that are surely dice, those in his right half.
func (r *Referee) pair(fresh []*die, side rules.Side) (a, b *die) {
	if len(fresh) > 2 && fresh[2].real() >= certain {
		var right []*die
		for _, x := range fresh {
			if x.half() == r.rightHalf(side) && x.real() >= certain {
				right = append(right, x)
			}
		}
		if len(right) >= 2 {
			fresh = right
		}
	}
	return fresh[0], fresh[1]
}

// fallen is how probable a die must be to have fallen where it does not count: on checkers or at the edge one is not seen
// as well as on the playing surface.
const fallen = 0.85

// certain is how probable a die must be to rival the two of a throw.
const certain = 0.9

// worse returns the fault that is called when both dice lie wrong: cocked before half before checker.
func worse(a, b fault) fault {
	if a.code == "" || b.code != "" && b.code < a.code {
		return b
	}
	return a
}

// oneDie deals with a die that lies alone for long: the other fell off the table or cannot be seen.
func (r *Referee) oneDie(x *die, side rules.Side) {
	if x.leans() && x.Lean >= r.Settings.CockedHold {
		r.invalid(fault{code: "D1", why: "cocked", sure: 0.9}, side)
		return
	}
	if x.real() >= certain && r.unchanged() && !r.Eyes.Dice.another(x) {
		r.ask(askDie)
	}
}

// belong tells whether the two dice are of side's own pair beyond doubt.
func (r *Referee) belong(a, b *die, side rules.Side) bool {
	ownerA, okA := a.body()
	ownerB, okB := b.body()
	return okA && okB && ownerA == side && ownerB == side && r.Settings.sets() == 2
}

// notHisThrow tells whether the two dice are the other player's, thrown out of turn (D13). Dice of unknown colour
// in the wrong half are the mover's own bad throw instead.
func (r *Referee) notHisThrow(a, b *die, side rules.Side) bool {
	other := side.Other()
	if !r.belong(a, b, other) {
		return false
	}
	if r.mayHaveDanced() || r.throwsAgain(other) || r.guessedOf(other) {
		r.resume(other)
		return true
	}
	if !r.Lost && min(a.Rest, b.Rest) >= faultPictures && pairCertain(a, b) {
		a.Spent, b.Spent = true, true
		r.rule("D13", other, nil)
		r.emit(Event{Type: RollInvalid, Side: &other, Why: "premature", Dice: seenNumbers(a, b)})
	}
	return true
}

// throwsAgain tells whether side's last turn may not have been one: nothing could be played with what was rolled, and it
// lay for so short a time that the players may have called it invalid, or it is not certain what it showed.
func (r *Referee) throwsAgain(side rules.Side) bool {
	if r.hasEnded(side) {
		return false
	}
	l := r.Last
	doubtful := l != nil && (!l.Roll.accepted() || !l.Roll.clear() || l.Roll.inDispute() || l.Roll.Again.Valid())
	return doubtful && l.Roll.Side == side && l.Roll.Seen[0].Rest > 0 && l.Match.Game.Position == *r.base()
}

// guessedOf tells whether the turn before was side's and is only guessed: the throw may be the one of it, unless he has ended
// it himself.
func (r *Referee) guessedOf(side rules.Side) bool {
	return r.Last != nil && r.Last.Guessed && r.Last.Roll.Side == side && !r.hasEnded(side)
}

// hasEnded tells whether side was the last to press, and the other player's time runs.
func (r *Referee) hasEnded(side rules.Side) bool {
	return r.clock != nil && r.Pressed.Side == side && r.clock.View(r.Now).Running == clock.Side(side.Other())
}

// mayHaveDanced tells whether half of a roll of the player on roll was seen, one die at rest, with which he may have had
// nothing to play.
func (r *Referee) mayHaveDanced() bool {
	for i := range r.Glimpsed {
		x := &r.Glimpsed[i]
		if !x.mayHaveLain() {
			continue
		}
		v, _ := x.value()
		for other := uint8(1); other <= 6; other++ {
			if len(r.law.plays(r.base(), r.Match.Game.Turn, rules.Dice{uint8(v), other})) == 0 {
				return true
			}
		}
	}
	return false
}

func seenNumbers(a, b *die) []int {
	m, _ := a.value()
	n, _ := b.value()
	return []int{m, n}
}

// invalid calls a throw invalid and has both dice thrown again (DICE-2).
func (r *Referee) invalid(f fault, side rules.Side) {
	r.emit(Event{Type: RollInvalid, Side: &side, Why: f.why, Confidence: f.sure})
	r.rule(f.code, side, nil)
	r.Doubtful, r.Glimpsed, r.HalfSeen, r.Between = nil, [2]die{}, false, false
	r.Eyes.Dice.spend(r.Now + 1)
}

// rolled begins the moves of a valid roll.
func (r *Referee) rolled(x *roll, sure float64) {
	r.lapse(untilRoll)
	x.At, x.Present = r.Now, x.Seen[0].Rest > 0
	x.Before = r.Eyes.View.To
	x.Disputed, r.Lost = x.Disputed || r.Lost, false
	x.Doubt = r.Unfit
	late := r.asked(lateDouble)
	r.Roll, r.Ended, r.Blind, r.Asked, r.Glimpsed, r.HalfSeen, r.Doubtful = x, nil, nil, nil, [2]die{}, false, nil
	r.Between = false
	if late {
		r.Asked = []string{"C1"} // that was said of this throw already
	}
	side := x.Side
	x.Seq = r.emit(Event{Type: Roll, Side: &side, Dice: numbers(x.Dice), Opening: x.Opening, Confidence: round(sure)})
	r.Notice = ""
	r.enter(phaseRolled)
}

// closedOut passes the turn of a player against a closed board without a roll (ENTER-7); with a clock he presses
// to pass (CLOCK-10).
func (r *Referee) closedOut() {
	side := r.Match.Game.Turn
	if !r.open("D10") && !r.asked("D10") {
		r.Asked = append(r.Asked, "D10")
		r.rule("D10", side, nil)
	}
	switch {
	case !r.Settings.timed():
		r.forfeit()
	case r.Settings.NoClosedOutPress:
		r.forfeit()
		r.startClock(side.Other())
	}
}

func (r *Referee) forfeit() {
	side := r.Match.Game.Turn
	if err := r.Match.Forfeit(); err != nil {
		return
	}
	r.emit(Event{Type: TurnEnded, Side: &side})
	r.Roll, r.Ended, r.Asked = nil, nil, nil
	r.enter(phaseAwait)
}

// asked tells whether that has been said or asked in this turn.
func (r *Referee) asked(why string) bool { return slices.Contains(r.Asked, why) }

// once tells whether that has not been said in this turn yet; it counts as said from now on.
func (r *Referee) once(what string) bool {
	if r.asked(what) {
		return false
	}
	r.Asked = append(r.Asked, what)
	return true
}

// round keeps a confidence to four places, so that events stay readable.
func round(p float64) float64 { return float64(int(p*1e4+0.5)) / 1e4 }

// inRightHalf tells whether all these dice lie in the right half of side.
func (r *Referee) inRightHalf(all []*die, side rules.Side) bool {
	for _, x := range all {
		if x.half() != r.rightHalf(side) {
			return false
		}
	}
	return true
}

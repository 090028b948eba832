package referee

import (
	"math"
	"time"

	"davar/rules"
	"davar/rules/match"
)

const (
	// unclearAfter is how long the board may lie still after the turn's end without a clear reading before the
	// players are asked.
	unclearAfter = 2500 * time.Millisecond
	// givesUpAfter is how long after the turn's end the referee goes on with the likeliest play, having asked.
	givesUpAfter = 8 * time.Second
	// pressGrace is how long before the press a throw may first be seen without being a fast roll: the camera's
	// and the button's times need not agree to the last tenth.
	pressGrace = 500 * time.Millisecond
	// ruleStill is for how long a position must have been seen to be held against a player.
	ruleStill = 700 * time.Millisecond
	// liftSure is how long dice must be out of sight before a play is held against their owner: a hand may lie over
	// them.
	liftSure = 1200 * time.Millisecond
)

// base returns the position before the turn.
func (r *Referee) base() *rules.Position { return &r.Match.Game.Position }

// stepRolled follows a turn from the roll to its end. Nothing is judged before that (TURN-4).
func (r *Referee) stepRolled(still bool) {
	r.followRoll()
	if still {
		r.notePosition()
		r.recheckLast()
		r.watchRolling()
		r.watchFastRoll()
		r.watchRethrow()
		r.watchCube()
		r.watchLateDouble()
		r.watchClock()
	}
	if !r.Settings.timed() && still {
		r.watchLift()
	}
	if r.Ended != nil && still {
		r.judge()
	}
}

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
	d := (v.To - v.From) / time.Duration(v.Pictures-1)
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

// clear tells whether the numbers of the roll were seen beyond the eye's own doubt.
func (x *roll) clear() bool { return x.Seen[0].clear() && x.Seen[1].clear() }

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
		if d := r.Eyes.Dice.find(x.Seen[i].ID); d != nil && x.Seen[i].ID != 0 {
			x.Seen[i] = *d
			seen++
		}
	}
	if x.Replay && !x.Present && seen == 0 {
		r.adoptReplayed()
	}
}

// adoptReplayed knows the dice of a turn to be played anew when they are put back on the board (IRREG-5).
func (r *Referee) adoptReplayed() {
	fresh := r.Eyes.Dice.fresh()
	if len(fresh) != 2 {
		return
	}
	n := seenNumbers(fresh[0], fresh[1])
	d := rules.Dice{uint8(n[0]), uint8(n[1])}
	if d == r.Roll.Dice || d == (rules.Dice{r.Roll.Dice[1], r.Roll.Dice[0]}) {
		r.Roll.Dice, r.Roll.Seen, r.Roll.Present = d, [2]die{*fresh[0], *fresh[1]}, true
	}
}

// watchLift ends the turn when the dice of the roll have been lifted (TURN-2). Dice that lie there again as before
// were only hidden.
func (r *Referee) watchLift() {
	x := r.Roll
	if r.Ended != nil {
		if r.Ended.By == "lift" && !x.Opening && r.rollLies() {
			r.Ended = nil
		}
		return
	}
	if !x.Present {
		r.watchNextThrow()
		return
	}
	last := time.Duration(0)
	for i := range x.Seen {
		if x.Opening && rules.Side(i) != x.Side {
			continue // the other player's die may stay where it is (OPEN-7)
		}
		if d := r.Eyes.Dice.find(x.Seen[i].ID); d != nil {
			return
		}
		last = max(last, x.Seen[i].Last)
	}
	r.endTurn(last+1, "lift")
}

// watchNextThrow ends the turn of a player whose dice were not seen when the other one throws.
func (r *Referee) watchNextThrow() {
	if fresh := r.Eyes.Dice.fresh(); len(fresh) == 2 && r.inRightHalf(fresh, r.Roll.Side.Other()) {
		r.endTurn(min(fresh[0].First, fresh[1].First), "throw")
	}
}

func (r *Referee) inRightHalf(all []*die, side rules.Side) bool {
	for _, x := range all {
		if x.half() != r.rightHalf(side) {
			return false
		}
	}
	return true
}

// endTurn takes the signal that ends the turn.
func (r *Referee) endTurn(at time.Duration, by string) {
	r.Ended = &ending{At: at, By: by}
	if by == "press" {
		r.tellEnd()
	}
}

// tellEnd announces once that the turn has ended. Lifted dice may turn out to have been hidden only, so that waits for
// the judgement.
func (r *Referee) tellEnd() {
	if r.Ended != nil && !r.Ended.Told {
		r.Ended.Told = true
		side := r.Roll.Side
		r.emit(Event{Type: TurnEnded, Side: &side})
	}
}

// watchFastRoll looks for a throw of the other player before the turn has ended (DICE-12).
func (r *Referee) watchFastRoll() {
	if r.Ended != nil || r.Fast != nil {
		return
	}
	other := r.Roll.Side.Other()
	var thrown []*die
	for _, x := range r.Eyes.Dice.fresh() {
		if x.ID != r.Roll.Seen[0].ID && x.ID != r.Roll.Seen[1].ID && x.half() == r.rightHalf(other) && x.real() >= certain {
			thrown = append(thrown, x)
		}
	}
	if len(thrown) != 2 || thrown[0].LeanAt != 0 || thrown[1].LeanAt != 0 || !r.Settings.timed() && !r.rollLies() {
		return
	}
	n := seenNumbers(thrown[0], thrown[1])
	r.Fast = &fastRoll{
		Side: other, Dice: rules.Dice{uint8(n[0]), uint8(n[1])}, Seen: [2]die{*thrown[0], *thrown[1]},
	}
	thrown[0].Spent, thrown[1].Spent = true, true
	r.emit(Event{Type: RollInvalid, Side: &other, Why: "premature", Dice: n})
	r.Fast.Ruling = r.rule("D6", other, map[string]string{"other": r.Roll.Side.String()})
}

// rollingOn is how long after two dice came to rest others may come to rest in their place and still be the same
// throw: dice that seemed to lie were still in the air or rolling.
const rollingOn = 2 * time.Second

// watchRolling corrects a roll whose dice rolled on: both are gone, nothing was moved, and two others lie in the same
// half sooner than anybody could have thrown again.
func (r *Referee) watchRolling() {
	x := r.Roll
	if r.Ended != nil || x.Replay || x.Seen[0].Rest == 0 {
		return
	}
	var thrown []*die
	for _, d := range r.Eyes.Dice.fresh() {
		if d.ID == x.Seen[0].ID || d.ID == x.Seen[1].ID {
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
	x.Seen = [2]die{*thrown[0], *thrown[1]}
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
		if d := r.Eyes.Dice.find(r.Roll.Seen[i].ID); d == nil || d.Missed > 0 {
			return false
		}
	}
	return true
}

// judge looks what the turn led to, once it has ended and the board lies still.
func (r *Referee) judge() {
	v := &r.Eyes.View
	if v.Pictures < leastPictures {
		return
	}
	w := r.weigh(v)
	switch {
	case w.legal() && (!w.reread() || r.Roll.seenFor(&w.Legal.Play.Final) >= ruleStill):
		r.acceptBest(&w)
	case w.nothing():
		r.nothingPlayed(v, &w)
	case w.illegal(v) && r.Roll.seenFor(&w.Literal) >= ruleStill:
		r.illegal(v, &w)
	default:
		r.unclear(v, &w)
	}
}

// illegal rules on an illegal play, unless the next throw has closed the window on it already (IRREG-6).
func (r *Referee) illegal(v *evidence, w *weighing) {
	switch {
	case r.throwsNext():
		r.breached(w, true)
		r.stand()
	case r.Ended.By != "lift" || v.To >= r.Ended.At+liftSure:
		r.breached(w, false)
	}
}

// legal tells whether a legal play explains the pictures well and clearly better than anything else.
func (w *weighing) legal() bool {
	if (w.Wrong&^w.Doubt).count() > 1 || w.Wrong.count() > 2 || w.Legal.Score-w.Second < clearLead {
		return false
	}
	if !w.Stays && w.Nothing > w.Legal.Score-clearLead {
		return false
	}
	if w.reread() && (w.Legal.Score < w.Read.Score+clearLead || w.Clear && w.Whole && w.Legal.Score < w.Literly+clearLead) {
		return false // that the play is illegal is as likely as that something was misread
	}
	return !w.Whole || w.Literal == w.Legal.Play.Final || w.Wrong == 0 || w.Legal.Score > w.Literly-ruleLead
}

// nothing tells whether the board looks as before the turn, although something must be played.
func (w *weighing) nothing() bool {
	return !w.Stays && w.Nothing > w.Legal.Score+clearLead && w.Bound-w.Nothing < clearLead-nothingMoved
}

// illegal tells whether an illegal position explains the pictures so well and every legal one so badly that it
// may be held against the player (DESIGN §2.1). Places where the pictures contradicted the position before the moves
// already speak against no play.
func (w *weighing) illegal(v *evidence) bool {
	if !w.Whole || !w.Clear || w.Unseen != 0 || v.Pictures < rulePictures || w.Doubt.count() > 2 {
		return false
	}
	wrong, _ := v.misfits(&w.Literal)
	if wrong.count() > 1 || (w.ReadOff&^w.Doubt).count() < ruleWrong+(wrong&^w.Doubt).count() {
		return false
	}
	return w.Literly-w.Legal.Score >= ruleLead
}

// confidence returns how probable the best legal play is among all explanations.
func (w *weighing) confidence() float64 {
	rest := math.Exp(w.Second - w.Legal.Score)
	if !w.Stays {
		rest += math.Exp(w.Nothing - w.Legal.Score)
	}
	if w.Whole && w.Literal != w.Legal.Play.Final {
		rest += math.Exp(min(w.Literly-w.Legal.Score, 0))
	}
	return 1 / (1 + rest)
}

// nothingPlayed deals with a turn's end without a move. Dice out of view need not have been lifted: the turn then
// goes on. After a press it is an incomplete play (M1).
func (r *Referee) nothingPlayed(v *evidence, w *weighing) {
	if v.To-r.Ended.At < time.Second || v.Pictures < rulePictures {
		return
	}
	w.Literal, w.Whole = *r.base(), true
	switch {
	case r.Ended.By == "press" && len(r.Roll.Readings) <= 1 && w.Clear:
		r.breached(w, false)
	case r.Ended.By == "press":
		r.ask("not_seen") // moved, and put back after the press
	case r.throwsNext():
		r.breached(w, true)
		r.stand()
	}
}

// correctRoll puts a misread roll right when the play shows what it was.
func (r *Referee) correctRoll(dice rules.Dice) {
	if dice == r.Roll.Dice {
		return
	}
	r.Roll.Dice, r.Match.Game.Dice = dice, dice
	side := r.Roll.Side
	r.emit(Event{Type: Roll, Side: &side, Dice: numbers(dice), Opening: r.Roll.Opening, Why: "corrected"})
}

// throwsNext tells whether the other player has thrown: two dice lie in his right half.
func (r *Referee) throwsNext() bool {
	fresh := r.Eyes.Dice.fresh()
	return len(fresh) == 2 && r.inRightHalf(fresh, r.Roll.Side.Other())
}

// unclear asks the players to show the board when it has lain still for long without a clear reading (X1).
func (r *Referee) unclear(v *evidence, w *weighing) {
	if v.To-max(v.From, r.Ended.At) >= unclearAfter && v.Pictures >= 3*leastPictures {
		r.ask("not_seen")
	}
	goneOn := r.throwsNext() && v.Pictures >= 2*leastPictures
	if !goneOn && (v.To-r.Ended.At < givesUpAfter || v.To-v.From < ruleStill) {
		return
	}
	switch {
	case goneOn && w.Whole && w.Clear && w.reread() && w.Literly > w.Legal.Score+clearLead:
		r.breached(w, true)
		r.stand()
	case w.Wrong.count() <= 2:
		r.acceptBest(w) // play has gone on: the likeliest is the base of the next turn
	default:
		r.resume(r.Roll.Side.Other())
	}
}

// acceptBest closes the turn with the play that explains the pictures best, and puts right before what it shows to
// have been misread: the turn before, or the roll.
func (r *Referee) acceptBest(w *weighing) {
	if w.Legal.Base != *r.base() {
		r.correctLast(&w.Legal.Base)
	}
	r.correctRoll(w.Legal.Dice)
	r.accept(&w.Legal.Play, w.confidence())
}

// recheckLast looks, once the next player has rolled and before he moves, whether the turn before really led where it
// seemed to.
func (r *Referee) recheckLast() {
	v := &r.Eyes.View
	if v.From > r.Roll.At || r.Roll.Replay {
		return // moved since
	}
	r.Roll.Doubt, _ = v.misfits(r.base())
	if r.Roll.Doubt == 0 || v.Pictures != rulePictures || r.Last == nil || r.Last.Roll.Side == r.Roll.Side {
		return
	}
	now, roll := r.Match, r.Roll
	last := *r.Last
	r.Match, r.Roll, r.Last = last.Match, &last.Roll, nil
	w := r.weigh(v)
	r.Match, r.Roll, r.Last = now, roll, &last
	if w.Wrong != 0 || !w.legal() || w.Legal.Play.Final == *r.base() {
		return
	}
	r.correctLastRoll(w.Legal.Dice)
	r.correctLastBy(&w.Legal.Play)
	r.Roll.Doubt, _ = v.misfits(r.base())
}

// correctLast gives the turn before another result, which what followed shows to be the true one.
func (r *Referee) correctLast(final *rules.Position) {
	for i := range r.Last.Others {
		if o := r.Last.Others[i]; o.Play.Final == *final {
			r.correctLastRoll(o.Dice)
			r.correctLastBy(&o.Play)
			return
		}
	}
}

// correctLastRoll puts right the roll of the turn before.
func (r *Referee) correctLastRoll(dice rules.Dice) {
	x := &r.Last.Roll
	if dice != x.Dice {
		x.Dice = dice
		side := x.Side
		r.emit(Event{Type: Roll, Side: &side, Dice: numbers(dice), Opening: x.Opening, Why: "corrected"})
	}
}

// correctLastBy gives the turn before that play.
func (r *Referee) correctLastBy(play *rules.Play) {
	last, legal := r.Last.Roll.Side, true
	e := Event{
		Type: PlayMade, Side: &last, Dice: numbers(r.Last.Roll.Dice), Notation: play.String(),
		Position: play.Final.ID(last), Legal: &legal, Why: "corrected",
	}
	seq := r.emit(e)
	if n := r.Last.Plays; n < len(r.Plays) {
		r.Plays[n] = LastPlay{
			Seq: seq, Side: last.String(), Dice: e.Dice, Notation: e.Notation, Position: e.Position, Legal: true,
		}
	}
	r.Match.Game.Position, r.Current = play.Final, play.Final
}

// accept closes the turn with a legal play.
func (r *Referee) accept(play *rules.Play, sure float64) {
	r.tellEnd()
	if r.Breach != nil {
		r.withdraw(r.Breach.Ruling)
	}
	r.record(play, true, sure)
	r.closeTurn(play.Final)
}

// record writes the play into the history and the list of plays.
func (r *Referee) record(play *rules.Play, legal bool, sure float64) {
	x := r.Roll
	r.Last = &closedTurn{Match: r.Match, Roll: *x, Plays: len(r.Plays)}
	if legal {
		r.Last.Others = r.others(&r.Eyes.View, play)
	}
	side := x.Side
	e := Event{
		Type: PlayMade, Side: &side, Dice: numbers(x.Dice), Notation: play.String(),
		Position: play.Final.ID(side), Legal: &legal, Confidence: round(sure),
	}
	if play.Final == *r.base() && legal {
		e.Type, e.Legal = Dance, nil
	}
	seq := r.emit(e)
	r.Plays = append(r.Plays, LastPlay{
		Seq: seq, Side: side.String(), Dice: numbers(x.Dice), Notation: e.Notation, Position: e.Position, Legal: legal,
	})
}

// closeTurn makes final the base of the next turn, or ends the game.
func (r *Referee) closeTurn(final rules.Position) {
	if err := r.Match.Play(final); err != nil {
		return
	}
	r.Current = final
	r.Eyes.Dice.spend(r.spentBefore())
	r.Roll, r.Ended, r.Breach, r.Blind, r.Asked, r.Notice = nil, nil, nil, nil, nil, ""
	r.Glimpsed = [2]die{}
	if r.Match.Game.Phase >= match.GameOver {
		r.gameOver()
		return
	}
	if r.Fast != nil && r.Settings.FastRoll != "opponent_choice" {
		r.settle(r.Fast.Ruling)
		r.Fast = nil
	}
	r.enter(phaseAwait)
}

// spentBefore returns the time before which dice that lay on the table belong to the turn that ended.
func (r *Referee) spentBefore() time.Duration {
	if r.Ended == nil {
		return r.Now
	}
	if r.Ended.By == "press" {
		return r.Ended.At - pressGrace
	}
	return r.Ended.At
}

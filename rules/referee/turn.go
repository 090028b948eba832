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
	// pressGrace is how long before the press a throw may first be seen without being a fast roll: the camera's
	// and the button's times need not agree to the last tenth.
	pressGrace = 500 * time.Millisecond
)

// base returns the position before the turn.
func (r *Referee) base() *rules.Position { return &r.Match.Game.Position }

// stepRolled follows a turn from the roll to its end. Nothing is judged before that (TURN-4).
func (r *Referee) stepRolled(still bool) {
	r.followRoll()
	if still {
		r.watchFastRoll()
	}
	if r.Ended == nil && !r.Settings.timed() && still {
		r.watchLift()
	}
	if r.Ended != nil && still {
		r.judge()
	}
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

// watchLift ends the turn when the dice of the roll have been lifted (TURN-2).
func (r *Referee) watchLift() {
	x := r.Roll
	if !x.Present {
		r.watchNextThrow()
		return
	}
	last := time.Duration(0)
	for i := range x.Seen {
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
	side := r.Roll.Side
	r.emit(Event{Type: TurnEnded, Side: &side})
}

// watchFastRoll looks for a throw of the other player before the turn has ended (DICE-12).
func (r *Referee) watchFastRoll() {
	if r.Ended != nil || r.Fast != nil {
		return
	}
	other := r.Roll.Side.Other()
	var thrown []*die
	for _, x := range r.Eyes.Dice.fresh() {
		if x.ID != r.Roll.Seen[0].ID && x.ID != r.Roll.Seen[1].ID && x.half() == r.rightHalf(other) {
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
	case w.legal():
		r.correctRoll(w.Legal.Dice)
		r.accept(&w.Legal.Play, w.confidence())
	case w.nothing():
		r.nothingPlayed(v, &w)
	case w.illegal(v):
		r.breached(&w)
	default:
		r.unclear(v, &w)
	}
}

// legal tells whether a legal play explains the pictures well and clearly better than anything else.
func (w *weighing) legal() bool {
	if w.Wrong > 1 || w.Legal.Score-w.Second < clearLead {
		return false
	}
	if !w.Stays && w.Nothing > w.Legal.Score-clearLead {
		return false
	}
	return !w.Whole || w.Literal == w.Legal.Play.Final || w.Wrong == 0 || w.Legal.Score > w.Literly-ruleLead
}

// nothing tells whether the board looks as before the turn, although something must be played.
func (w *weighing) nothing() bool {
	return !w.Stays && w.Nothing > w.Legal.Score+clearLead && w.Bound-w.Nothing < clearLead-nothingMoved
}

// illegal tells whether an illegal position explains the pictures so well and every legal one so badly that it
// may be held against the player (DESIGN §2.1).
func (w *weighing) illegal(v *evidence) bool {
	if !w.Whole || w.Unseen > 0 || w.Wrong < ruleWrong || v.Pictures < rulePictures {
		return false
	}
	wrong, _ := v.misfits(&w.Literal)
	if wrong > 1 || w.Wrong < ruleWrong+wrong {
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
	if v.To-r.Ended.At < time.Second {
		return
	}
	w.Literal, w.Whole = *r.base(), true
	if v.Pictures >= rulePictures {
		r.breached(w)
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

// unclear asks the players to show the board when it has lain still for long without a clear reading (X1).
func (r *Referee) unclear(v *evidence, w *weighing) {
	if v.To-max(v.From, r.Ended.At) >= unclearAfter && v.Pictures >= 3*leastPictures {
		r.ask("not_seen")
	}
	if fresh := r.Eyes.Dice.fresh(); len(fresh) == 2 && r.inRightHalf(fresh, r.Roll.Side.Other()) && w.Wrong <= 2 {
		r.accept(&w.Legal.Play, w.confidence()) // play has gone on: the likeliest is the base of the next turn
	}
}

// accept closes the turn with a legal play.
func (r *Referee) accept(play *rules.Play, sure float64) {
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
	r.Roll, r.Ended, r.Breach, r.Asked, r.Notice = nil, nil, nil, nil, ""
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

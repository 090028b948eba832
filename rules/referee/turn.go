package referee

import (
	"time"

	"davar/rules"
	"davar/rules/match"
)

const (
	// unclearAfter is how long the board may lie still after the turn's end without a clear reading before the
	// players are asked.
	unclearAfter = 1800 * time.Millisecond
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
		r.watchStarter()
		r.watchSetup()
		r.recheckLast()
		r.watchRolling()
		r.watchShifted()
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
		if d := r.Eyes.Dice.find(x.lying(i).ID); d != nil {
			return
		}
		last = max(last, x.lying(i).Last)
	}
	r.endTurn(last+1, "lift")
}

// watchNextThrow ends the turn of a player whose dice were not seen when the other one throws. One die of that throw is
// enough after a complete play.
func (r *Referee) watchNextThrow() {
	switch fresh := r.Eyes.Dice.fresh(); {
	case len(fresh) == 2 && r.inRightHalf(fresh, r.Roll.Side.Other()):
		r.endTurn(min(fresh[0].First, fresh[1].First), "throw")
	case len(fresh) == 1 && r.loneOfNext(fresh[0], r.Since) && r.completeSince(fresh[0].First):
		r.endTurn(fresh[0].First, "throw")
	}
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

// acceptBest closes the turn with the play that explains the pictures best, and puts right before what it shows to
// have been misread: the turn before, or the roll.
func (r *Referee) acceptBest(w *weighing) {
	if w.Legal.Base != *r.base() {
		r.correctLast(&w.Legal.Base)
	}
	r.correctRoll(w.Legal.Dice)
	r.accept(&w.Legal.Play, w.confidence())
	if r.Last != nil {
		r.Last.Guessed = !w.legal()
	}
}

// accept closes the turn with a legal play.
func (r *Referee) accept(play *rules.Play, sure float64) {
	r.tellEnd()
	if r.Breach != nil {
		r.withdraw(r.Breach.Ruling)
	}
	r.watchFound(&play.Final)
	r.record(play, true, sure)
	r.closeTurn(play.Final)
}

// record writes the play into the history and the list of plays.
func (r *Referee) record(play *rules.Play, legal bool, sure float64) {
	x := r.Roll
	r.Last = &closedTurn{Match: r.Match, Roll: *x, Plays: len(r.Plays), Touched: r.Ended != nil && r.Ended.By == "touch"}
	r.Last.Wrong, _ = r.Eyes.View.misfits(&play.Final)
	if legal && !r.Last.Touched {
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
	r.remember(seq, play.Final, legal)
	r.Plays = append(r.Plays, LastPlay{
		Seq: seq, Side: side.String(), Dice: numbers(x.Dice), Notation: e.Notation, Position: e.Position, Legal: legal,
	})
}

// closeTurn makes final the base of the next turn, or ends the game.
func (r *Referee) closeTurn(final rules.Position) {
	before := *r.base()
	if err := r.Match.Play(final); err != nil {
		return
	}
	r.Current = final
	if r.Roll != nil && final != before {
		r.Eyes.Dice.spend(r.Roll.Unmoved) // what lay there before the moves is no throw of the next player
	}
	r.Eyes.Dice.spend(r.spentBefore())
	r.Roll, r.Ended, r.Breach, r.Blind, r.Asked, r.Notice = nil, nil, nil, nil, nil, ""
	r.Glimpsed, r.HalfSeen, r.Doubtful, r.Covering = [2]die{}, false, nil, nil
	r.Unfit, r.Between = 0, false
	if r.Last != nil {
		r.Unfit = r.Last.Wrong
	}
	r.lapse(untilPlayed)
	r.setupStands()
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
	switch r.Ended.By {
	case "press":
		return r.Ended.At - pressGrace
	case "touch":
		return r.Now + 1 // they lie there still
	}
	return r.Ended.At
}

package referee

import (
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/match"
)

// decide takes a person's word (DIR-5): it is logged and takes effect.
func (r *Referee) decide(d *Decision) {
	side := d.Side
	e := Event{Type: DecisionMade, What: d.What, By: d.By, Side: &side, Why: d.Why, Points: d.Points, Score: d.Score}
	if d.Position != nil {
		e.Position = d.Position.ID(side)
	}
	r.emit(e)
	switch d.What {
	case DecideStart:
		r.decideStart(side)
	case DecideReplay:
		r.decideReplay(d)
	case DecideRethrow:
		r.decideRethrow()
	case DecideStand:
		r.decideStand(side)
	case DecidePause:
		r.decidePause(pauseReason(d.Why))
	case DecideResume:
		r.resumeClock()
	case DecideDouble:
		if r.Phase == phaseAwait {
			r.double(side)
		}
	case DecideTake:
		r.take(side)
	case DecideDrop:
		r.drop(side)
	case DecideNext:
		r.decideNext()
	case DecideScore:
		r.decideScore(d.Score)
	case DecideSet:
		r.decideSet(d)
	case DecideResign:
		r.decideResign(d)
	case DecideAdjust:
		r.decideAdjust(d)
	case DecideRoll:
		r.decideRoll(d)
	case DecideCube:
		r.decideCube(d)
	case DecideUndo:
		r.decideUndo(d)
	case DecideExclude:
		r.decideExclude(d)
	}
}

// decidePause stops the clocks; a break is had once a match, between games (PROC-2).
func (r *Referee) decidePause(why clock.Reason) {
	if why == clock.Break {
		if r.Phase != phaseOver || r.Breaks > 0 {
			r.rule("P2", rules.Light, nil)
			return
		}
		r.Breaks++
	}
	r.pauseClock(why)
}

func pauseReason(why string) clock.Reason {
	switch c := clock.Reason(why); c {
	case clock.Ruling, clock.DieOffTable, clock.Break, clock.Resignation, clock.Agreed, clock.Fault:
		return c
	}
	return clock.Director
}

// decideStart puts side on roll in a game whose opening roll was not seen.
func (r *Referee) decideStart(side rules.Side) {
	if r.Match.Game.Phase >= match.GameOver {
		return
	}
	if r.Phase == phaseSetup {
		r.takePosition()
	}
	if err := r.Match.Begin(side); err != nil {
		return
	}
	if r.Breach != nil {
		r.settle(r.Breach.Ruling)
	}
	r.Roll, r.Ended, r.Breach, r.Fast, r.Blind, r.Asked, r.Notice = nil, nil, nil, nil, nil, nil, ""
	r.Current = *r.base()
	r.gameStarted(side, rules.Dice{})
	r.Eyes.Dice.spend(r.Now - pressGrace)
	r.startClock(side)
	r.enter(phaseAwait)
}

// takePosition takes what the pictures show for the position of the game, if they show a possible one.
func (r *Referee) takePosition() {
	v := &r.Eyes.View
	start := rules.Start(r.Match.Options.Rules.Variant)
	pos := start
	if v.Pictures >= setupPictures && v.wrong(&start) > 1 {
		if seen, _ := v.literal(&start, rules.Light); seen.Check([2]int{}) == nil {
			pos = seen
		}
	}
	r.Match.Game.Position, r.Current = pos, pos
}

// decideReplay has side play his turn anew with the same roll (IRREG-5).
func (r *Referee) decideReplay(d *Decision) {
	switch {
	case r.Roll != nil && r.Roll.Side == d.Side:
		if r.Breach != nil {
			r.settle(r.Breach.Ruling)
		}
		if r.Ended == nil {
			return // not ended yet: he may still change his play anyway (TURN-4)
		}
	case r.Last != nil && r.Last.Roll.Side == d.Side:
		roll := r.Last.Roll
		r.Match, r.Roll = r.Last.Match, &roll
		r.Plays = r.Plays[:r.Last.Plays]
		r.Last = nil
	default:
		return
	}
	pressed := r.Ended == nil || r.Ended.By == "press"
	r.Current = *r.base()
	r.Ended, r.Breach, r.Fast, r.Asked, r.Notice = nil, nil, nil, nil, ""
	r.Roll.Replay, r.Roll.Readings = true, nil
	r.Roll.Present = r.rollLies()
	if pressed {
		r.undoPress(d.Side, d.By, d.Ruling)
	}
	r.enter(phaseRolled)
}

// decideRethrow voids a fast roll, or the roll in question (DICE-12).
func (r *Referee) decideRethrow() {
	switch {
	case r.Fast != nil:
		r.settle(r.Fast.Ruling)
		r.Fast = nil
	case r.Roll != nil && r.Ended == nil:
		g := &r.Match.Game
		g.Phase, g.Dice = match.AwaitRoll, rules.Dice{}
		r.Roll = nil
		r.Eyes.Dice.spend(r.Now + 1)
		r.enter(phaseAwait)
	}
	r.settleCodes("D7", "D9")
}

// decideStand lets a fast roll or an illegal play stand.
func (r *Referee) decideStand(side rules.Side) {
	switch {
	case r.Breach != nil:
		r.stand()
	case r.Fast != nil && r.Phase == phaseAwait:
		r.standFast()
	case r.Phase == phaseRolled && r.Ended != nil:
		// The players confirm what was asked about: the likeliest play.
		if w := r.weigh(&r.Eyes.View); r.Eyes.View.Pictures >= leastPictures && w.Wrong.count() <= ruleWrong {
			r.acceptBest(&w)
		}
	}
}

// standFast makes the fast roll the roll of the turn.
func (r *Referee) standFast() {
	f := r.Fast
	if err := r.Match.Roll(f.Side, f.Dice); err != nil {
		return
	}
	r.settle(f.Ruling)
	r.Fast = nil
	r.rolled(&roll{Side: f.Side, Dice: f.Dice, Seen: f.Seen}, 0.99)
	r.Roll.Present = r.rollLies()
}

// decideNext agrees on the score (SCORE-4).
func (r *Referee) decideNext() {
	r.Agreed = true
	r.settleCodes("S3", "S4")
}

// decideScore sets the score (SCORE-5).
func (r *Referee) decideScore(s *Score) {
	if s != nil {
		_ = r.Match.SetScore([2]int{s.Light, s.Dark}, r.Match.CrawfordDone && !r.Match.Game.Crawford)
	}
}

// decideSet sets the position and who is on roll.
func (r *Referee) decideSet(d *Decision) {
	if d.Position == nil || d.Position.Check(r.Match.Game.Excluded) != nil || r.Match.Game.Phase >= match.GameOver {
		return
	}
	r.Match.Game.Position, r.Current = *d.Position, *d.Position
	r.settleCodes("M9", "S1", "S2")
	r.decideStart(d.Side)
	r.Current = *d.Position
}

// decideResign ends the game by concession (END-8, END-9).
func (r *Referee) decideResign(d *Decision) {
	err := r.Match.Resign(d.Side, rules.Win(d.Points))
	switch {
	case err == nil:
		r.gameOver()
	case r.Match.Game.Phase < match.GameOver:
		r.rule("S5", d.Side, nil)
	}
}

// decideAdjust sets a side's reserve.
func (r *Referee) decideAdjust(d *Decision) {
	if r.clock == nil {
		return
	}
	changes, _ := r.clock.Adjust(r.Now, clock.Side(d.Side), time.Duration(d.RemainingMS)*time.Millisecond, d.By, d.Why)
	r.clockChanged(changes)
}

package referee

import (
	"davar/rules"
	"davar/rules/match"
	"slices"
)

// decide takes a person's word (DIR-5): it is logged and takes effect, or is refused and changes nothing.
func (r *Referee) decide(d *Decision) {
	said, seq := len(r.out), r.Seq
	decided := r.Phase == phaseMatch
	r.emit(r.decision(DecisionMade, d))
	if err := r.carryOut(d); err != nil {
		r.out, r.Seq = r.out[:said], seq
		e := r.decision(DecisionRefused, d)
		e.Refusal = err.Error()
		r.emit(e)
		return
	}
	if decided && r.Phase != phaseMatch {
		r.emit(Event{Type: MatchReopened, Score: r.score()})
	}
}

// decision returns the event that says who decided what, and why.
func (r *Referee) decision(kind string, d *Decision) Event {
	e := Event{
		Type: kind, What: d.What, By: d.By, Why: d.Why, Points: d.Points, Score: d.Score, Dice: d.Dice,
		Cube: d.Cube, Corrects: d.Seq, Transaction: d.Transaction,
	}
	if d.What == DecideCube && d.Owner != nil && *d.Owner <= rules.Dark {
		owner := *d.Owner
		e.Owner = &owner
	}
	if side := d.Side; side <= rules.Dark {
		e.Side = &side
		if d.Position != nil && max(d.Position.InPlay(rules.Light), d.Position.InPlay(rules.Dark)) <= rules.Checkers {
			e.Position = d.Position.ID(side)
		}
	}
	if d.What == DecideUndo {
		e.Corrects = r.backToSeq(d)
	}
	return e
}

// refusal says why a decision is not carried out.
type refusal string

// Error returns the reason.
func (why refusal) Error() string { return string(why) }

// carryOut does what was decided. On an error nothing has been changed.
func (r *Referee) carryOut(d *Decision) error {
	if d.Side > rules.Dark {
		return refusal("there is no such side")
	}
	if alone(d) {
		return refusal("the director or both players together decide that, not one player (DIR-5)")
	}
	if d.Seq != 0 && d.What != DecideUndo && d.What != DecideAgain && d.What != DecideCrawford {
		return r.correctPast(d)
	}
	switch d.What {
	case DecideStart:
		return r.decideStart(d.Side)
	case DecideReplay:
		return r.decideReplay(d)
	case DecideRethrow:
		return r.decideRethrow(d)
	case DecideStand:
		return r.decideStand(d)
	case DecideOverrule:
		return r.decideOverrule(d.Ruling)
	case DecidePause:
		return r.decidePause(pauseReason(d.Why))
	case DecideResume:
		return r.decideResume()
	case DecideDouble, DecideTake, DecideDrop:
		return r.decideCubeAction(d)
	case DecideNext:
		return r.decideNext()
	case DecideScore:
		return r.decideScore(d.Score)
	case DecideSet:
		return r.decideSet(d)
	case DecideResign:
		return r.decideResign(d)
	case DecideAdjust:
		return r.decideAdjust(d)
	case DecideOvertime, DecideForfeit:
		return r.decideTime(d)
	case DecideRoll:
		return r.decideRoll(d)
	case DecideCube:
		return r.decideCube(d)
	case DecideUndo:
		return r.decideUndo(d)
	case DecideAgain:
		return r.decideAgain(d)
	case DecideCrawford:
		return r.decideCrawford(d)
	case DecideExclude:
		return r.decideExclude(d)
	}
	return refusal("there is no decision of that name")
}

// alone tells whether a player decides by himself what only the director or both players can: not what he does with
// the cube or his own game.
func alone(d *Decision) bool {
	var by rules.Side
	if by.UnmarshalText([]byte(d.By)) != nil {
		return false
	}
	switch d.What {
	case DecideDouble, DecideTake, DecideDrop, DecideResign:
		return by != d.Side
	}
	return true
}

// decideStart puts side on roll in a game whose opening roll was not seen.
func (r *Referee) decideStart(side rules.Side) error {
	if r.Match.Game.Phase >= match.GameOver {
		return errGameOver
	}
	if r.Phase == phaseSetup {
		r.takePosition()
	}
	if err := r.Match.Begin(side); err != nil {
		return err
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
	return nil
}

// errGameOver refuses what only a game in progress allows.
const errGameOver = refusal("the game is over")

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
func (r *Referee) decideReplay(d *Decision) error {
	switch {
	case r.Roll != nil && r.Roll.Side == d.Side:
		if r.Breach != nil {
			r.settle(r.Breach.Ruling)
		}
		if r.Ended == nil {
			return nil // not ended yet: he may still change his play anyway (TURN-4)
		}
	case r.Last != nil && r.Last.Roll.Side == d.Side:
		roll := r.Last.Roll
		r.Match, r.Roll = r.Last.Match, &roll
		r.cutPlays(r.Last.Plays)
		r.Last, r.Winner = nil, ""
	case r.Blind != nil && r.Match.Game.Turn == d.Side:
		r.Blind, r.Asked, r.Notice = nil, nil, "" // of which no roll is known
		r.undoPress(d.Side, d.By, d.Ruling)
		return nil
	case r.Lost && r.Phase == phaseAwait && r.Match.Game.Phase == match.AwaitRoll:
		r.Match.Game.Turn, r.Asked, r.Notice = d.Side, nil, "" // whose turn it is was only what the board suggested
		r.Eyes.Dice.recall(r.rightHalf(d.Side))
		r.undoPress(d.Side, d.By, d.Ruling)
		return nil
	default:
		return refusal("that player has no turn that could be played anew; undo goes further back")
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
	return nil
}

// decideRethrow voids a fast roll, or the roll in question (DICE-12).
func (r *Referee) decideRethrow(d *Decision) error {
	disputed := r.open("D7") || r.open("D9")
	switch {
	case d.Ruling == "D6" && r.Fast == nil:
		return refusal("no throw before the end of the turn is known") // the roll of the turn is not the one that is void
	case r.Fast != nil:
		r.settle(r.Fast.Ruling)
		r.Fast = nil
	case r.Roll != nil && r.Phase == phaseRolled && (r.Ended == nil || r.unchanged()):
		g := &r.Match.Game
		g.Phase, g.Dice = match.AwaitRoll, rules.Dice{}
		r.Roll, r.Ended = nil, nil
		r.Eyes.Dice.spend(r.Now + 1)
		r.enter(phaseAwait)
	case !disputed:
		return refusal("no roll is in question that could be thrown again")
	}
	r.settleCodes("D7", "D9")
	return nil
}

// decideStand lets a fast roll or an illegal play stand, or confirms the likeliest play of a turn that was asked about.
func (r *Referee) decideStand(d *Decision) error {
	switch {
	case slices.Contains(disputes, d.Ruling):
		return refusal("no such ruling is open")
	case r.Breach != nil:
		if r.Breach.Final.Check(r.Match.Game.Excluded) != nil {
			return refusal("the position is impossible: set it, or exclude the missing checkers (IRREG-11)")
		}
		r.stand()
		return nil
	case r.Fast != nil && r.Phase == phaseAwait:
		return r.standFast()
	case r.Phase == phaseRolled && r.Ended != nil:
		w := r.weigh(&r.Eyes.View)
		if r.Eyes.View.Pictures < leastPictures || w.Wrong.count() > ruleWrong || w.nothing() {
			return refusal("the board does not show what the play was: set the position")
		}
		r.acceptBest(&w)
		return nil
	}
	return refusal("nothing is in question that could stand")
}

// decideOverrule takes back the latest open ruling of that code, of any when it is empty: what it was made on counts
// as right (DIR-2). An illegal play thereby becomes a legal one.
func (r *Referee) decideOverrule(code string) error {
	at := -1
	for i := range r.Rulings {
		if code == "" || r.Rulings[i].Code == code {
			at = i
		}
	}
	if at < 0 {
		return refusal("no such ruling is open")
	}
	id := r.Rulings[at].ID
	breached := r.Breach != nil && r.Breach.Ruling == id
	switch {
	case breached && r.Breach.Final.Check(r.Match.Game.Excluded) != nil:
		return refusal("the position is impossible: set it, or exclude the missing checkers (IRREG-11)")
	case breached:
		final := r.Breach.Final
		r.resumeClock()
		r.accept(&rules.Play{Final: final}, 1)
		return nil
	case r.Fast != nil && r.Fast.Ruling == id && r.Phase == phaseAwait:
		if err := r.standFast(); err != nil {
			return err
		}
	}
	r.withdraw(id)
	if r.pausedForRuling() {
		r.resumeClock()
	}
	return nil
}

// standFast makes the fast roll the roll of the turn.
func (r *Referee) standFast() error {
	f := r.Fast
	if err := r.Match.Roll(f.Side, f.Dice); err != nil {
		return err
	}
	r.settle(f.Ruling)
	r.Fast = nil
	r.rolled(&roll{Side: f.Side, Dice: f.Dice, Seen: f.Seen}, 0.99)
	r.Roll.Present = r.rollLies()
	return nil
}

// decideCubeAction doubles, takes or drops for a side. A double at a wrong time is answered by a ruling (C1 to C4).
func (r *Referee) decideCubeAction(d *Decision) error {
	switch d.What {
	case DecideTake:
		if !r.take(d.Side) {
			return refusal("there is no double for that player to answer (CUBE-3)")
		}
	case DecideDrop:
		if g := &r.Match.Game; g.Phase != match.AwaitAnswer || d.Side == g.Offer.By {
			return refusal("there is no double for that player to answer (CUBE-3)")
		}
		r.drop(d.Side)
	default:
		switch {
		case r.Match.Game.Phase >= match.GameOver:
			return errGameOver
		case r.Roll != nil && (r.Ended != nil || d.Side != r.Roll.Side):
			return refusal("the turn before is not closed yet: double again in a moment")
		case r.OfferPut && r.Match.Game.Phase == match.AwaitAnswer && d.Side != r.Match.Game.Offer.By:
			r.takeBackOffer() // he would answer it and not double: it was none
		}
		if r.Phase == phaseAwait && d.Side == r.Match.Game.Turn && r.hasThrown(d.Side) && !r.Match.Game.Crawford {
			r.rule("C1", d.Side, nil)
			return nil
		}
		waits := r.Phase == phaseAwait && r.Match.Game.Phase == match.AwaitRoll
		if waits && d.Side != r.Match.Game.Turn {
			ended := r.Blind != nil // by him who is on roll as far as is known
			if (r.playedUnseen(r.Now, "double") || ended && r.dancedUnseen(r.Blind.At) || ended) && d.Side != r.Match.Game.Turn {
				return refusal("the turn before could not be made out yet: double again in a moment")
			}
		}
		r.double(d.Side)
	}
	return nil
}

// hasThrown tells whether a die lies for sure in side's right half of which no roll has been made out: he has thrown, even
// if the other one is not seen.
func (r *Referee) hasThrown(side rules.Side) bool {
	return slices.ContainsFunc(r.Eyes.Dice.fresh(), func(x *die) bool {
		return x.real() >= certain && x.half() == r.rightHalf(side) && x.Last-x.Still >= restFor
	})
}

// decideNext agrees on the score (SCORE-4).
func (r *Referee) decideNext() error {
	if !r.over() {
		return refusal("no game has ended of which the score could be agreed")
	}
	r.Agreed = true
	r.settleCodes("S3", "S4")
	return nil
}

// decideSet sets the position and who is on roll.
func (r *Referee) decideSet(d *Decision) error {
	if d.Position == nil {
		return refusal("the position is missing")
	}
	if r.Match.Game.Phase >= match.GameOver {
		return errGameOver
	}
	if err := d.Position.Check(r.Match.Game.Excluded); err != nil {
		return err
	}
	return r.setPosition(d)
}

func (r *Referee) setPosition(d *Decision) error {
	r.Match.Game.Position, r.Current = *d.Position, *d.Position
	r.settleCodes("M9", "S1", "S2")
	err := r.decideStart(d.Side)
	r.Match.Game.Position, r.Current = *d.Position, *d.Position
	return err
}

// decideResign ends the game by concession (END-8, END-9); while the outcome is open, that is pointed out (S5).
func (r *Referee) decideResign(d *Decision) error {
	if d.Points < int(rules.Single) || d.Points > int(rules.Backgammon) {
		return refusal("a single game, a gammon or a backgammon can be conceded")
	}
	err := r.Match.Resign(d.Side, rules.Win(d.Points))
	switch {
	case err == nil:
		r.gameOver()
	case r.Match.Game.Phase >= match.GameOver:
		return errGameOver
	default:
		r.rule("S5", d.Side, nil)
	}
	return nil
}

package referee

import (
	"davar/rules"
	"davar/rules/match"
)

// diceOf returns the roll a decision names.
func diceOf(n []int) (rules.Dice, error) {
	if len(n) != 2 || n[0] < 1 || n[0] > 6 || n[1] < 1 || n[1] > 6 {
		return rules.Dice{}, refusal("a roll is two numbers from 1 to 6")
	}
	return rules.Dice{uint8(n[0]), uint8(n[1])}, nil
}

// decideRoll states side's roll: one that was not seen, or a correction of the one that was. A play already ruled on is
// judged by it anew.
func (r *Referee) decideRoll(d *Decision) error {
	dice, err := diceOf(d.Dice)
	switch {
	case err != nil:
		return err
	case r.Roll != nil && r.Roll.Side == d.Side:
		if r.Roll.Opening && r.Match.Game.Turns == 0 && (dice[0] == dice[1] || r.starter(dice) != d.Side) {
			return refusal("with that opening roll the other player, or nobody, would have begun: say who is on roll")
		}
		r.restateRoll(dice)
	case r.Phase == phaseAwait:
		if err := r.Match.Roll(d.Side, dice); err != nil {
			return err
		}
		if r.Fast != nil {
			r.settle(r.Fast.Ruling)
			r.Fast = nil
		}
		r.rolled(&roll{Side: d.Side, Dice: dice, Stated: true}, 1)
		r.Eyes.Dice.spend(r.Now + 1)
	default:
		return refusal("that player is not on roll")
	}
	return nil
}

// restateRoll corrects the roll of the turn.
func (r *Referee) restateRoll(dice rules.Dice) {
	r.correctRoll(dice)
	r.Roll.Seen = [2]die{{ID: r.Roll.Seen[0].ID}, {ID: r.Roll.Seen[1].ID}}
	r.Roll.Stated, r.Roll.Inferred, r.Roll.Disputed, r.Roll.HalfAgain, r.Roll.Again = true, false, false, false, rules.Dice{}
	r.settleCodes("D7", "D9")
	if r.Breach == nil {
		return
	}
	verdict := r.law.judge.Judge(r.base(), r.Roll.Side, dice, &r.Breach.Final, r.Match.Game.Excluded)
	switch {
	case verdict.Legal:
		r.resumeClock()
		r.accept(&verdict.Play, 1)
	default:
		r.withdraw(r.Breach.Ruling)
		r.Breach = nil
		r.resumeClock()
		r.enter(phaseRolled)
	}
}

func cubeOf(d *Decision) match.Cube {
	c := match.Cube{Value: d.Cube, Owned: d.Owner != nil}
	if d.Owner != nil {
		c.Owner = *d.Owner
	}
	return c
}

// decideCube puts the cube as a person says.
func (r *Referee) decideCube(d *Decision) error {
	g := &r.Match.Game
	if g.Phase >= match.GameOver {
		return errGameOver
	}
	if d.Owner != nil && *d.Owner > rules.Dark {
		return refusal("there is no such side")
	}
	if err := r.Match.SetCube(cubeOf(d)); err != nil {
		return err
	}
	if g.Phase == match.AwaitAnswer {
		g.Phase, g.Offer = match.AwaitRoll, match.Offer{} // where the cube is, nothing is on offer any more
	}
	r.CubeHome, r.CubeWrong = false, false
	r.settleCodes("C4", "C6")
	return nil
}

// decideScore sets the score (SCORE-5). In a game in progress it is the score before the game; should that thereby be
// the Crawford game, a cube that was turned in it counts as not turned (CUBE-12).
func (r *Referee) decideScore(s *Score) error {
	if s == nil {
		return refusal("the score is missing")
	}
	m := &r.Match
	before := *m
	if err := m.SetScore([2]int{s.Light, s.Dark}, m.CrawfordDone && !m.Game.Crawford); err != nil {
		return err
	}
	r.settleCodes("S3")
	if m.Game.Phase >= match.GameOver { // the next game will find out whether it is the Crawford game
		m.Game.Crawford, m.CrawfordDone = before.Game.Crawford, before.CrawfordDone
		return nil
	}
	turned := m.Game.Cube != (match.Cube{Value: 1}) || m.Game.Phase == match.AwaitAnswer
	if m.Game.Crawford == before.Game.Crawford || !turned || !m.Game.Crawford {
		return nil
	}
	r.rule("C3", m.Game.Turn, nil)
	m.Game.Cube, m.Game.Doubled = match.Cube{Value: 1}, false
	if m.Game.Phase == match.AwaitAnswer {
		m.Game.Phase, m.Game.Offer = match.AwaitRoll, match.Offer{}
	}
	for i := range r.History {
		r.History[i].Game.Cube, r.History[i].Game.Crawford = match.Cube{Value: 1}, true
	}
	return nil
}

// decideUndo goes back to a closed turn of this game or of an earlier one of the match: what came after it is gone.
func (r *Referee) decideUndo(d *Decision) error {
	at, err := r.pastAt(d.Seq)
	earlier := err != nil && r.Phase != phaseMatch && r.reopenEarlier(d.Seq)
	if earlier {
		at, err = r.pastAt(d.Seq)
	}
	if err != nil {
		return err
	}
	past, last := r.History[at], at == len(r.History)-1 && !earlier
	if r.Match.Game.Phase == match.GameOver {
		result := &r.Match.Result
		r.Match.Score[result.Winner] -= result.Points
		*result = match.Result{}
	}
	r.Match.Game = past.Game
	r.Plays, r.History = r.Plays[:past.Plays], r.History[:at]
	g := &past.Game
	r.Roll = &roll{
		Side: g.Turn, Dice: g.Dice, Opening: g.Opening && g.Turns == 0, At: r.Now, Replay: true, Stated: true, Seq: past.Roll,
	}
	r.Ended, r.Breach, r.Fast, r.Blind, r.Last, r.Asked, r.Notice, r.Winner = nil, nil, nil, nil, nil, nil, "", ""
	r.Rulings = []RulingBody{}
	r.Current = g.Position
	r.Eyes.Dice.spend(r.Now + 1)
	if last {
		r.undoPress(g.Turn, d.By, d.Why)
	} else {
		r.startClock(g.Turn)
	}
	r.enter(phaseRolled)
	return nil
}

// decideExclude sets the position with fewer checkers: those missing are out of this game (IRREG-9).
func (r *Referee) decideExclude(d *Decision) error {
	if d.Position == nil {
		return refusal("the position is missing")
	}
	if r.Match.Game.Phase >= match.GameOver {
		return errGameOver
	}
	var excluded [2]int
	for side := range excluded {
		excluded[side] = rules.Checkers - d.Position.Active(rules.Side(side))
		switch {
		case excluded[side] < 0:
			return refusal("a side has more than fifteen checkers")
		case excluded[side] > 0 && d.Position.Checkers[side][rules.Off] > 0:
			return refusal("that player has begun to bear off: a missing checker counts as borne off (IRREG-9)")
		}
	}
	if err := d.Position.Check(excluded); err != nil {
		return err
	}
	r.Match.Game.Excluded = excluded
	return r.setPosition(d)
}

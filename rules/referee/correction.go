package referee

import (
	"davar/rules"
	"davar/rules/match"
)

// decideRoll states side's roll: one that was not seen, or a correction of the one that was.
func (r *Referee) decideRoll(d *Decision) {
	if len(d.Dice) != 2 || d.Dice[0] < 1 || d.Dice[0] > 6 || d.Dice[1] < 1 || d.Dice[1] > 6 {
		return
	}
	dice := rules.Dice{uint8(d.Dice[0]), uint8(d.Dice[1])}
	switch {
	case r.Roll != nil && r.Roll.Side == d.Side:
		r.correctRoll(dice)
		r.Roll.Seen = [2]die{{ID: r.Roll.Seen[0].ID}, {ID: r.Roll.Seen[1].ID}}
		r.Roll.Stated = true
	case r.Phase == phaseAwait && r.Match.Roll(d.Side, dice) == nil:
		r.Fast = nil
		r.rolled(&roll{Side: d.Side, Dice: dice, Stated: true}, 1)
		r.Eyes.Dice.spend(r.Now + 1)
	}
}

// decideCube puts the cube as a person says.
func (r *Referee) decideCube(d *Decision) {
	c := match.Cube{Value: d.Cube, Owned: d.Owner != nil}
	if d.Owner != nil {
		c.Owner = *d.Owner
	}
	if r.Match.SetCube(c) == nil {
		r.CubeHome, r.CubeWrong = false, false
		r.settleCodes("C4", "C6")
	}
}

// decideUndo goes back to a closed turn of this game, or of the one that has just ended while its score is not agreed.
func (r *Referee) decideUndo(d *Decision) {
	at := len(r.History) - 1
	for d.Seq != 0 && at >= 0 && r.History[at].Seq != d.Seq {
		at--
	}
	if at < 0 || r.Phase == phaseMatch {
		return
	}
	past, last := r.History[at], at == len(r.History)-1
	if r.Match.Game.Phase == match.GameOver {
		result := &r.Match.Result
		r.Match.Score[result.Winner] -= result.Points
		*result = match.Result{}
	}
	r.Match.Game = past.Game
	r.Plays, r.History = r.Plays[:past.Plays], r.History[:at]
	g := &past.Game
	r.Roll = &roll{Side: g.Turn, Dice: g.Dice, Opening: g.Opening && g.Turns == 0, At: r.Now, Replay: true, Stated: true}
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
}

// decideExclude sets the position with fewer checkers: those missing are out of this game (IRREG-9).
func (r *Referee) decideExclude(d *Decision) {
	if d.Position == nil || r.Match.Game.Phase >= match.GameOver {
		return
	}
	var excluded [2]int
	for side := range excluded {
		excluded[side] = rules.Checkers - d.Position.Active(rules.Side(side))
		if excluded[side] < 0 {
			return
		}
	}
	if d.Position.Check(excluded) != nil {
		return
	}
	r.Match.Game.Excluded = excluded
	r.decideSet(d)
}

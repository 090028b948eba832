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

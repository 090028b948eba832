package referee

import "davar/rules"

// otherCode is how unlikely a reading of the dice must be for a play not to be judged by it as well.
const otherCode = -5.0

// oneCode tells whether the play is held against the player under the same code whatever his dice may have shown. That it
// is illegal may be certain while it is not which rule it breaks: what is said then is a guess, and nobody is accused of
// that (IRREG-14).
func (r *Referee) oneCode(final *rules.Position) bool {
	code := func(dice rules.Dice) rules.Code {
		return r.law.judge.Judge(r.base(), r.Roll.Side, dice, final, r.Match.Game.Excluded).Code
	}
	said, one := code(r.Roll.Dice), true
	try := func(dice rules.Dice) {
		one = one && (sameDice(dice, r.Roll.Dice) || code(dice) == said)
	}
	r.readings(otherCode, func(dice rules.Dice, _ float64) { try(dice) })
	r.Roll.contested(try)
	return one
}

// contested calls do with the rolls that are made of numbers which pictures of its dice, or of those of another throw that may
// count, have read beyond doubt, each in its turn: one of them is wrong, whichever was read more often.
func (x *roll) contested(do func(rules.Dice)) {
	for i, seen := range [2]*[2]die{&x.Seen, &x.AgainSeen} {
		if i == 1 && !x.Again.Valid() {
			continue // there is none, or people have said that it does not count
		}
		for m := uint8(1); m <= 6; m++ {
			for n := uint8(1); n <= 6; n++ {
				if seen[0].Looks.read(int(m)) && seen[1].Looks.read(int(n)) {
					do(rules.Dice{m, n})
				}
			}
		}
	}
}

// mayBeStray tells whether a legal play and, beside it, one checker too many or too few somewhere explain the pictures about as
// well as the illegal play: what is wrong may then be the number of checkers (M9), and no move.
func (r *Referee) mayBeStray(v *evidence, w *weighing) bool {
	plays := r.law.plays(r.base(), r.Roll.Side, r.Roll.Dice)
	for i := range plays {
		if v.spared(&plays[i].Final)+notByRule > w.Literly-clearLead {
			return true
		}
	}
	return false
}

package referee

import (
	"davar/rules"
	"davar/rules/match"
)

// An opening die misread may make the wrong player the starter. What he does, and what the clock is told, shows who
// it was.

// watchStarter looks whether the other player has made a complete play of the opening dice, read so that he starts.
func (r *Referee) watchStarter() {
	x := r.Roll
	if !x.Opening || x.Replay || r.Eyes.View.Pictures != rulePictures || !r.changed() {
		return
	}
	if w := r.weigh(&r.Eyes.View); w.Wrong.count() < ruleWrong {
		return
	}
	now := *x
	best := explanation{Score: -1e9}
	r.readings(farReading, func(dice rules.Dice, odds float64) {
		if r.starter(dice) != now.Side && dice[0] != dice[1] {
			x.Side = now.Side.Other()
			w := weighing{Legal: explanation{Score: -1e9}, Second: -1e9}
			r.consider(&w, &r.Eyes.View, r.base(), dice, odds)
			x.Side = now.Side
			if w.Legal.Score > best.Score && w.Legal.Score-w.Second >= clearLead {
				best = w.Legal
			}
		}
	})
	if best.Score > -1e9 && r.Eyes.View.wrong(&best.Play.Final) == 0 {
		r.otherStarts(best.Dice)
	}
}

// otherStarts makes the other player the one who began, with these opening dice.
func (r *Referee) otherStarts(dice rules.Dice) {
	x := r.Roll
	g := &r.Match.Game
	g.Phase, g.Dice = match.AwaitOpening, rules.Dice{}
	if tie, err := r.Match.Open(dice[0], dice[1]); tie || err != nil {
		return
	}
	x.Side, x.Dice = g.Turn, dice
	r.Ended = nil
	side := x.Side
	r.emit(Event{Type: GameStarted, Side: &side, Dice: numbers(dice), Opening: true, Score: r.score(), Why: "corrected"})
	r.emit(Event{Type: Roll, Side: &side, Dice: numbers(dice), Opening: true, Why: "corrected"})
	if x.PressedBy != nil && *x.PressedBy == side {
		r.endTurn(r.Now, "press")
	}
}

// openingPress takes the presses after the opening roll: the player of the lower die starts the other's time (OPEN-9).
// A press by him who is taken for the starter, before anything has moved, means that he may not be.
func (r *Referee) openingPress(p heldPress) {
	x := r.Roll
	by := p.Side
	if p.Side == x.Side && (x.PressedBy != nil || !r.unchanged()) {
		r.endTurn(p.At, "press")
		return
	}
	x.PressedBy = &by
}

// starterInDoubt tells whether he who is taken for the starter has pressed, as he of the lower die does (OPEN-9), and no play of
// his is on the board that would show that he began all the same.
func (r *Referee) starterInDoubt() bool {
	x := r.Roll
	if !x.Opening || x.Stated || x.PressedBy == nil || *x.PressedBy != x.Side {
		return false
	}
	if r.Eyes.View.Pictures < leastPictures || r.unchanged() {
		return true
	}
	w := r.weigh(&r.Eyes.View)
	return w.Wrong != 0 || w.reread()
}

// openedUnseen begins a game of which the opening roll was not seen, or taken for a tie, when a complete play shows who
// started and with what.
func (r *Referee) openedUnseen() bool {
	v := &r.Eyes.View
	if v.Pictures < 2*rulePictures || !r.changed() {
		return false
	}
	w := weighing{Legal: explanation{Score: -1e9}, Second: -1e9}
	for light := 1; light <= 6; light++ {
		for dark := 1; dark <= 6; dark++ {
			if light != dark {
				dice := rules.Dice{uint8(light), uint8(dark)}
				r.Roll = &roll{Side: r.starter(dice)}
				r.consider(&w, v, r.base(), dice, r.openingOdds(light, dark))
			}
		}
	}
	r.Roll = nil
	if v.wrong(&w.Legal.Play.Final) > 0 || w.Legal.Score-w.Second < clearLead {
		return false
	}
	if tie, err := r.Match.Open(w.Legal.Dice[0], w.Legal.Dice[1]); tie || err != nil {
		return false
	}
	side := r.Match.Game.Turn
	r.gameStarted(side, w.Legal.Dice)
	x := &roll{Side: side, Dice: w.Legal.Dice, Opening: true, Seen: r.Glimpsed, Late: true}
	for i := range x.Seen {
		if d := r.Eyes.Dice.find(x.Seen[i].ID); d != nil {
			d.Spent = false
		}
	}
	r.rolled(x, 0.9)
	return true
}

// openingOdds returns the log-likelihood of the opening dice by what was seen of them last.
func (r *Referee) openingOdds(light, dark int) float64 {
	odds := 0.0
	for i, v := range [2]int{light, dark} {
		if x := &r.Glimpsed[i]; x.Rest > 0 {
			odds += x.chance(v)
		}
	}
	return max(odds, farReading)
}

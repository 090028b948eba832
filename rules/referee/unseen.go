package referee

import (
	"math"
	"time"

	"davar/rules"
)

// glimpse keeps what is seen of dice in the right half of the player on roll, should they be gone before the roll
// is read: they help to find out later what it was.
func (r *Referee) glimpse() {
	side := r.Match.Game.Turn
	for i := range r.Eyes.Dice.Seen {
		x := &r.Eyes.Dice.Seen[i]
		if x.Spent || x.Rest == 0 || x.real() < likely || x.half() != r.rightHalf(side) {
			continue
		}
		at := -1
		for k := range r.Glimpsed {
			if r.Glimpsed[k].ID == x.ID || r.Glimpsed[k].Rest == 0 {
				at = k
				break
			}
		}
		if at < 0 && r.Glimpsed[0].Last <= r.Glimpsed[1].Last {
			at = 0
		} else if at < 0 {
			at = 1
		}
		if was := &r.Glimpsed[at]; was.ID != x.ID && was.mayHaveLain() && r.Eyes.Dice.find(was.ID) == nil {
			r.HalfSeen = true
			r.Between = r.Between || r.Doubtful != nil && !ofPair(r.Doubtful, was.ID)
		}
		r.Glimpsed[at] = *x
	}
}

// mayHaveLain tells whether this was more likely than not a die at rest: enough for the throw it may have been of to count for
// the player, as nobody is held to a roll that may not be his.
func (x *die) mayHaveLain() bool { return x.Rest >= faultPictures && x.real() >= likely }

// ofPair tells whether the die of that number is one of the two.
func ofPair(pair *[2]die, id int) bool { return id == pair[0].ID || id == pair[1].ID }

// thrownBetween tells whether, before these dice, a die of another throw lay at rest that is none of those which may lean.
func (r *Referee) thrownBetween(a, b *die) bool {
	for i := range r.Glimpsed {
		x := &r.Glimpsed[i]
		if x.mayHaveLain() && x.ID != a.ID && x.ID != b.ID && !ofPair(r.Doubtful, x.ID) {
			return true
		}
	}
	return r.Between
}

// halfSeen tells whether a die that is none of these lay at rest before them in this turn: of another throw, of which no
// more was seen.
func (r *Referee) halfSeen(a, b *die) bool {
	for i := range r.Glimpsed {
		x := &r.Glimpsed[i]
		if x.mayHaveLain() && x.ID != a.ID && x.ID != b.ID && x.Last < min(a.First, b.First) {
			return true
		}
	}
	return r.HalfSeen
}

// changed tells whether the board beyond doubt no longer looks as before the turn.
func (r *Referee) changed() bool {
	v := &r.Eyes.View
	if v.Pictures < rulePictures {
		return false
	}
	return !r.unchanged()
}

// unchanged tells whether the board looks as before the turn as far as it was seen, or is only read a little otherwise.
func (r *Referee) unchanged() bool {
	v := &r.Eyes.View
	return r.newlyWrong().count() < ruleWrong || v.bound()-v.score(r.base()) <= ruleLead
}

// newlyWrong returns where the pictures contradict the position before the turn, but did not before anything can have been
// moved.
func (r *Referee) newlyWrong() places {
	wrong, _ := r.Eyes.View.misfits(r.base())
	switch {
	case r.Roll != nil:
		wrong &^= r.Roll.Doubt
	case r.Last != nil:
		wrong &^= r.Last.Wrong
	}
	return wrong
}

// playedUnseen finds out what was rolled and played when the other player throws, or the player on roll ends his
// turn, and no roll of his was seen. It reports whether it dealt with the matter.
func (r *Referee) playedUnseen(at time.Duration, by string) bool {
	if !r.changed() {
		return false
	}
	v := &r.Eyes.View
	w := r.weighUnseen(v)
	if w.Wrong.count() > 1 || w.Legal.Score-w.Second < clearLead || r.unlikeGlimpsed(w.Legal.Dice) {
		if by == "throw" {
			r.resume(r.Match.Game.Turn.Other())
		} else if v.To-v.From >= unclearAfter {
			r.ask(askTurn)
			if v.To-at >= givesUpAfter {
				r.resume(r.Match.Game.Turn.Other())
			}
		}
		return true
	}
	side := r.Match.Game.Turn
	if err := r.Match.Roll(side, w.Legal.Dice); err != nil {
		return true
	}
	r.Roll = &roll{Side: side, Dice: w.Legal.Dice, At: r.Now, Before: v.From, Inferred: true, Glimpsed: r.Glimpsed}
	r.Roll.Seq = r.emit(Event{Type: Roll, Side: &side, Dice: numbers(w.Legal.Dice), Why: "inferred", Confidence: round(w.confidence())})
	r.endTurn(at, by)
	r.accept(&w.Legal.Play, w.confidence())
	return true
}

// dancedUnseen closes the turn of a player of whose dice something was seen, but not what they showed, when the other one
// throws and the board is as it was: he could play nothing. It reports whether something of his was seen: then nobody has
// thrown out of turn.
func (r *Referee) dancedUnseen(at time.Duration) bool {
	seen := 0
	for i := range r.Glimpsed {
		if x := &r.Glimpsed[i]; x.Rest >= restPictures && x.real() >= likely && x.First < at {
			seen++
		}
	}
	if seen == 0 {
		return false
	}
	side := r.Match.Game.Turn
	best, danced := farReading, rules.Dice{}
	for m := uint8(1); m <= 6; m++ {
		for n := m; n <= 6; n++ {
			if odds := glimpsedOdds(&r.Glimpsed, int(m), int(n)); odds > best && len(r.law.plays(r.base(), side, rules.Dice{m, n})) == 0 {
				best, danced = odds, rules.Dice{m, n}
			}
		}
	}
	if !danced.Valid() || r.Match.Roll(side, danced) != nil {
		r.ask(askTurn)
		return true
	}
	r.Roll = &roll{Side: side, Dice: danced, At: r.Now, Before: r.Eyes.View.From, Inferred: true, Glimpsed: r.Glimpsed}
	r.Roll.Seq = r.emit(Event{Type: Roll, Side: &side, Dice: numbers(danced), Why: "inferred", Confidence: 0.9})
	r.endTurn(at, "throw")
	r.accept(&rules.Play{Final: *r.base()}, 0.9)
	return true
}

// weighUnseen compares the pictures with the results of every roll, each by how likely it is and by what was glimpsed
// of its dice.
func (r *Referee) weighUnseen(v *evidence) weighing {
	w := weighing{Bound: v.bound(), Nothing: -1e9}
	w.Legal.Score, w.Second = -1e9, -1e9
	r.Roll = &roll{Side: r.Match.Game.Turn}
	unseenRolls(&r.Glimpsed, func(dice rules.Dice, odds float64) { r.consider(&w, v, r.base(), dice, odds) })
	r.Roll = nil
	w.Wrong, w.Unseen = v.misfits(&w.Legal.Play.Final)
	return w
}

// unseenRolls calls do with each roll and the logarithm of how probable it is by itself and by what was glimpsed of its dice.
func unseenRolls(glimpsed *[2]die, do func(dice rules.Dice, odds float64)) {
	for m := uint8(1); m <= 6; m++ {
		for n := m; n <= 6; n++ {
			odds := -math.Log(36)
			if m != n {
				odds += math.Ln2
			}
			do(rules.Dice{m, n}, odds+glimpsedOdds(glimpsed, int(m), int(n)))
		}
	}
}

// otherUnseenRolls calls do with the rolls that an inferred one may have been instead, down to the given log-odds.
func (x *roll) otherUnseenRolls(least float64, do func(dice rules.Dice, odds float64)) {
	taken := 0.0
	unseenRolls(&x.Glimpsed, func(dice rules.Dice, odds float64) {
		if sameDice(dice, x.Dice) {
			taken = odds
		}
	})
	unseenRolls(&x.Glimpsed, func(dice rules.Dice, odds float64) {
		if odds = min(odds-taken, -1); odds >= least && !sameDice(dice, x.Dice) {
			do(dice, odds)
		}
	})
}

// unlikeGlimpsed tells whether the roll is not one that was seen in part: with numbers read surely of dice that lay there
// for a while it has too little in common. What was played then was not played by the rules, or not by that roll.
func (r *Referee) unlikeGlimpsed(dice rules.Dice) bool {
	return glimpsedOdds(&r.Glimpsed, int(dice[0]), int(dice[1])) < unlikely
}

// unlikely is the logarithm of how probable an inferred roll must be by what was seen of its dice.
const unlikely = -2.0

// glimpsedOdds returns the log-likelihood of the roll m, n by the dice that were glimpsed.
func glimpsedOdds(glimpsed *[2]die, m, n int) float64 {
	odds := [2][2]float64{}
	for i := range glimpsed {
		if x := &glimpsed[i]; x.Rest > 0 {
			odds[i] = [2]float64{x.odds(m), x.odds(n)}
		}
	}
	return max(odds[0][0]+odds[1][1], odds[0][1]+odds[1][0], farReading)
}

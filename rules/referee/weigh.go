package referee

import (
	"davar/rules"
)

const (
	// nothingMoved, notByRule are what it counts against these explanations before any picture is looked at.
	nothingMoved = -2.0
	notByRule    = -4.0
	// clearLead is by how much the best legal play must beat the next one to be believed at once, ruleLead by
	// how much an illegal position must beat every legal one before it is held against a player (IRREG-14).
	clearLead = 2.5
	ruleLead  = 8.0
	// diceLead is by how much an illegal position must beat the legal plays of what else the dice may have shown: a number
	// misread explains the whole position, and how probable that is the eye says itself (looks.odds).
	diceLead = 3.0
	// ruleWrong is in how many places the pictures must contradict every legal play: one misread point alone
	// accuses nobody.
	ruleWrong = 2
	// leastPictures is how many still pictures a turn is judged on, rulePictures how many a ruling needs.
	leastPictures = 3
	rulePictures  = 4
	// farReading is how unlikely a reading of the dice, or a turn before, may be and still be considered when nothing
	// else fits, nearReading when something does.
	farReading  = -15.0
	nearReading = -5.0
)

// explanation is one way in which a turn can have led to what is seen.
type explanation struct {
	Play  rules.Play
	Dice  rules.Dice
	Base  rules.Position // the position it began from
	Score float64
}

// weighing holds what the pictures say about a turn.
type weighing struct {
	Legal   explanation // best legal play under any likely reading of the dice and of the turn before
	Read    explanation // best legal play under what was read
	ReadOff places      // where the pictures contradict that
	Second  float64     // score of the best one with another final position
	Wrong   places      // where the pictures contradict the best legal play
	Unseen  places      // points never visible
	Doubt   places      // where the pictures contradicted the position before the moves already
	Redice  explanation // best legal play when the dice may have shown something else, the turn before being what it was
	Clear   bool        // the numbers of the roll were seen clearly
	Bound   float64     // what a perfect explanation would score
	Nothing float64     // score of nothing having been moved
	Stays   bool        // the position before the turn is itself a legal result
	Literal rules.Position
	Whole   bool    // Literal is what the pictures show and keeps the number of checkers
	Literly float64 // its score
}

// weigh compares the pictures with every legal result of the roll from the position before it, with the legal
// results of other readings of the dice, with nothing having been moved, and with what they show taken
// literally (DESIGN §2.2).
func (r *Referee) weigh(v *evidence) weighing {
	w := weighing{Bound: v.bound(), Nothing: v.score(r.base()) + nothingMoved, Doubt: r.Roll.Doubt, Clear: r.Roll.clear()}
	w.Legal.Score, w.Second = -1e9, -1e9
	r.consider(&w, v, r.base(), r.Roll.Dice, 0)
	w.Wrong, w.Unseen = v.misfits(&w.Legal.Play.Final)
	w.Read, w.ReadOff, w.Redice = w.Legal, w.Wrong, w.Legal
	if gap := w.Bound - w.Legal.Score; gap > 2 {
		// What was read clearly is doubted only when one misread point does not explain the difference.
		least := max(-gap, nearReading)
		if w.Wrong.count() >= ruleWrong {
			least = max(-gap, farReading)
		}
		r.readings(least, func(dice rules.Dice, odds float64) {
			if odds < 0 {
				r.consider(&w, v, r.base(), dice, odds)
			}
		})
		w.Redice = w.Legal
		r.otherBases(&w, v, least)
		w.Wrong, w.Unseen = v.misfits(&w.Legal.Play.Final)
	}
	w.Literal, w.Whole = v.reading(r.base(), r.Roll.Side)
	if w.Whole {
		w.Literly = v.score(&w.Literal) + notByRule
	}
	return w
}

// reread tells whether the best legal play supposes something else than was read.
func (w *weighing) reread() bool { return w.Legal.Dice != w.Read.Dice || w.Legal.Base != w.Read.Base }

// consider weighs the legal results of one reading of the dice from one position before the turn, which together
// count odds against themselves.
func (r *Referee) consider(w *weighing, v *evidence, base *rules.Position, dice rules.Dice, odds float64) {
	plays := r.law.plays(base, r.Roll.Side, dice)
	if len(plays) == 0 {
		plays = []rules.Play{{Final: *base}}
	}
	for i := range plays {
		play := &plays[i]
		score := v.score(&play.Final) + odds
		if odds == 0 && play.Final == *r.base() {
			w.Stays = true
		}
		switch {
		case score > w.Legal.Score:
			if w.Legal.Play.Final != play.Final {
				w.Second = max(w.Second, w.Legal.Score)
			}
			w.Legal = explanation{*play, dice, *base, score}
		case play.Final != w.Legal.Play.Final:
			w.Second = max(w.Second, score)
		}
	}
}

// readings calls do with the roll as read and with what else its dice may have shown, down to the given log-odds.
func (r *Referee) readings(least float64, do func(dice rules.Dice, odds float64)) {
	do(r.Roll.Dice, 0)
	if r.Roll.Inferred {
		r.Roll.otherUnseenRolls(least, do)
	}
	rereadings(&r.Roll.Seen, r.Roll.Dice, least, do)
	if r.Roll.Again.Valid() {
		do(r.Roll.Again, otherThrow)
		rereadings(&r.Roll.AgainSeen, r.Roll.Again, least-otherThrow, func(dice rules.Dice, odds float64) { do(dice, odds+otherThrow) })
	}
}

// otherThrow is what it counts against the other one of two throws that it is not the one that was taken for the roll.
const otherThrow = -1.0

// rereadings calls do with what else dice may have shown that were read as shown, down to the given log-odds.
func rereadings(seen *[2]die, shown rules.Dice, least float64, do func(dice rules.Dice, odds float64)) {
	a, b := &seen[0], &seen[1]
	if a.Rest == 0 || b.Rest == 0 {
		return // stated, not seen
	}
	for m := uint8(1); m <= 6; m++ {
		for n := uint8(1); n <= 6; n++ {
			dice := rules.Dice{m, n}
			odds := a.chance(int(m)) + b.chance(int(n)) - a.chance(int(shown[0])) - b.chance(int(shown[1]))
			if odds >= least && !sameDice(dice, shown) {
				do(dice, min(odds, -1))
			}
		}
	}
}

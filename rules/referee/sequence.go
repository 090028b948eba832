package referee

import (
	"slices"
	"time"

	"davar/rules"
)

// When a hand lay over the board or the players were fast, the next clear view may show two turns at once: the one that
// ended and the next one's play.

// nextThrown returns when the other player has thrown since the turn ended, 0 when he has not; one die of his is enough.
func (r *Referee) nextThrown() time.Duration {
	at := time.Duration(0)
	for _, x := range r.Eyes.Dice.fresh() {
		if x.First > r.Ended.At-pressGrace && x.half() == r.rightHalf(r.Roll.Side.Other()) && x.real() >= certain {
			at = max(at, x.First)
		}
	}
	return at
}

// movedSince tells whether the board has been touched since the other player threw: what it shows may be his doing, and
// is held against nobody else.
func (r *Referee) movedSince() bool {
	at := r.nextThrown()
	return at > 0 && r.Eyes.View.From > at+pressGrace
}

// sequence finds the play of the turn that ended when the board shows the next player's complete play as well: of all
// pairs of legal plays one must explain the pictures, and clearly better than any with another first play.
func (r *Referee) sequence() (play rules.Play, found bool) {
	v, x := &r.Eyes.View, r.Roll
	if !r.throwsNext() || v.Pictures != 2*rulePictures && v.Pictures != 5*rulePictures {
		return play, false // looked at once and once more, as it takes long
	}
	fresh := r.Eyes.Dice.fresh()
	numbers := seenNumbers(fresh[0], fresh[1])
	next := rules.Dice{uint8(numbers[0]), uint8(numbers[1])}
	best, second, wrong := -1e9, -1e9, 0
	for _, first := range slices.Clone(r.law.plays(r.base(), x.Side, x.Dice)) {
		if !v.maybeHit(&first.Final, x.Side) {
			continue
		}
		score, off := -1e9, 0
		plays := r.law.plays(&first.Final, x.Side.Other(), next)
		for i := range plays {
			if s := v.score(&plays[i].Final); s > score {
				score, off = s, v.wrong(&plays[i].Final)
			}
		}
		switch {
		case score > best:
			second, best, play, wrong = best, score, first, off
		default:
			second = max(second, score)
		}
	}
	return play, best > -1e9 && wrong == 0 && best-second >= clearLead
}

// maybeHit tells whether side's checkers may stand as in pos, but for those that were hit since: what the pictures show of
// them besides are at most two misread points.
func (e *evidence) maybeHit(pos *rules.Position, side rules.Side) bool {
	more, gone := 0, 0
	for p := 1; p <= 24; p++ {
		l := &e.Points[p-1]
		if l.N == 0 {
			continue
		}
		n, _ := l.best()
		own := p
		if side == rules.Dark {
			n, own = -n, 25-p
		}
		d := max(n, 0) - int(pos.Checkers[side][own])
		more, gone = more+max(d, 0), gone+max(-d, 0)
	}
	hit := e.Bar[side].best() - int(pos.Checkers[side][rules.Bar])
	return more <= 2 && gone <= max(hit, 0)+2
}

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
	for _, x := range r.thrownSince(r.Roll.Side.Other()) {
		at = max(at, x.First)
	}
	return at
}

// thrownSince returns the dice that lie in side's right half since the turn ended, at rest for long or not.
func (r *Referee) thrownSince(side rules.Side) (thrown []*die) {
	for i := range r.Eyes.Dice.Seen {
		x := &r.Eyes.Dice.Seen[i]
		if !x.Spent && x.Rest > 0 && x.First > r.Ended.At-pressGrace && x.half() == r.rightHalf(side) && x.real() >= certain {
			thrown = append(thrown, x)
		}
	}
	return thrown
}

// nextUp returns who goes on when the turn that ended cannot be made out: the other player, unless he has had his turn
// as well.
func (r *Referee) nextUp() rules.Side {
	side := r.Roll.Side
	other := r.thrownSince(side.Other())
	if len(other) == 0 && (r.Ended.Passed || len(r.thrownSince(side)) == 2) {
		return side
	}
	return side.Other()
}

// blindMost is how long the board may have been out of sight for it to show the doings of one player only: in more, a
// whole turn may have been played.
const blindMost = 8 * time.Second

// movedSince tells whether the board may have been touched by the other player since the turn ended: he has thrown, or
// pressed, before what is seen now, or nothing was seen for long. What it shows is held against nobody then.
func (r *Referee) movedSince() bool {
	at := r.nextThrown()
	return at > 0 && r.Eyes.View.From > at+pressGrace || r.Ended.Passed || r.Eyes.Gap >= blindMost
}

// sequence finds the play of the turn that ended when the board shows the next player's complete play as well: of all
// pairs of legal plays one must explain the pictures, and clearly better than any with another first play.
func (r *Referee) sequence() (play rules.Play, found bool) {
	v, x := &r.Eyes.View, r.Roll
	thrown := r.thrownSince(x.Side.Other())
	if len(thrown) != 2 || v.Pictures != rulePictures+1 && v.Pictures != 4*rulePictures {
		return play, false // looked at once and once more, as it takes long
	}
	numbers := seenNumbers(thrown[0], thrown[1])
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

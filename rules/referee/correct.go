package referee

import (
	"slices"
	"time"

	"davar/rules"
)

// recheckLast looks, once the next player has rolled and before he moves, whether the turn before really led where it
// seemed to.
func (r *Referee) recheckLast() {
	v := &r.Eyes.View
	if v.From > r.Roll.At || r.Roll.Replay || r.Roll.Late || r.Roll.layBefore(v.From) {
		return // moved since, or before
	}
	r.Roll.Doubt, _ = v.misfits(r.base())
	if r.Last != nil && r.Last.Touched {
		return
	}
	if r.Roll.Doubt == 0 || v.Pictures != rulePictures || r.Last == nil || r.Last.Roll.Side == r.Roll.Side {
		return
	}
	now, roll := r.Match, r.Roll
	last := *r.Last
	r.Match, r.Roll, r.Last = last.Match, &last.Roll, nil
	w := r.weigh(v)
	r.Match, r.Roll, r.Last = now, roll, &last
	if w.Wrong != 0 || !w.legal() || w.Legal.Play.Final == *r.base() {
		return
	}
	r.correctLastRoll(w.Legal.Dice)
	r.correctLastBy(&w.Legal.Play)
	r.Roll.Doubt, _ = v.misfits(r.base())
}

// noteUnfit remembers where the pictures contradict the position before the throw, as long as none of it is seen: when the
// dice were read late, what contradicts it then may have been moved already.
func (r *Referee) noteUnfit() {
	if v := &r.Eyes.View; v.Pictures >= leastPictures && !r.mayHaveRolled() {
		r.Unfit, _ = v.misfits(r.base())
	}
}

// layBefore tells whether both dice of the roll lay at rest before t.
func (x *roll) layBefore(t time.Duration) bool {
	for i := range x.Seen {
		if d := &x.Seen[i]; d.Rest == 0 || d.Still >= t {
			return false
		}
	}
	return true
}

// correctLast gives the turn before another result, which what followed shows to be the true one.
func (r *Referee) correctLast(final *rules.Position) {
	for i := range r.Last.Others {
		if o := r.Last.Others[i]; o.Play.Final == *final {
			r.correctLastRoll(o.Dice)
			r.correctLastBy(&o.Play)
			return
		}
	}
}

// correctLastRoll puts right the roll of the turn before.
func (r *Referee) correctLastRoll(dice rules.Dice) {
	x := &r.Last.Roll
	if dice != x.Dice {
		x.Dice = dice
		side := x.Side
		x.Seq = r.emit(Event{
			Type: Roll, Side: &side, Dice: numbers(dice), Opening: x.Opening, Why: "corrected", Corrects: x.Seq,
		})
	}
}

// correctLastBy gives the turn before that play.
func (r *Referee) correctLastBy(play *rules.Play) {
	last, legal := r.Last.Roll.Side, true
	e := Event{
		Type: PlayMade, Side: &last, Dice: numbers(r.Last.Roll.Dice), Notation: play.String(),
		Position: play.Final.ID(last), Legal: &legal, Why: "corrected",
	}
	n := r.Last.Plays
	if n < len(r.Plays) {
		e.Corrects = r.Plays[n].Seq
	}
	seq := r.emit(e)
	if n < len(r.Plays) {
		r.Plays[n] = LastPlay{
			Seq: seq, Side: last.String(), Dice: e.Dice, Notation: e.Notation, Position: e.Position, Legal: true,
		}
	}
	if past := len(r.History) - 1; past >= 0 && r.History[past].Plays == n {
		t := &r.History[past]
		t.Seq, t.Roll, t.Final, t.Legal = seq, r.Last.Roll.Seq, play.Final, true
		t.Game.Dice = r.Last.Roll.Dice
	}
	r.Match.Game.Position, r.Current = play.Final, play.Final
}

// otherBases considers that the turn before led elsewhere than it seemed, down to the given log-odds.
func (r *Referee) otherBases(w *weighing, v *evidence, least float64) {
	if r.Last == nil || r.Last.Roll.Side == r.Roll.Side {
		return
	}
	for i := range r.Last.Others {
		if o := &r.Last.Others[i]; o.Odds >= least {
			r.consider(w, v, &o.Play.Final, r.Roll.Dice, min(o.Odds, -1))
		}
	}
}

// othersKept is how many other results of a turn are remembered.
const othersKept = 6

// others returns the other results the turn may have had that come nearest to play in explaining the pictures, the
// likeliest first.
func (r *Referee) others(v *evidence, play *rules.Play) []other {
	best := v.score(&play.Final)
	var kept []other
	r.readings(2*farReading, func(dice rules.Dice, against float64) {
		plays := r.law.plays(r.base(), r.Roll.Side, dice)
		for i := range plays {
			odds := v.score(&plays[i].Final) - best + against
			if plays[i].Final == play.Final || odds < 2*farReading {
				continue
			}
			at := len(kept)
			for at > 0 && kept[at-1].Odds < odds {
				at--
			}
			if at < othersKept {
				kept = slices.Insert(kept, at, other{plays[i], dice, odds})
				kept = kept[:min(len(kept), othersKept)]
			}
		}
	})
	return kept
}

package referee

import (
	"slices"
	"strconv"
	"time"

	"davar/rules"
	"davar/rules/sighting"
)

const (
	// missingLead is by how much a wrong number of checkers must explain the pictures better than any right one: most
	// often it is a stack misread, and one place alone accuses nobody unless it is read beyond doubt.
	missingLead = 10.0
	// missingPlaces is in how many places checkers may be missing: where more are wrong, it is the eye that errs.
	missingPlaces = 2
	// missingStill is how long the board must lie still with a checker missing before that is said: it may be in a hand.
	missingStill = 1500 * time.Millisecond
	// wrongCountStill is the same at a turn's end.
	wrongCountStill = 1200 * time.Millisecond
)

// beyond is by how much, as a mean logarithm of probability, another number must be likelier to be taken for what is there.
const beyond = 2.3

// counted returns what the pictures show point by point and on the bars; where they are in doubt, were misread before, and in the
// trays, it is what expected has there. ok is false when a place was not seen or one point holds both colours.
func (e *evidence) counted(expected *rules.Position, misread places) (pos rules.Position, ok bool) {
	for p := 1; p <= 24; p++ {
		l := &e.Points[p-1]
		n, mixed := l.best()
		if l.N == 0 || mixed {
			return pos, false
		}
		was := int(expected.Checkers[rules.Light][p]) - int(expected.Checkers[rules.Dark][25-p])
		if l.Count[sighting.MaxCount+n]-l.Count[sighting.MaxCount+was] < beyond*logit(l.N) || misread&(1<<(p-1)) != 0 {
			n = was
		}
		pos.Checkers[rules.Light][p], pos.Checkers[rules.Dark][25-p] = uint8(max(n, 0)), uint8(max(-n, 0))
	}
	for side := range pos.Checkers {
		if e.Bar[side].N == 0 {
			return pos, false
		}
		pos.Checkers[side][rules.Bar] = uint8(e.Bar[side].best())
		pos.Checkers[side][rules.Off] = expected.Checkers[side][rules.Off]
		if e.Off[side].contradicts(int(expected.Checkers[side][rules.Off])) {
			pos.Checkers[side][rules.Off] = uint8(e.Off[side].best())
		}
	}
	return pos, true
}

// wrongNumber returns the position shown at the end of a turn when the number of checkers in it is wrong beyond doubt
// (IRREG-11, M9): every right number, also with one place misread, explains the pictures far worse. What may have been
// borne off unseen is not held against anybody.
func (r *Referee) wrongNumber(v *evidence, w *weighing) (rules.Position, bool) {
	if n := w.Wrong.count(); n == 0 || n > missingPlaces || w.Unseen != 0 || w.Doubt.count() > 1 {
		return rules.Position{}, false
	}
	seen, ok := v.counted(&w.Legal.Play.Final, w.Doubt)
	if !ok || !r.miscounted(v, &seen) {
		return seen, false
	}
	score := v.score(&seen)
	if score-w.Legal.Score < missingLead || r.misreadAway(v, &seen) {
		return seen, false
	}
	return seen, score-v.score(&w.Literal) >= missingLead || r.vanished(v, &w.Literal, &seen)
}

// miscounted tells whether a side has not its number of checkers in the position, one that may have borne off unseen
// excepted.
func (r *Referee) miscounted(v *evidence, seen *rules.Position) bool {
	wrong := 0
	for side := rules.Light; side <= rules.Dark; side++ {
		n := seen.Active(side) + r.Match.Game.Excluded[side]
		if n < rules.Checkers && v.Off[side].N == 0 && r.bearing(side) || n > rules.Checkers+1 || n < rules.Checkers-mostMissing {
			return false
		}
		if n != rules.Checkers {
			wrong++
		}
	}
	return wrong == 1
}

// misreadAway tells whether the number of checkers is right if one place is read otherwise than most likely, or two where two
// are missing, by so little that it may be so.
func (r *Referee) misreadAway(v *evidence, seen *rules.Position) bool {
	for side := rules.Light; side <= rules.Dark; side++ {
		off := rules.Checkers - r.Match.Game.Excluded[side] - seen.Active(side)
		if off == 0 {
			continue
		}
		all, step := []float64{}, []float64{}
		for p := 1; p <= rules.Bar; p++ {
			all, step = append(all, v.besides(side, p, seen, off)), append(step, v.besides(side, p, seen, sign(off)))
		}
		slices.Sort(step)
		if slices.Max(all) > -missingLead || off == mostMissing && step[len(step)-1]+step[len(step)-2] > -missingLead {
			return true
		}
	}
	return false
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// besides returns by how much likelier it is that side has more checkers more on its point or bar p than in seen: mostly it
// is less so, and the figure below 0.
func (e *evidence) besides(side rules.Side, p int, seen *rules.Position, more int) float64 {
	const never = -1e9
	n := int(seen.Checkers[side][p]) + more
	switch {
	case n < 0 || n > rules.Checkers:
		return never
	case p == rules.Bar:
		return e.Bar[side].of(n) - e.Bar[side].of(n-more)
	case seen.Checkers[side.Other()][25-p] > 0:
		return never
	}
	if side == rules.Light {
		return e.point(p, n, 0) - e.point(p, n-more, 0)
	}
	return e.point(25-p, 0, n) - e.point(25-p, 0, n-more)
}

// mostMissing is how many checkers may have left the board unseen. None comes from anywhere but the tray: of more than one
// too many, and of both sides' numbers wrong at once, it is the eye that errs.
const mostMissing = 2

// bearing tells whether side has all its checkers at home, or begun to bear off: what is missing may be off.
func (r *Referee) bearing(side rules.Side) bool {
	row := &r.base().Checkers[side]
	outside := 0
	for p := 7; p <= rules.Bar; p++ {
		outside += int(row[p])
	}
	return row[rules.Off] > 0 || outside <= 4
}

// vanished tells whether the whole position differs from what was seen only by checkers in a tray that is seen and does
// not hold them: they are neither on the board nor off.
func (r *Referee) vanished(v *evidence, whole, seen *rules.Position) bool {
	a, b := *whole, *seen
	for side := range a.Checkers {
		if off := a.Checkers[side][rules.Off]; off != b.Checkers[side][rules.Off] && !v.Off[side].contradicts(int(off)) {
			return false
		}
		a.Checkers[side][rules.Off], b.Checkers[side][rules.Off] = 0, 0
	}
	return a == b
}

// watchMissing points out, before a roll, that a side has fewer checkers than it should (IRREG-9, S2), and forgets it when
// the board is as it was.
func (r *Referee) watchMissing() {
	v := &r.Eyes.View
	if r.open("S2") {
		r.watchFound(r.base())
		return
	}
	if v.Pictures < 2*rulePictures || v.To-v.From < missingStill || v.wrong(r.base()) == 0 || r.mayHaveRolled() {
		return // what seems to be missing may have been moved
	}
	seen, ok := v.counted(r.base(), 0)
	if ok && v.score(&seen)-v.score(r.base()) >= missingLead {
		r.tellMissing(&seen, r.base())
	}
}

// watchFound forgets that a checker is missing when the board shows pos, in which none is.
func (r *Referee) watchFound(pos *rules.Position) {
	if v := &r.Eyes.View; r.open("S2") && v.Pictures >= rulePictures && v.wrong(pos) == 0 {
		r.withdrawCode("S2")
	}
}

// tellMissing announces a side that has fewer checkers than expected and nothing else changed (S2).
func (r *Referee) tellMissing(seen, expected *rules.Position) {
	side, gone, places := rules.Light, 0, 0
	for s := rules.Light; s <= rules.Dark; s++ {
		for p := range expected.Checkers[s] {
			switch was, is := expected.Checkers[s][p], seen.Checkers[s][p]; {
			case is > was:
				return // moved, not missing
			case is < was:
				side, gone, places = s, gone+int(was-is), places+1
			}
		}
	}
	n := seen.Active(side)
	if gone == 0 || places > missingPlaces || n+gone != expected.Active(side) || r.bearing(side) || !r.once("S2") {
		return
	}
	r.rule("S2", side, map[string]string{"colour": side.String(), "n": strconv.Itoa(n)})
}

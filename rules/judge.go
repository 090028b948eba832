package rules

import "slices"

// Judge says whether turns were played by the rules. Like a Generator it keeps its memory and must not be used by
// two goroutines at once.
type Judge struct {
	generator Generator
	search    search
}

// NewJudge returns a judge of plays under options o.
func NewJudge(o Options) *Judge {
	return &Judge{generator: Generator{options: o}}
}

// Plays returns the legal plays as Generator.Plays does: valid until the judge's next use.
func (j *Judge) Plays(pos *Position, mover Side, dice Dice) []Play {
	return j.generator.Plays(pos, mover, dice)
}

// Judge compares the position after a turn with what mover could have made of dice on the position before it; the
// way it was reached does not matter (MOVE-14). Dice without numbers stand for a turn forfeited without a roll
// (ENTER-7). Excluded are the checkers of each side that are out of this game (IRREG-9).
//
// A position with the wrong number of checkers is Impossible (M9). One that is not legal has the first code
// that explains it, in the order M5, M8, M6, M4, M10, M11, M1, M2, M7, M3, M12: a code explains a position
// when breaking its rule alone, and keeping all others, leads there. What breaks no rule but that of playing on
// is M1 or M2, and what only the hit-and-run rule bars is M10, whatever else might explain it. The answer for a legal play allocates nothing.
func (j *Judge) Judge(before *Position, mover Side, dice Dice, after *Position, excluded [2]int) Verdict {
	plays := j.generator.Plays(before, mover, dice)
	for i := range plays {
		if plays[i].Final == *after {
			return Verdict{Legal: true, Play: plays[i]}
		}
	}
	if len(plays) == 0 && *after == *before {
		return Verdict{Legal: true, Play: Play{Final: *after}}
	}
	v := Verdict{Nearest: nearest(plays, after)}
	if err, ok := after.Check(excluded).(*ImpossibleError); ok {
		v.Impossible = err
		if err.Active != err.Want {
			v.Code, v.Rules, v.Points = Impossible, []string{"IRREG-11", "EQUIP-2"}, changedPoints(before, after, mover)
			return v
		}
	}
	c := turn{judge: j, before: before, after: after, mover: mover, dice: dice, plays: plays}
	v.Code, v.Rules, v.Points = c.explain()
	if v.Points == nil {
		v.Points = changedPoints(before, after, mover)
	}
	return v
}

// nearestMax is the number of nearest plays a verdict names.
const nearestMax = 3

// nearest returns copies of the plays whose final positions differ least from after.
func nearest(plays []Play, after *Position) []Play {
	type ranked struct{ distance, index int }
	order := make([]ranked, len(plays))
	for i := range plays {
		order[i] = ranked{plays[i].Final.distance(after), i}
	}
	slices.SortStableFunc(order, func(a, b ranked) int { return a.distance - b.distance })
	var best []Play
	for _, r := range order[:min(nearestMax, len(order))] {
		best = append(best, plays[r.index])
	}
	return best
}

// distance returns how many checkers stand elsewhere in q, counted at both ends.
func (p *Position) distance(q *Position) int {
	sum := 0
	for s := range p.Checkers {
		for point, n := range p.Checkers[s] {
			sum += max(int(n)-int(q.Checkers[s][point]), int(q.Checkers[s][point])-int(n))
		}
	}
	return sum
}

// changedPoints returns the points of the mover's numbering on which anything changed, from the rear.
func changedPoints(before, after *Position, mover Side) []uint8 {
	var points []uint8
	other := mover.Other()
	for p := Bar; p >= 0; p-- {
		changed := before.Checkers[mover][p] != after.Checkers[mover][p]
		if p > 0 && p < Bar {
			changed = changed || before.Checkers[other][25-p] != after.Checkers[other][25-p]
		}
		if changed {
			points = append(points, uint8(p))
		}
	}
	return points
}

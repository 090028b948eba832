package vision

import (
	"math"

	"davar/rules/sighting"
)

// A die that leans leans against something: the rail, the bar's edge, a checker or another die. The reader of dice sees
// little beyond the die itself; what is known of the board says whether there is anything to lean against.
const (
	leanReach = 1.1  // edges of the die between its foot's middle and what it leans against, at most
	leanFree  = 0.05 // by how much the odds of leaning change where there is nothing
	stackRows = 5    // checkers of a stack side by side; further ones lie on them
)

// weighLean makes it unlikely that a die leans which has nothing near to lean against. One that leans has the number that the leaner saw: the
// reader takes the face that shows best for the upper one.
func weighLean(r *Reading) {
	for i := range r.Dice {
		d := &r.Dice[i]
		if !supportNear(r, i) {
			d.Cocked = likelier(d.Cocked, leanFree)
		}
		if d.Cocked > 0.5 && d.Place != sighting.OnChecker && d.leaning != ([6]float32{}) {
			d.Values = leaningValues(d.leaning, d.Values[0])
		}
	}
}

// shownDoubt is what is added to the probability of each number of a leaning die.
const shownDoubt = 0.02

// leaningValues returns the probabilities of a leaning die's numbers, unreadable being that of none being readable.
func leaningValues(shown [6]float32, unreadable float32) (v [7]float32) {
	v[0] = unreadable
	for i, p := range shown {
		v[i+1] = (1 - unreadable) * (p + shownDoubt) / (1 + shownDoubt*float32(len(shown)))
	}
	return v
}

// likelier returns the probability whose odds are times as high as those of p.
func likelier(p float32, times float64) float32 {
	odds := float64(p) / math.Max(1e-6, 1-float64(p)) * times
	return float32(odds / (1 + odds))
}

// supportNear tells whether there is something within reach of the die's foot for it to lean against.
func supportNear(r *Reading, die int) bool {
	g, d := r.Geometry, &r.Dice[die]
	u, v := float64(d.U), float64(d.V)
	across, along := g.pixelsAt(u, v)
	near := func(du, dv float64) bool {
		return math.Hypot(du*across, dv*along) < leanReach*d.Size
	}
	for _, rail := range [4]float64{0, g.BarLeft, g.BarRight, 1} {
		if near(u-rail, 0) {
			return true
		}
	}
	if near(0, v) || near(0, 1-v) {
		return true
	}
	for i := range r.Dice {
		if o := &r.Dice[i]; i != die && near(u-float64(o.U), v-float64(o.V)) {
			return true
		}
	}
	for i := range 12 {
		left, right := g.PointSpan(i)
		beside := max(0, left-u, u-right)
		checker := (right - left) * across / along // a checker's width along the point
		for row, points := range [2]float64{v, 1 - v} {
			p := &r.Top[i]
			if row == 1 {
				p = &r.Bottom[i]
			}
			n, _ := p.Counts.Best()
			if n = min(stackRows, abs(n)); n > 0 && near(beside, max(0, points-float64(n)*checker)) {
				return true
			}
		}
	}
	return false
}

// pixelsAt returns how many pixels of the picture a step of 1 across the board, and one along it, makes at u, v.
func (g *Geometry) pixelsAt(u, v float64) (across, along float64) {
	const step = 0.01
	p := g.ToPicture(u, v)
	return distance(p, g.ToPicture(u+step, v)) / step, distance(p, g.ToPicture(u, v+step)) / step
}

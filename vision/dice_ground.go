package vision

import (
	"math"

	"davar/rules/sighting"
)

// Whether a die lies on a checker or on the ground the reader of dice sees by what is next to it, and sees badly where die and checker
// are of one colour. Where checkers stand the points tell: a die cannot lie where one stands, but on it, and on none where none
// stands. Lengths in radii of a checker.
const (
	checkerHigh = 0.65 // a checker's height, in edges of a die

	onChecker    = 0.95 // how far from a checker's middle that of a die on it lies at most
	besideIts    = 1.15 // how far that of a die beside it lies at least
	groundSteep  = 6    // by how much the logarithm of the odds changes with each radius beyond,
	groundSurest = 2.5  // and by how much at most
)

// ground is where a die may lie and how likely it is on a checker there, by its looks.
type ground struct {
	place   sighting.Place // if it does not lie on a checker
	raised  [2]float64     // u, v of the checker on which it would lie
	checker float32        // probability that it lies on one
	cocked  float32        // and, if it does, that it leans
	known   bool
}

// groundOf returns what the look tells of the ground below the die, place being where it is if that is no checker.
func groundOf(l *look, g *Geometry, up Pixel, place sighting.Place) ground {
	high := checkerHigh * l.size
	u, v := g.ToBoard(Pixel{l.at.X - l.up.X - high*up.X, l.at.Y - l.up.Y - high*up.Y})
	return ground{place: place, raised: [2]float64{u, v}, checker: l.checker, cocked: l.cocked, known: true}
}

// weighGround decides of each die whether it lies on a checker, now that the points were read.
func weighGround(r *Reading) {
	for i := range r.Dice {
		d := &r.Dice[i]
		if !d.ground.known || d.ground.place == sighting.OnBar {
			continue
		}
		on, beside := r.toChecker(d.ground.raised[0], d.ground.raised[1]), r.toChecker(float64(d.U), float64(d.V))
		if p := likelier(d.ground.checker, math.Exp(towards(onChecker-on)+towards(besideIts-beside))); p > 0.5 {
			d.Place, d.Cocked = sighting.OnChecker, d.ground.cocked
		} else {
			d.Place = d.ground.place
		}
	}
}

// towards returns what a distance within a bound speaks for, or one beyond it, negative, against.
func towards(within float64) float64 {
	return min(max(groundSteep*within, -groundSurest), groundSurest)
}

// toChecker returns how far the middle of the nearest checker that lies on a point lies from the place u, v.
func (r *Reading) toChecker(u, v float64) float64 {
	g, nearest := r.Geometry, math.Inf(1)
	across, along := g.pixelsAt(u, v)
	for i := range 12 {
		left, right := g.PointSpan(i)
		radius := (right - left) / 2 * across
		for row, away := range [2]float64{v, 1 - v} {
			p := &r.Top[i]
			if row == 1 {
				p = &r.Bottom[i]
			}
			n, _ := p.Counts.Best()
			for k := range min(stackRows, abs(n)) {
				d := math.Hypot((u-(left+right)/2)*across, away*along-float64(2*k+1)*radius) / radius
				nearest = min(nearest, d)
			}
		}
	}
	return nearest
}

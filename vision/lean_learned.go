package vision

import (
	"math"
	"time"
)

// A flat die's upper face lies beside the middle of its body, by how the camera stands to the board. That stanceOf tells from the
// corners alone, to about a fortieth of a die's edge; the dice of a game tell it better, one after the other, for nearly all lie
// flat. Figures in edges of a die, from the films and pictures of train/dice.md.
const (
	seenOff   = 0.02  // how far off is what one look sees of a flat die, each way
	stanceOff = 0.025 // how far off is what the corners tell in the picture's middle, each way,
	scaleOff  = 0.1   // and by how much that grows from there over the picture's longer side: the focal length is a guess

	// Of all looks round a die the one that speaks most for flat counts: by so much that is off for a flat die, for the wilder ones
	// of these and their share, and for one that leans.
	leastOff, wildOff, wildShare, leanOff = 0.0095, 0.03, 0.06, 0.048

	farOff = 0.1 // whatever lies further off speaks no louder

	surelyFlat = 0.1                     // probability of leaning up to which a die tells of others
	lainLong   = 1200 * time.Millisecond // after which a die that has not moved has come to rest for good
	sameStay   = 0.5                     // edges: a die that lies no further from one that has told is that one
	remembered = 12                      // dice that have told, to know them again
)

// uppers is what the flat dice on a board have told of where the upper face of a flat die lies, beside where the corners say:
// how far to the right and down in the picture's middle, and by how much farther out with each longer side of the picture from
// there. The zero value has been told nothing.
type uppers struct {
	weight [9]float64 // what the dice add to the precision of the three, row by row
	moment [3]float64
	told   []Pixel // where the dice lay that have told, in the picture
}

// add takes what a die that lies flat tells.
func (k *uppers) add(r *rise) {
	const w = 1 / (seenOff * seenOff)
	x, y := r.at.X, r.at.Y
	for i, v := range [9]float64{1, 0, x, 0, 1, y, x, y, x*x + y*y} {
		k.weight[i] += w * v
	}
	off := r.mean()
	for i, v := range [3]float64{off.X, off.Y, x*off.X + y*off.Y} {
		k.moment[i] += w * v
	}
}

// expect returns how far beside the stance's word the upper face of a flat die lies at a place, and the variance of that, each way.
func (k *uppers) expect(at Pixel) (off Pixel, variance float64) {
	m := k.weight
	for i, sd := range [3]float64{stanceOff, stanceOff, scaleOff} {
		m[4*i] += 1 / (sd * sd)
	}
	v := invert(m) // but for its determinant
	size := m[0]*v[0] + m[1]*v[3] + m[2]*v[6]
	for i := range v {
		v[i] /= size
	}
	var c [3]float64
	for i := range c {
		for j, b := range k.moment {
			c[i] += v[3*i+j] * b
		}
	}
	vx := v[0] + 2*at.X*v[2] + at.X*at.X*v[8]
	vy := v[4] + 2*at.Y*v[5] + at.Y*at.Y*v[8]
	return Pixel{c[0] + at.X*c[2], c[1] + at.Y*c[2]}, (vx + vy) / 2
}

// evidence returns the logarithm of how many times more likely a die that leans shows its upper face there than one that lies flat. A
// die that was not looked at from all round, for it looked flat, is none the less so for it, nor is one whose side may be hidden by a ground
// of its colour.
func (k *uppers) evidence(r *rise) float64 {
	mean, variance := k.expect(r.at)
	least := square(farOff)
	for _, o := range r.off[:r.looks] {
		least = min(least, square(o.X-mean.X)+square(o.Y-mean.Y))
	}
	density := func(sd float64) float64 {
		s := sd*sd + variance
		return math.Exp(-least/2/s) / s
	}
	e := math.Log(density(leanOff)) - math.Log((1-wildShare)*density(leastOff)+wildShare*density(wildOff))
	if r.looks < len(r.off) || r.blends {
		e = min(e, 0)
	}
	return e
}

// judge sets how probable it is that each of the dice leans: by its looks, by what the dice before it told, and by those beside it that
// lie flat.
func (k *uppers) judge(dice []Die) {
	for i := range dice {
		d := &dice[i]
		if d.rise.looks == 0 {
			continue
		}
		with := *k
		for j := range dice {
			if o := &dice[j].rise; j != i && o.looks > 0 && o.leans < surelyFlat && o.leans < d.rise.leans && !k.knows(&dice[j]) {
				with.add(o)
			}
		}
		d.Cocked = likelier(d.rise.leans, math.Exp(with.evidence(&d.rise)))
	}
}

// learn takes what the die tells, which has lain where it lies for long, if it lies flat and has not told yet.
func (k *uppers) learn(d *Die) {
	if d.rise.looks == 0 || d.Cocked >= surelyFlat || k.knows(d) {
		return
	}
	if len(k.told) == remembered {
		k.told = append(k.told[:0], k.told[1:]...)
	}
	k.told = append(k.told, d.Center)
	k.add(&d.rise)
}

// knows tells whether the die has told.
func (k *uppers) knows(d *Die) bool {
	for _, p := range k.told {
		if distance(p, d.Center) < sameStay*d.Size {
			return true
		}
	}
	return false
}

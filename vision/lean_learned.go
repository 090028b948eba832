package vision

import (
	"math"
	"time"
)

// A flat die's upper face lies beside the middle of its body, by how the camera stands to the board. That stanceOf tells from the
// corners alone, to about a fortieth of a die's edge; the dice of a game tell it better, one after the other, for nearly all lie
// flat. Figures in edges of a die, from the films and pictures of train/dice.md.
const (
	raisedByUp = 0.475 // how far from a flat die's middle that of its upper face lies where up is 1 (train/dice_read.py: FLAT)

	seenOff   = 0.02  // how far off is what one look sees of a flat die, each way
	stanceOff = 0.025 // how far off is what the corners tell in the picture's middle, each way,
	scaleOff  = 0.1   // and by how much that grows from there over the picture's longer side: the focal length is a guess

	// Of all looks round a die the one that speaks most for flat counts: by so much that is off for a flat die, for the wilder ones
	// of these and their share, and for one that leans.
	leastOff, wildOff, wildShare, leanOff = 0.0095, 0.03, 0.06, 0.048

	worthCircling = 0.1   // probability of leaning from which a die is looked at from all round
	circle        = 0.17  // how far beside its middle, in edges
	beside        = 0.8   // edges from the middle of the upper face to the ground beside it
	alikeColours  = 150.0 // levels by which colours differ that may pass for each other, one of them being in the shade

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

// rise is where the upper face of a die was seen.
type rise struct {
	at     Pixel    // of the die, from the picture's middle, in longer sides of the picture
	off    [8]Pixel // of its upper face in each look, beside where the stance would have it were the die flat, in edges
	looks  int      // 0: nothing is known
	blends bool     // where the side of the die should be seen the ground is of its colour: it may be there unseen
	leans  float32  // probability that it leans, by the looks of it alone
}

// mean returns the mean of all looks.
func (r *rise) mean() (m Pixel) {
	for _, o := range r.off[:r.looks] {
		m.X, m.Y = m.X+o.X/float64(r.looks), m.Y+o.Y/float64(r.looks)
	}
	return m
}

// circle looks at the die from places round its middle: where the network takes the middle to be depends on where it looks from, most
// of all where the die's sides are hard to tell from the ground; a die that leans does so from wherever it is looked at.
func (f *Finder) circle(s *scene, l *look) error {
	if l.cocked < worthCircling {
		return nil
	}
	for quarter, to := range [4]Pixel{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		at := Pixel{l.at.X + circle*l.size*to.X, l.at.Y + circle*l.size*to.Y}
		o, err := f.glance(s, at, l.size, quarter)
		if err != nil {
			return err
		}
		l.rise.join(&o.rise)
	}
	l.rise.blends = s.blends(l)
	return nil
}

// blends tells whether the ground beside the die, on the side to which its upper face seems to lean, is of the upper face's colour: there
// a side of a flat die may be seen and be taken for ground.
func (s *scene) blends(l *look) bool {
	lean := l.rise.mean()
	n := math.Hypot(lean.X, lean.Y)
	if n == 0 {
		return false
	}
	top := Pixel{l.at.X + l.up.X, l.at.Y + l.up.Y}
	ahead := Pixel{top.X + beside*l.size*lean.X/n, top.Y + beside*l.size*lean.Y/n}
	face, ground := s.colourAround(top, 0.3*l.size), s.colourAround(ahead, 0.15*l.size)
	apart := 0.0
	for i := range face {
		apart += square(face[i] - ground[i])
	}
	return apart < square(alikeColours)
}

// colourAround returns the median of each channel about p.
func (s *scene) colourAround(p Pixel, radius float64) (bgr [3]float64) {
	const steps = 5
	var seen [3][]float64
	for i := range steps * steps {
		x := int(p.X + radius*(float64(i%steps)*2/(steps-1)-1) + 0.5)
		y := int(p.Y + radius*(float64(i/steps)*2/(steps-1)-1) + 0.5)
		if x < 0 || y < 0 || x >= s.img.Cols() || y >= s.img.Rows() {
			continue
		}
		for c, v := range s.img.GetVecbAt(y, x) {
			seen[c] = append(seen[c], float64(v))
		}
	}
	for c := range bgr {
		if len(seen[c]) > 0 {
			bgr[c] = median(seen[c])
		}
	}
	return bgr
}

// join adds the looks of another.
func (r *rise) join(o *rise) {
	r.looks += copy(r.off[r.looks:], o.off[:o.looks])
}

// riseOf returns what one look tells.
func (s *scene) riseOf(l *look) rise {
	up, side := s.stance.up(l.at), float64(max(s.img.Cols(), s.img.Rows()))
	return rise{
		at:    Pixel{(l.at.X - s.stance.middle.X) / side, (l.at.Y - s.stance.middle.Y) / side},
		off:   [8]Pixel{{l.up.X/l.size - raisedByUp*up.X, l.up.Y/l.size - raisedByUp*up.Y}},
		looks: 1,
	}
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
	least := math.Inf(1)
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

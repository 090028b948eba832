package vision

import "math"

// Where a die's upper face is seen beside the middle of its body tells whether it leans (lean_learned.go). Lengths in edges of the die.
const (
	raisedByUp = 0.475 // how far from a flat die's middle that of its upper face lies where up is 1 (train/dice_read.py: FLAT)

	worthCircling = 0.1   // probability of leaning from which a die is looked at from all round
	circle        = 0.17  // how far beside its middle
	beside        = 0.8   // from the middle of the upper face to the ground beside it
	alikeColours  = 150.0 // levels by which colours differ that may pass for each other, one of them being in the shade
)

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

package vision

import (
	"image"
	"math"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// lens is how a camera's lens bends what is straight: the division model with its middle in that of the picture (Fitzgibbon,
// "Simultaneous linear estimation of multiple view geometry and lens distortion", 2001). A place r half diagonals from the
// middle would be at r / (1 + bend·r²) in a straight picture; wide lenses have a bend below 0, which makes edges of a board
// bulge outwards.
type lens struct {
	bend    float64
	middle  Pixel
	radius  float64    // half the picture's diagonal
	toBoard [9]float64 // from the straight picture
	toPlace [9]float64 // and to it
}

// straight returns where p would be in a straight picture.
func (l *lens) straight(p Pixel) Pixel {
	x, y := (p.X-l.middle.X)/l.radius, (p.Y-l.middle.Y)/l.radius
	k := l.radius / (1 + l.bend*(x*x+y*y))
	return Pixel{l.middle.X + x*k, l.middle.Y + y*k}
}

// bent returns where the picture shows what a straight one would show at p.
func (l *lens) bent(p Pixel) Pixel {
	x, y := (p.X-l.middle.X)/l.radius, (p.Y-l.middle.Y)/l.radius
	// What lies beyond all that the lens can show is left at its brim.
	k := 2 * l.radius / (1 + math.Sqrt(max(0, 1-4*l.bend*(x*x+y*y))))
	return Pixel{l.middle.X + x*k, l.middle.Y + y*k}
}

// through returns the geometry of the same corners in a picture of the given size taken through a lens that bends by so much;
// 0 is a lens that does not. It is g itself when the corners are none through such a lens.
func (g *Geometry) through(bend float64, size image.Point) *Geometry {
	if g.Bend() == bend {
		return g
	}
	seen := *g
	seen.lens = nil
	if bend == 0 {
		return &seen
	}
	l := &lens{bend: bend, middle: Pixel{float64(size.X) / 2, float64(size.Y) / 2}, radius: math.Hypot(float64(size.X), float64(size.Y)) / 2}
	var corners [4]Pixel
	for i, c := range g.Corners {
		corners[i] = l.straight(c)
	}
	flat, err := NewGeometry(corners, g.BarLeft, g.BarRight)
	if err != nil {
		return g
	}
	l.toPlace, l.toBoard = flat.toPicture, flat.toBoard
	seen.lens = l
	return &seen
}

// Bend returns how the lens bends the picture; 0: not at all, or not known.
func (g *Geometry) Bend() float64 {
	if g.lens == nil {
		return 0
	}
	return g.lens.bend
}

// strongest is the most that any lens bends, either way.
const strongest = 0.5

// Bends tried, and by how much more probable, as a logarithm, what is seen must be through one of them than through a straight lens.
var bends = [...]float64{-0.35, -0.28, -0.21, -0.14, -0.07, 0.07, 0.14}

const bendShows = 0.7

// seeThrough returns g through the lens by which its board is read most clearly: what a lens bends away from the points' places
// shows in what is read of them. clarity is the logarithm of a probability.
func (p *pointReader) seeThrough(img gocv.Mat, g *Geometry, clarity func(*Reading) float64) (*Geometry, error) {
	size := image.Pt(img.Cols(), img.Rows())
	best, most := g, math.Inf(-1)
	for i, bend := range append([]float64{0}, bends[:]...) {
		r := &Reading{Geometry: g.through(bend, size)}
		if err := p.read(img, r.Geometry, everyAspect[:1], r); err != nil {
			return nil, err
		}
		c := clarity(r)
		if i == 0 {
			if c > -bendShows {
				return r.Geometry, nil // no other can be so much clearer
			}
			c += bendShows
		}
		if c > most {
			best, most = r.Geometry, c
		}
	}
	return best, nil
}

// clarity is the logarithm of the probability of what is most likely on every point.
func (r *Reading) clarity() (sum float64) {
	for i := range r.Top {
		for _, p := range [2]*sighting.Point{&r.Top[i], &r.Bottom[i]} {
			_, sure := p.Counts.Best()
			sum += math.Log(float64(sure))
		}
	}
	return sum
}

// startClarity is the logarithm of the probability of the likeliest starting position.
func (r *Reading) startClarity() float64 {
	_, _, p := findStart(r)
	return math.Log(p)
}

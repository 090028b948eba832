package vision

import (
	"math"
	"slices"
)

// The canvas is the picture turned and scaled so that the bounding box of the board's corners fits boardWidth by
// boardHeight in its middle; what is left around it shows trays and table. The networks were trained on it: the
// same numbers stand in train/dice_data.py.
const (
	canvasWidth, canvasHeight = 512, 384
	boardWidth, boardHeight   = 412, 332
)

// affine takes x, y to (a x + b y + c, d x + e y + f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) apply(p Pixel) Pixel {
	return Pixel{m.a*p.X + m.b*p.Y + m.c, m.d*p.X + m.e*p.Y + m.f}
}

// turn applies the linear part alone: directions and distances.
func (m affine) turn(p Pixel) Pixel { return Pixel{m.a*p.X + m.b*p.Y, m.d*p.X + m.e*p.Y} }

func (m affine) inverse() affine {
	det := m.a*m.e - m.b*m.d
	a, b, d, e := m.e/det, -m.b/det, -m.d/det, m.a/det
	return affine{a, b, -(a*m.c + b*m.f), d, e, -(d*m.c + e*m.f)}
}

// after returns the map that applies first, then m.
func (m affine) after(first affine) affine {
	return affine{
		m.a*first.a + m.b*first.d, m.a*first.b + m.b*first.e, m.a*first.c + m.b*first.f + m.c,
		m.d*first.a + m.e*first.d, m.d*first.b + m.e*first.e, m.d*first.c + m.e*first.f + m.f,
	}
}

// scale returns how many times longer a distance becomes under a similarity.
func (m affine) scale() float64 { return math.Hypot(m.a, m.d) }

// canvasOf returns the similarity from the picture to the canvas.
func canvasOf(corners [4]Pixel) affine {
	ax := corners[1].X - corners[0].X + corners[2].X - corners[3].X
	ay := corners[1].Y - corners[0].Y + corners[2].Y - corners[3].Y
	n := math.Hypot(ax, ay)
	m := affine{a: ax / n, b: ay / n, d: -ay / n, e: ax / n}
	var xs, ys [4]float64
	for i, c := range corners {
		p := m.apply(c)
		xs[i], ys[i] = p.X, p.Y
	}
	x0, x1, y0, y1 := slices.Min(xs[:]), slices.Max(xs[:]), slices.Min(ys[:]), slices.Max(ys[:])
	s := min(boardWidth/(x1-x0), boardHeight/(y1-y0))
	return affine{
		s * m.a, s * m.b, canvasWidth/2 - s*(x0+x1)/2,
		s * m.d, s * m.e, canvasHeight/2 - s*(y0+y1)/2,
	}
}

// rootOf returns the root of the area of the board in the picture, in pixels: what sizes of things on it go by.
func rootOf(corners [4]Pixel) float64 {
	twice := 0.0
	for i, p := range corners {
		q := corners[(i+1)%4]
		twice += p.X*q.Y - q.X*p.Y
	}
	return math.Sqrt(math.Abs(twice) / 2)
}

package vision

import (
	"fmt"
	"math"
)

// Pixel is a place in a picture, origin at the top left, in pixels.
type Pixel struct{ X, Y float64 }

// Geometry says where the playing surface lies in the picture. Make one with NewGeometry.
type Geometry struct {
	Corners           [4]Pixel // TL, TR, BR, BL of the rectified view
	BarLeft, BarRight float64  // edges of the bar as shares of the rectified width; equal: a board without a bar

	toBoard, toPicture [9]float64 // row-major homographies, as if the lens were straight
	lens               *lens      // nil: it is
}

// NewGeometry returns the geometry of a board with the given corners and bar edges. It fails when the corners
// are not those of a convex quadrilateral in clockwise order.
func NewGeometry(corners [4]Pixel, barLeft, barRight float64) (*Geometry, error) {
	for i := range corners {
		a, b, c := corners[i], corners[(i+1)%4], corners[(i+2)%4]
		if (b.X-a.X)*(c.Y-b.Y)-(b.Y-a.Y)*(c.X-b.X) <= 0 {
			return nil, fmt.Errorf("vision: set the corners: they must go round the board clockwise from its top left, got %v", corners)
		}
	}
	if barLeft > barRight || barLeft < 0.3 || barRight > 0.7 {
		return nil, fmt.Errorf("vision: set the bar: edges %.3f and %.3f are not near the middle", barLeft, barRight)
	}
	g := &Geometry{Corners: corners, BarLeft: barLeft, BarRight: barRight}
	g.toPicture = squareToQuad(corners)
	g.toBoard = invert(g.toPicture)
	return g, nil
}

// ToBoard returns where the pixel lies on the rectified board; outside it u or v leave 0...1.
func (g *Geometry) ToBoard(p Pixel) (u, v float64) {
	if g.lens != nil {
		p = g.lens.straight(p)
		return project(&g.lens.toBoard, p.X, p.Y)
	}
	return project(&g.toBoard, p.X, p.Y)
}

// ToPicture returns the pixel that shows the place u, v of the rectified board.
func (g *Geometry) ToPicture(u, v float64) Pixel {
	if g.lens != nil {
		x, y := project(&g.lens.toPlace, u, v)
		return g.lens.bent(Pixel{x, y})
	}
	x, y := project(&g.toPicture, u, v)
	return Pixel{x, y}
}

// PointSpan returns the left and right edge, as shares of the width, of column i (0...11 from the left) of the
// rectified board: six equal columns on each side of the bar.
func (g *Geometry) PointSpan(i int) (left, right float64) {
	if i < 6 {
		w := g.BarLeft / 6
		return float64(i) * w, float64(i+1) * w
	}
	w := (1 - g.BarRight) / 6
	return g.BarRight + float64(i-6)*w, g.BarRight + float64(i-5)*w
}

// Diagonal returns the longer diagonal of the board in the picture, in pixels.
func (g *Geometry) Diagonal() float64 {
	d := func(a, b Pixel) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
	return max(d(g.Corners[0], g.Corners[2]), d(g.Corners[1], g.Corners[3]))
}

// squareToQuad returns the homography that takes the unit square to the quadrilateral q (Heckbert, "Fundamentals
// of Texture Mapping and Image Warping", 1989, section 2.2.3).
func squareToQuad(q [4]Pixel) [9]float64 {
	dx1, dx2 := q[1].X-q[2].X, q[3].X-q[2].X
	dy1, dy2 := q[1].Y-q[2].Y, q[3].Y-q[2].Y
	sx := q[0].X - q[1].X + q[2].X - q[3].X
	sy := q[0].Y - q[1].Y + q[2].Y - q[3].Y
	den := dx1*dy2 - dx2*dy1
	g := (sx*dy2 - dx2*sy) / den
	h := (dx1*sy - sx*dy1) / den
	return [9]float64{
		q[1].X - q[0].X + g*q[1].X, q[3].X - q[0].X + h*q[3].X, q[0].X,
		q[1].Y - q[0].Y + g*q[1].Y, q[3].Y - q[0].Y + h*q[3].Y, q[0].Y,
		g, h, 1,
	}
}

func invert(m [9]float64) [9]float64 {
	return [9]float64{
		m[4]*m[8] - m[5]*m[7], m[2]*m[7] - m[1]*m[8], m[1]*m[5] - m[2]*m[4],
		m[5]*m[6] - m[3]*m[8], m[0]*m[8] - m[2]*m[6], m[2]*m[3] - m[0]*m[5],
		m[3]*m[7] - m[4]*m[6], m[1]*m[6] - m[0]*m[7], m[0]*m[4] - m[1]*m[3],
	}
}

func project(m *[9]float64, x, y float64) (float64, float64) {
	w := m[6]*x + m[7]*y + m[8]
	return (m[0]*x + m[1]*y + m[2]) / w, (m[3]*x + m[4]*y + m[5]) / w
}

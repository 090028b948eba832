package vision

import (
	"image"

	"gocv.io/x/gocv"
)

// bending makes the rectified view of a picture that a lens bends: no homography does, every pixel has a source of its own.
// The sources are kept as long as the board lies where it did.
type bending struct {
	coarse int
	x, y   gocv.Mat // the sources
	of     *Geometry
	scale  float64
	origin image.Point
}

func newBending(coarse int) bending {
	return bending{coarse: coarse, x: gocv.NewMat(), y: gocv.NewMat()}
}

func (b *bending) close() {
	b.x.Close()
	b.y.Close()
}

// fill fills view, the whole of it, from src, the picture or its part that shrink made.
func (b *bending) fill(view *gocv.Mat, src gocv.Mat, g *Geometry, scale float64, origin image.Point) {
	if b.of != g || b.scale != scale || b.origin != origin {
		b.place(view.Cols(), view.Rows(), g, scale, origin)
	}
	gocv.Remap(src, view, &b.x, &b.y, gocv.InterpolationLinear, gocv.BorderReplicate, black)
}

// place works out the sources.
func (b *bending) place(cols, rows int, g *Geometry, scale float64, origin image.Point) {
	if b.x.Empty() {
		b.x.Close()
		b.y.Close()
		b.x = gocv.NewMatWithSize(rows, cols, gocv.MatTypeCV32F)
		b.y = gocv.NewMatWithSize(rows, cols, gocv.MatTypeCV32F)
	}
	xs, _ := b.x.DataPtrFloat32() // their type and layout are those just made
	ys, _ := b.y.DataPtrFloat32()
	for _, s := range strips(g) {
		ku, kv := (s.u1-s.u0)/float64(s.x1-s.x0), 0.5/halfHeight
		for y := range rows {
			v := float64(y*b.coarse)*kv - kv*viewMargin
			for x := s.x0 / b.coarse; x < s.x1/b.coarse; x++ {
				p := g.ToPicture(s.u0+float64(x*b.coarse-s.x0)*ku, v)
				xs[y*cols+x] = float32((p.X - float64(origin.X)) * scale)
				ys[y*cols+x] = float32((p.Y - float64(origin.Y)) * scale)
			}
		}
	}
	b.of, b.scale, b.origin = g, scale, origin
}

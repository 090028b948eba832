package vision

import (
	"image"

	"gocv.io/x/gocv"
)

const (
	rectifiedShape  = 0.72 // height of the playing surface over its width, as most boards have it
	rectifiedMargin = 0.06 // of the width, shown around the surface
)

// Rectify puts into dst the board as it is seen from straight above, with a margin around the playing surface: a picture
// for people, of the given width in pixels. img is BGR; g says where the board lies in it.
func Rectify(img gocv.Mat, g *Geometry, width int, dst *gocv.Mat) {
	margin := int(rectifiedMargin * float64(width))
	right := width - margin
	bottom := margin + int(rectifiedShape*float64(right-margin))
	corners := make([]gocv.Point2f, len(g.Corners))
	for i, c := range g.Corners {
		corners[i] = gocv.Point2f{X: float32(c.X), Y: float32(c.Y)}
	}
	from := gocv.NewPoint2fVectorFromPoints(corners)
	defer from.Close()
	to := gocv.NewPoint2fVectorFromPoints([]gocv.Point2f{
		{X: float32(margin), Y: float32(margin)}, {X: float32(right), Y: float32(margin)},
		{X: float32(right), Y: float32(bottom)}, {X: float32(margin), Y: float32(bottom)},
	})
	defer to.Close()
	matrix := gocv.GetPerspectiveTransform2f(from, to)
	defer matrix.Close()
	gocv.WarpPerspective(img, dst, matrix, image.Pt(width, bottom+margin))
}

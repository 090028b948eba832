package vision

import (
	"image"
	"image/color"

	"gocv.io/x/gocv"
)

// cutter cuts views of one size out of pictures. It owns its Mats and is not safe for concurrent use.
type cutter struct {
	size            image.Point
	border          gocv.BorderType // what lies outside the picture
	view, shrunk, m gocv.Mat
}

func newCutter(width, height int, border gocv.BorderType) *cutter {
	return &cutter{
		size: image.Pt(width, height), border: border,
		view: gocv.NewMat(), shrunk: gocv.NewMat(), m: gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F),
	}
}

func (c *cutter) close() {
	c.view.Close()
	c.shrunk.Close()
	c.m.Close()
}

// cut returns what m, a similarity from img to the view, shows of img. It is valid until the next call.
func (c *cutter) cut(img gocv.Mat, m affine) gocv.Mat {
	src := img
	if f := int(1 / m.scale()); f >= 2 { // shrink by whole steps first, against aliasing
		part := bounds(m.inverse(), c.size).Inset(-2 * f).Intersect(image.Rect(0, 0, img.Cols(), img.Rows()))
		if part.Dx() >= f && part.Dy() >= f {
			region := img.Region(part)
			gocv.Resize(region, &c.shrunk, image.Pt(part.Dx()/f, part.Dy()/f), 0, 0, gocv.InterpolationArea)
			region.Close()
			src = c.shrunk
			fx, fy := float64(part.Dx())/float64(src.Cols()), float64(part.Dy())/float64(src.Rows())
			m = m.after(affine{fx, 0, float64(part.Min.X) + (fx-1)/2, 0, fy, float64(part.Min.Y) + (fy-1)/2})
		}
	}
	for i, v := range [6]float64{m.a, m.b, m.c, m.d, m.e, m.f} {
		c.m.SetDoubleAt(i/3, i%3, v)
	}
	gocv.WarpAffineWithParams(src, &c.view, c.m, c.size, gocv.InterpolationLinear, c.border, color.RGBA{})
	return c.view
}

// bounds returns the rectangle of the picture that a view of the given size shows.
func bounds(toPicture affine, size image.Point) image.Rectangle {
	w, h := float64(size.X), float64(size.Y)
	var r image.Rectangle
	for _, q := range [4]Pixel{{0, 0}, {w, 0}, {0, h}, {w, h}} {
		p := toPicture.apply(q)
		r = r.Union(image.Rect(int(p.X), int(p.Y), int(p.X)+1, int(p.Y)+1))
	}
	return r
}

package vision

import (
	"image"
	"image/color"
	"math"

	"gocv.io/x/gocv"
)

// The rectified view that the points are read from: fourteen slots of equal width, six for the left half, two for
// the bar, six for the right half, with a margin all round. vision/train/boards.py makes the same view; change
// both together.
const (
	slotWidth  = 32 // pixels
	halfHeight = 160
	viewMargin = 16
	viewWidth  = 14*slotWidth + 2*viewMargin
	viewHeight = 2*halfHeight + 2*viewMargin
	barReach   = 0.65 // the bar's slots show at least this many point widths on each side of its middle
	finest     = 1.25 // a board more than this many times as wide as the view is made smaller first
)

// warpInverse makes OpenCV take a homography as leading from the target to the source.
const warpInverse gocv.InterpolationFlags = 16

// strip is a part of the rectified view with a scale of its own: columns x0...x1 show u0...u1 of the board.
type strip struct {
	x0, x1 int
	u0, u1 float64
}

func strips(g *Geometry) [3]strip {
	width := (g.BarLeft + 1 - g.BarRight) / 12
	reach := max((g.BarRight-g.BarLeft)/2, barReach*width)
	middle := (g.BarLeft + g.BarRight) / 2
	const over = float64(viewMargin) / slotWidth / 6
	const six = 6 * slotWidth
	return [3]strip{
		{0, viewMargin + six, -over * g.BarLeft, g.BarLeft},
		{viewMargin + six, viewMargin + six + 2*slotWidth, middle - reach, middle + reach},
		{viewWidth - viewMargin - six, viewWidth, g.BarRight, g.BarRight + (1-g.BarRight)*(1+over)},
	}
}

// rectifier makes the rectified view of pictures. It owns its Mats.
type rectifier struct {
	coarse int // the view is this many times smaller than the networks' one
	view   gocv.Mat
	parts  [3]gocv.Mat // regions of view
	small  gocv.Mat    // the board's part of the picture, made smaller
	matrix gocv.Mat
	bends  bending // used where the lens bends
}

func newRectifier(coarse int) *rectifier {
	r := &rectifier{
		coarse: coarse,
		view:   gocv.NewMatWithSize(viewHeight/coarse, viewWidth/coarse, gocv.MatTypeCV8UC3),
		small:  gocv.NewMat(),
		matrix: gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F),
		bends:  newBending(coarse),
	}
	edges := [4]int{0, viewMargin + 6*slotWidth, viewWidth - viewMargin - 6*slotWidth, viewWidth}
	for i := range r.parts {
		r.parts[i] = r.view.Region(image.Rect(edges[i]/coarse, 0, edges[i+1]/coarse, viewHeight/coarse))
	}
	return r
}

func (r *rectifier) close() {
	for i := range r.parts {
		r.parts[i].Close()
	}
	r.view.Close()
	r.small.Close()
	r.matrix.Close()
	r.bends.close()
}

// rectify fills the view with the board of img and returns it; it is valid until the next call. A picture finer than
// the view is made smaller first, against aliasing; a coarse view is for watching and takes it as it is.
func (r *rectifier) rectify(img gocv.Mat, g *Geometry) gocv.Mat {
	scale := 1.0
	if r.coarse == 1 {
		scale = g.finestScale()
	}
	src, scale, origin := shrink(img, &r.small, g, scale, 0.1)
	if g.lens != nil {
		r.bends.fill(&r.view, src, g, scale, origin)
		return r.view
	}
	for i, s := range strips(g) {
		ku := (s.u1 - s.u0) / float64(s.x1-s.x0) * float64(r.coarse)
		kv := 0.5 / halfHeight * float64(r.coarse)
		m := multiply(g.toPicture, [9]float64{ku, 0, s.u0, 0, kv, -0.5 / halfHeight * viewMargin, 0, 0, 1})
		r.warp(src, &r.parts[i], place(m, scale, origin))
	}
	return r.view
}

// finestScale returns the scale at which the picture is as fine as the view makes use of.
func (g *Geometry) finestScale() float64 {
	c := g.Corners
	return finest * 14 * slotWidth / ((distance(c[0], c[1]) + distance(c[3], c[2])) / 2)
}

// warp fills dst, of the size it has, with what m (from its pixels to those of src) shows.
func (r *rectifier) warp(src gocv.Mat, dst *gocv.Mat, m [9]float64) {
	setMatrix(r.matrix, m)
	gocv.WarpPerspectiveWithParams(src, dst, r.matrix, image.Pt(dst.Cols(), dst.Rows()),
		gocv.InterpolationLinear|warpInverse, gocv.BorderReplicate, black)
}

// shrink returns img, or when scale is below 1 the part of it that shows the board with the given margin (a share
// of the board), made smaller by scale into small, so that sampling it does not alias; and the scale and origin
// to place a homography with.
func shrink(img gocv.Mat, small *gocv.Mat, g *Geometry, scale, margin float64) (gocv.Mat, float64, image.Point) {
	if scale >= 1 {
		return img, 1, image.Point{}
	}
	part := g.bounds(margin).Intersect(image.Rect(0, 0, img.Cols(), img.Rows()))
	if part.Dx() < 8 || part.Dy() < 8 {
		return img, 1, image.Point{}
	}
	region := img.Region(part)
	defer region.Close()
	size := image.Pt(max(8, int(math.Round(float64(part.Dx())*scale))), max(8, int(math.Round(float64(part.Dy())*scale))))
	how := gocv.InterpolationArea
	if scale >= 0.5 { // two pixels are weighed for each, none is passed over: as good, at a third of the cost
		how = gocv.InterpolationLinear
	}
	gocv.Resize(region, small, size, 0, 0, how)
	return *small, scale, part.Min
}

// place turns a homography into the picture into one into its shrunk part.
func place(m [9]float64, scale float64, origin image.Point) [9]float64 {
	return multiply([9]float64{scale, 0, -scale * float64(origin.X), 0, scale, -scale * float64(origin.Y), 0, 0, 1}, m)
}

// bounds returns the rectangle of the picture that holds the board and a margin (a share of the board) round it.
func (g *Geometry) bounds(margin float64) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, uv := range [4][2]float64{{-margin, -margin}, {1 + margin, -margin}, {1 + margin, 1 + margin}, {-margin, 1 + margin}} {
		p := g.ToPicture(uv[0], uv[1])
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	const far = 1 << 20
	clamp := func(v float64) int { return int(max(-far, min(far, v))) }
	return image.Rect(clamp(math.Floor(x0)), clamp(math.Floor(y0)), clamp(math.Ceil(x1))+1, clamp(math.Ceil(y1))+1)
}

func distance(a, b Pixel) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

func multiply(a, b [9]float64) (c [9]float64) {
	for i := range 3 {
		for j := range 3 {
			c[3*i+j] = a[3*i]*b[j] + a[3*i+1]*b[3+j] + a[3*i+2]*b[6+j]
		}
	}
	return c
}

func setMatrix(m gocv.Mat, v [9]float64) {
	for i, x := range v {
		m.SetDoubleAt(i/3, i%3, x)
	}
}

var black = color.RGBA{}

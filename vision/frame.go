package vision

import (
	_ "embed" // the weights
	"image"
	"math"

	"gocv.io/x/gocv"
)

//go:embed weights/frame.onnx.gz
var frameWeights []byte

// The view that the frame network sees: the picture rectified by the corners to set right, and frameReach of the
// board beyond them on each side. vision/train/frame.py makes the same view; change both together.
const (
	frameSide   = 160 // pixels
	frameAnswer = 12  // numbers: how far the corners are off, the bar, whether the board lies there or nothing
	frameReach  = 0.2
	frameFinest = 1.5 // a board whose diagonal is more than this many times the view's is made smaller first
)

// unitSquare holds the rectified board's corners: TL, TR, BR, BL.
var unitSquare = [4][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}

// offsets say how far each corner lies from where it was looked for, as shares of the board's width and height.
type offsets [4][2]float64

// apply returns the corners that lie by o from where g places them, in the picture.
func (o *offsets) apply(g *Geometry) (corners [4]Pixel) {
	for i, c := range unitSquare {
		corners[i] = g.ToPicture(c[0]+o[i][0], c[1]+o[i][1])
	}
	return corners
}

// less returns o without what p says.
func (o offsets) less(p *offsets) offsets {
	for i := range o {
		o[i][0] -= p[i][0]
		o[i][1] -= p[i][1]
	}
	return o
}

// most returns the largest of the offsets.
func (o *offsets) most() (d float64) {
	for _, c := range o {
		d = max(d, math.Hypot(c[0], c[1]))
	}
	return d
}

// beyond returns how many corners lie off by more than limit.
func (o *offsets) beyond(limit float64) (n int) {
	for _, c := range o {
		if math.Hypot(c[0], c[1]) > limit {
			n++
		}
	}
	return n
}

// framing is what the frame network says of a board roughly placed.
type framing struct {
	offsets           offsets // of the corners from where they were looked for
	barLeft, barRight float64
	lies              float32 // probability that the bar lies across the view instead of standing in it
	nothing           float32 // probability that there is no board
}

// framer sets roughly placed corners right and finds the bar's edges. It is not safe for concurrent use.
type framer struct {
	view, small, matrix gocv.Mat
	net                 *network
}

func newFramer() (*framer, error) {
	net, err := newNetwork("frame", frameAnswer, frameWeights)
	if err != nil {
		return nil, err
	}
	return &framer{
		view:   gocv.NewMatWithSize(frameSide, frameSide, gocv.MatTypeCV8UC3),
		small:  gocv.NewMat(),
		matrix: gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F),
		net:    net,
	}, nil
}

func (f *framer) close() {
	f.view.Close()
	f.small.Close()
	f.matrix.Close()
	f.net.close()
}

// look returns what the network says of the board that g places roughly.
func (f *framer) look(img gocv.Mat, g *Geometry) (fr framing, err error) {
	src, scale, origin := shrink(img, &f.small, g, frameFinest*frameSide/g.Diagonal(), frameReach+0.05)
	const k = (1 + 2*frameReach) / frameSide
	setMatrix(f.matrix, place(multiply(g.toPicture, [9]float64{k, 0, -frameReach, 0, k, -frameReach, 0, 0, 1}), scale, origin))
	gocv.WarpPerspectiveWithParams(src, &f.view, f.matrix, image.Pt(frameSide, frameSide),
		gocv.InterpolationLinear|warpInverse, gocv.BorderReplicate, black)
	err = f.net.run(f.view, func(out []float32) {
		for i := range fr.offsets {
			fr.offsets[i] = [2]float64{float64(out[2*i]) / 20, float64(out[2*i+1]) / 20}
		}
		middle, width := 0.5+float64(out[8])/10, max(0, float64(out[9]))/10
		fr.barLeft, fr.barRight = middle-width/2, middle+width/2
		fr.lies, fr.nothing = logistic(out[10]), logistic(out[11])
	})
	return fr, err
}

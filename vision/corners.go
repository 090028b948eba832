package vision

import (
	_ "embed" // the weights
	"image"
	"image/color"
	"math"

	"gocv.io/x/gocv"
)

//go:embed weights/corners.onnx.gz
var cornersWeights []byte

// The canvas that the corners network sees: the picture, or a part of it, in the middle of a grey square.
// vision/train/corners.py makes the same canvas; change both together.
const (
	canvasSide   = 192 // pixels
	canvasEdge   = 8   // kept free on each side
	canvasGrey   = 114
	canvasStride = 8 // pixels for each cell of the network's answer
	canvasCells  = canvasSide / canvasStride
	nearTop      = 3 // cells round the most probable one that say where in it a corner lies
	canvasMap    = canvasCells * canvasCells
	canvasFilled = 0.72 // share of the canvas's side that a board fills when it is looked at more closely
)

// cornerFinder finds the corners of a board roughly, within a tenth of its size. It is not safe for concurrent use.
type cornerFinder struct {
	small, canvas, matrix gocv.Mat
	net                   *network
}

func newCornerFinder() (*cornerFinder, error) {
	net, err := newNetwork("corners", 4*canvasMap, cornersWeights)
	if err != nil {
		return nil, err
	}
	return &cornerFinder{
		small:  gocv.NewMat(),
		canvas: gocv.NewMatWithSize(canvasSide, canvasSide, gocv.MatTypeCV8UC3),
		matrix: gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F),
		net:    net,
	}, nil
}

func (c *cornerFinder) close() {
	c.small.Close()
	c.canvas.Close()
	c.matrix.Close()
	c.net.close()
}

// find returns the corners in the picture's order: top left, top right, bottom right, bottom left. It looks at the
// whole picture, then at the part of it that the board seems to fill.
func (c *cornerFinder) find(img gocv.Mat) (corners [4]Pixel, err error) {
	if corners, err = c.look(img, whole(img)); err != nil {
		return corners, err
	}
	return c.look(img, about(corners))
}

// canvasPlace says how a picture lies on the canvas: pixel x, y at k*x+dx, k*y+dy.
type canvasPlace struct{ k, dx, dy float64 }

// whole places all of the picture on the canvas.
func whole(img gocv.Mat) canvasPlace {
	w, h := float64(img.Cols()), float64(img.Rows())
	k := (canvasSide - 2*canvasEdge) / max(w, h)
	return canvasPlace{k, (canvasSide - k*w) / 2, (canvasSide - k*h) / 2}
}

// about places on the canvas what lies round a board with the given corners.
func about(corners [4]Pixel) canvasPlace {
	low, high := corners[0], corners[0]
	for _, c := range corners {
		low = Pixel{min(low.X, c.X), min(low.Y, c.Y)}
		high = Pixel{max(high.X, c.X), max(high.Y, c.Y)}
	}
	k := canvasFilled * canvasSide / max(high.X-low.X, high.Y-low.Y, 1)
	return canvasPlace{k, canvasSide/2 - k*(low.X+high.X)/2, canvasSide/2 - k*(low.Y+high.Y)/2}
}

// look returns the corners that the network sees in the picture so placed.
func (c *cornerFinder) look(img gocv.Mat, at canvasPlace) (corners [4]Pixel, err error) {
	c.paint(img, at)
	err = c.net.run(c.canvas, func(out []float32) {
		for i := range corners {
			x, y := meanPlace(out[i*canvasMap:][:canvasMap], canvasCells, canvasStride, nearTop)
			corners[i] = Pixel{(x - at.dx) / at.k, (y - at.dy) / at.k}
		}
	})
	return corners, err
}

// paint fills the canvas with the picture placed there.
func (c *cornerFinder) paint(img gocv.Mat, at canvasPlace) {
	w, h := float64(img.Cols()), float64(img.Rows())
	kx, ky := at.k, at.k
	src := img
	if f := 0.75 / at.k; f > 1.3 {
		size := image.Pt(max(1, int(math.Round(w/f))), max(1, int(math.Round(h/f))))
		gocv.Resize(img, &c.small, size, 0, 0, gocv.InterpolationArea)
		src, kx, ky = c.small, at.k*w/float64(size.X), at.k*h/float64(size.Y)
	}
	for i, v := range [6]float64{kx, 0, at.dx, 0, ky, at.dy} {
		c.matrix.SetDoubleAt(i/3, i%3, v)
	}
	gocv.WarpAffineWithParams(src, &c.canvas, c.matrix, image.Pt(canvasSide, canvasSide), gocv.InterpolationLinear,
		gocv.BorderConstant, color.RGBA{canvasGrey, canvasGrey, canvasGrey, 0})
}

// meanPlace returns the mean place, in pixels of a view, of the cells within reach of the most probable one, under
// log-probabilities given up to a constant for square cells of stride pixels, cells to a row.
func meanPlace(logits []float32, cells int, stride float64, reach int) (x, y float64) {
	top := 0
	for i, v := range logits {
		if v > logits[top] {
			top = i
		}
	}
	var sum float64
	for r := max(0, top/cells-reach); r <= min(len(logits)/cells-1, top/cells+reach); r++ {
		for c := max(0, top%cells-reach); c <= min(cells-1, top%cells+reach); c++ {
			p := math.Exp(float64(logits[r*cells+c] - logits[top]))
			x += p * float64(c)
			y += p * float64(r)
			sum += p
		}
	}
	middle := (stride - 1) / 2
	return x/sum*stride + middle, y/sum*stride + middle
}

package vision

import (
	_ "embed" // the weights
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"
)

//go:embed weights/corners.onnx
var cornersWeights []byte

// The canvas that the corners network sees: the whole picture in the middle of a grey square.
// vision/train/corners.py makes the same canvas; change both together.
const (
	canvasSide   = 192 // pixels
	canvasEdge   = 8   // kept free on each side
	canvasGrey   = 114
	canvasStride = 8 // pixels for each cell of the network's answer
	canvasCells  = canvasSide / canvasStride
)

// cornerFinder finds the corners of a board roughly, within a few hundredths of its size. It is not safe for
// concurrent use.
type cornerFinder struct {
	small, canvas, matrix gocv.Mat
	net                   *network
}

func newCornerFinder() (*cornerFinder, error) {
	net, err := newNetwork("corners", cornersWeights)
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

// find returns the corners in the picture's order: top left, top right, bottom right, bottom left.
func (c *cornerFinder) find(img gocv.Mat) (corners [4]Pixel, err error) {
	k, dx, dy := c.paint(img)
	var short bool
	err = c.net.run(c.canvas, func(out []float32) {
		if short = len(out) != 4*canvasCells*canvasCells; short {
			return
		}
		for i := range corners {
			x, y := expectation(out[i*canvasCells*canvasCells:][:canvasCells*canvasCells], canvasCells, canvasStride)
			corners[i] = Pixel{(x - dx) / k, (y - dy) / k}
		}
	})
	if err == nil && short {
		err = fmt.Errorf("vision: find the corners: the network of OpenCV %s gave an answer of the wrong size", gocv.OpenCVVersion())
	}
	return corners, err
}

// paint fills the canvas with the picture and returns the scale and offset that take its pixels there.
func (c *cornerFinder) paint(img gocv.Mat) (k, dx, dy float64) {
	w, h := float64(img.Cols()), float64(img.Rows())
	k = (canvasSide - 2*canvasEdge) / max(w, h)
	dx, dy = (canvasSide-k*w)/2, (canvasSide-k*h)/2
	kx, ky := k, k
	src := img
	if f := 0.75 / k; f > 1.3 {
		size := image.Pt(max(1, int(math.Round(w/f))), max(1, int(math.Round(h/f))))
		gocv.Resize(img, &c.small, size, 0, 0, gocv.InterpolationArea)
		src, kx, ky = c.small, k*w/float64(size.X), k*h/float64(size.Y)
	}
	for i, v := range [6]float64{kx, 0, dx, 0, ky, dy} {
		c.matrix.SetDoubleAt(i/3, i%3, v)
	}
	gocv.WarpAffineWithParams(src, &c.canvas, c.matrix, image.Pt(canvasSide, canvasSide), gocv.InterpolationLinear,
		gocv.BorderConstant, color.RGBA{canvasGrey, canvasGrey, canvasGrey, 0})
	return k, dx, dy
}

// expectation returns the mean place, in pixels of a view, under log-probabilities given up to a constant for square
// cells of stride pixels, cells to a row.
func expectation(logits []float32, cells int, stride float64) (x, y float64) {
	top := slices.Max(logits)
	var sum float64
	for i, v := range logits {
		p := math.Exp(float64(v - top))
		x += p * float64(i%cells)
		y += p * float64(i/cells)
		sum += p
	}
	half := (stride - 1) / 2
	return x/sum*stride + half, y/sum*stride + half
}

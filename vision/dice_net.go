package vision

import (
	_ "embed" // the weights
	"fmt"
	"image"
	"image/color"

	"gocv.io/x/gocv"
)

//go:embed weights/dice_find.onnx
var diceFindWeights []byte

//go:embed weights/dice_read.onnx
var diceReadWeights []byte

// diceNet runs one of the small networks on pictures of one size. It owns its Mats and is not safe for
// concurrent use.
type diceNet struct {
	net          gocv.Net
	input        string // name of the picture's input
	size         image.Point
	crop, shrunk gocv.Mat
	blob, m      gocv.Mat
	crops        []gocv.Mat
}

func newDiceNet(weights []byte, input string, size image.Point) (*diceNet, error) {
	net, err := gocv.ReadNetFromONNXBytes(weights)
	if err != nil {
		return nil, fmt.Errorf("vision: read the weights of the dice network: %w", err)
	}
	if net.Empty() {
		return nil, fmt.Errorf("vision: read the weights of the dice network: OpenCV %s does not understand them", gocv.OpenCVVersion())
	}
	n := &diceNet{
		net: net, input: input, size: size,
		crop: gocv.NewMat(), shrunk: gocv.NewMat(), blob: gocv.NewMat(),
		m: gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F),
	}
	n.crops = []gocv.Mat{n.crop}
	return n, nil
}

func (n *diceNet) close() {
	n.crop.Close()
	n.shrunk.Close()
	n.blob.Close()
	n.m.Close()
	n.net.Close()
}

// cut fills the network's picture with what m shows of img; outside img the border goes on as told.
func (n *diceNet) cut(img gocv.Mat, m affine, border gocv.BorderType) {
	src := img
	if f := int(1/m.scale() + 0.5); f >= 2 { // shrink by whole steps first, against aliasing
		inv := m.inverse()
		part := bounds(inv, n.size).Inset(-2 * f).Intersect(image.Rect(0, 0, img.Cols(), img.Rows()))
		if part.Dx() >= f && part.Dy() >= f {
			region := img.Region(part)
			gocv.Resize(region, &n.shrunk, image.Pt(part.Dx()/f, part.Dy()/f), 0, 0, gocv.InterpolationArea)
			region.Close()
			src = n.shrunk
			fx, fy := float64(part.Dx())/float64(src.Cols()), float64(part.Dy())/float64(src.Rows())
			m = m.after(affine{fx, 0, float64(part.Min.X) + (fx-1)/2, 0, fy, float64(part.Min.Y) + (fy-1)/2})
		}
	}
	for i, v := range [6]float64{m.a, m.b, m.c, m.d, m.e, m.f} {
		n.m.SetDoubleAt(i/3, i%3, v)
	}
	gocv.WarpAffineWithParams(src, &n.crop, n.m, n.size, gocv.InterpolationLinear, border, color.RGBA{})
	n.crops[0] = n.crop
}

// bounds returns the rectangle of the picture that a view of the given size shows.
func bounds(toPicture affine, size image.Point) image.Rectangle {
	var r image.Rectangle
	for i, q := range [4]Pixel{{}, {float64(size.X), 0}, {0, float64(size.Y)}, {float64(size.X), float64(size.Y)}} {
		p := toPicture.apply(q)
		one := image.Rect(int(p.X), int(p.Y), int(p.X)+1, int(p.Y)+1)
		if i == 0 {
			r = one
			continue
		}
		r = r.Union(one)
	}
	return r
}

// run puts the picture that cut left through the network and calls use with its output, which is valid only
// during the call.
func (n *diceNet) run(use func(out []float32)) error {
	gocv.BlobFromImages(n.crops, &n.blob, 1.0/255, n.size, gocv.Scalar{}, false, false, gocv.MatTypeCV32F)
	n.net.SetInput(n.blob, n.input)
	out := n.net.Forward("")
	defer out.Close()
	v, err := out.DataPtrFloat32()
	if err != nil {
		return fmt.Errorf("vision: run the dice network: %w", err)
	}
	use(v)
	return nil
}

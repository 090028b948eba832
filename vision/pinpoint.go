package vision

import (
	_ "embed" // the weights
	"image"

	"gocv.io/x/gocv"
)

//go:embed weights/pinpoint.onnx.gz
var pinpointWeights []byte

// The patch that the pinpoint network sees: what lies round one corner of the board, rectified, and mirrored so that
// every corner looks like a top left one. vision/train/pinpoint.py makes the same patch; change both together.
const (
	patchSide   = 96   // pixels
	patchOut    = 0.16 // how far it goes out of the board, as a share of its width and height
	patchIn     = 0.32 // and into it
	patchFinest = 1.25 // a picture more than this many times as fine as the patch is made smaller first
	patchStride = 4    // pixels for each cell of the network's answer
	patchCells  = patchSide / patchStride
)

// pinpointer says where corners that are nearly right exactly lie, each by what lies round it. It is not safe for
// concurrent use.
type pinpointer struct {
	view, small, matrix gocv.Mat
	net                 *network
}

func newPinpointer() (*pinpointer, error) {
	net, err := newNetwork("pinpoint", patchCells*patchCells, pinpointWeights)
	if err != nil {
		return nil, err
	}
	return &pinpointer{
		view:   gocv.NewMatWithSize(patchSide, patchSide, gocv.MatTypeCV8UC3),
		small:  gocv.NewMat(),
		matrix: gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F),
		net:    net,
	}, nil
}

func (p *pinpointer) close() {
	p.view.Close()
	p.small.Close()
	p.matrix.Close()
	p.net.close()
}

// patchScale is by how much a picture is made smaller for patches of the board with the corners.
func patchScale(c [4]Pixel) float64 {
	side := (distance(c[0], c[1]) + distance(c[1], c[2]) + distance(c[2], c[3]) + distance(c[3], c[0])) / 4
	return patchFinest * patchSide / (patchOut + patchIn) / side
}

// look returns how far from where g places them the corners of the board lie.
func (p *pinpointer) look(img gocv.Mat, g *Geometry) (o offsets, err error) {
	src, scale, origin := shrink(img, &p.small, g, patchScale(g.Corners), patchOut+0.03)
	const step = (patchOut + patchIn) / patchSide
	for i, corner := range unitSquare {
		u, v := corner[0], corner[1]
		du, dv := 1-2*u, 1-2*v
		toBoard := [9]float64{du * step, 0, u - du*patchOut, 0, dv * step, v - dv*patchOut, 0, 0, 1}
		setMatrix(p.matrix, place(multiply(g.toPicture, toBoard), scale, origin))
		gocv.WarpPerspectiveWithParams(src, &p.view, p.matrix, image.Pt(patchSide, patchSide),
			gocv.InterpolationLinear|warpInverse, gocv.BorderReplicate, black)
		var x, y float64
		err := p.net.run(p.view, func(out []float32) {
			x, y = meanPlace(out, patchCells, patchStride, patchCells)
		})
		if err != nil {
			return o, err
		}
		o[i] = [2]float64{du * (x*step - patchOut), dv * (y*step - patchOut)}
	}
	return o, nil
}

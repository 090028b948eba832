package vision

import (
	"fmt"
	"math"

	"gocv.io/x/gocv"
)

// network runs one small network on views of one size. It owns its Mats and is not safe for concurrent use.
type network struct {
	net          gocv.Net
	what         string // for errors
	answer       int    // how many numbers it gives
	mean, spread gocv.Mat
	channel      gocv.Mat
	blob         gocv.Mat    // what the network is given: one view
	planes       [3]gocv.Mat // the blob's colours
}

// newNetwork opens a network that gives so many numbers from its weights, an ONNX model packed by gzip (weights.go).
func newNetwork(what string, answer int, weights []byte) (*network, error) {
	model, err := unpack(weights)
	if err != nil {
		return nil, fmt.Errorf("vision: unpack the weights of the %s network: %w", what, err)
	}
	wide, err := widen(model)
	if err != nil {
		return nil, fmt.Errorf("vision: read the weights of the %s network: %w", what, err)
	}
	net, err := gocv.ReadNetFromONNXBytes(wide)
	if err != nil {
		return nil, fmt.Errorf("vision: read the weights of the %s network: %w", what, err)
	}
	if net.Empty() {
		return nil, fmt.Errorf("vision: read the weights of the %s network: OpenCV %s does not understand them", what, gocv.OpenCVVersion())
	}
	return &network{net: net, what: what, answer: answer, mean: gocv.NewMat(), spread: gocv.NewMat(), channel: gocv.NewMat(), blob: gocv.NewMat()}, nil
}

func (n *network) close() {
	n.mean.Close()
	n.spread.Close()
	n.channel.Close()
	n.closeBlob()
	n.net.Close()
}

func (n *network) closeBlob() {
	for i := range n.planes {
		if n.planes[i].Ptr() != nil {
			n.planes[i].Close()
		}
	}
	n.blob.Close()
}

// fit makes the blob one for views of the size of this one.
func (n *network) fit(view gocv.Mat) {
	if s := n.blob.Size(); len(s) == 4 && s[2] == view.Rows() && s[3] == view.Cols() {
		return
	}
	n.closeBlob()
	n.blob = gocv.NewMatWithSizes([]int{1, 3, view.Rows(), view.Cols()}, gocv.MatTypeCV32F)
	for i := range n.planes {
		n.planes[i] = gocv.GetBlobChannel(n.blob, 0, i)
	}
}

// run puts the view, evened out in colour and contrast, through the network and calls use with its output, all of it,
// which is valid only during the call.
func (n *network) run(view gocv.Mat, use func(out []float32)) error {
	return n.runAs(view, view, use)
}

// runAs is run with the view evened out as like would be.
func (n *network) runAs(view, like gocv.Mat, use func(out []float32)) error {
	gocv.MeanStdDev(like, &n.mean, &n.spread)
	var power float64
	for c := range 3 {
		power += n.spread.GetDoubleAt(c, 0) * n.spread.GetDoubleAt(c, 0) / 3
	}
	n.fit(view)
	k := 1 / max(4, math.Sqrt(power))
	for c := range n.planes { // faster than gocv.BlobFromImages by a millisecond a view
		gocv.ExtractChannel(view, &n.channel, c)
		n.channel.ConvertToWithParams(&n.planes[c], gocv.MatTypeCV32F, float32(k), float32(-k*n.mean.GetDoubleAt(c, 0)))
	}
	n.net.SetInput(n.blob, "view")
	out := n.net.Forward("")
	defer out.Close()
	v, err := out.DataPtrFloat32()
	if err != nil {
		return fmt.Errorf("vision: run the %s network: %w", n.what, err)
	}
	if len(v) != n.answer {
		return fmt.Errorf("vision: run the %s network: OpenCV %s gave %d numbers, not %d", n.what, gocv.OpenCVVersion(), len(v), n.answer)
	}
	use(v)
	return nil
}

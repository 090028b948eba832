package vision

import (
	"fmt"
	"image"
	"math"

	"gocv.io/x/gocv"
)

// network runs one small network on views of one size. It owns its Mats and is not safe for concurrent use.
type network struct {
	net          gocv.Net
	what         string // for errors
	mean, spread gocv.Mat
	blob         gocv.Mat
	views        [1]gocv.Mat
}

func newNetwork(what string, weights []byte) (*network, error) {
	wide, err := widen(weights)
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
	return &network{net: net, what: what, mean: gocv.NewMat(), spread: gocv.NewMat(), blob: gocv.NewMat()}, nil
}

func (n *network) close() {
	n.mean.Close()
	n.spread.Close()
	n.blob.Close()
	n.net.Close()
}

// run puts the view, evened out in colour and contrast, through the network and calls use with its output,
// which is valid only during the call.
func (n *network) run(view gocv.Mat, use func(out []float32)) error {
	gocv.MeanStdDev(view, &n.mean, &n.spread)
	var power float64
	for c := range 3 {
		power += n.spread.GetDoubleAt(c, 0) * n.spread.GetDoubleAt(c, 0) / 3
	}
	mean := gocv.NewScalar(n.mean.GetDoubleAt(0, 0), n.mean.GetDoubleAt(1, 0), n.mean.GetDoubleAt(2, 0), 0)
	n.views[0] = view
	size := image.Pt(view.Cols(), view.Rows())
	gocv.BlobFromImages(n.views[:], &n.blob, 1/max(4, math.Sqrt(power)), size, mean, false, false, gocv.MatTypeCV32F)
	n.net.SetInput(n.blob, "view")
	out := n.net.Forward("")
	defer out.Close()
	v, err := out.DataPtrFloat32()
	if err != nil {
		return fmt.Errorf("vision: run the %s network: %w", n.what, err)
	}
	use(v)
	return nil
}

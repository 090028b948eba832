package vision

import (
	_ "embed" // the weights
	"math"

	"gocv.io/x/gocv"
)

//go:embed weights/dice_lean.onnx.gz
var diceLeanWeights []byte

// A die that leans shows its faces otherwise than one that lies flat, and how a flat one shows them follows from how the camera stands
// to the board. The network is given the die with up pointing to the crop's upper edge, and how far up points (train/dice_lean.py).
const (
	besideIt    = 0.12 // how far beside its middle a die is looked at, in edges
	surelyFlat  = -2.5 // logit below which one look is enough,
	mostlyFlat  = -1.5 // and below which one place to look from is
	leastCounts = 0.7  // how much the look counts that says least of leaning, beside the mean of all
	leastTakes  = 0.6  // what is to be added for what that takes away, a logit
)

// Places of the outputs (train/dice_lean.py).
const (
	outLeans = 0
	outShown = 6 // six: the number on the upper face, if it leans
)

// stand is how a die stands.
type stand struct {
	leans float32    // probability
	shown [6]float32 // if it leans: probabilities of the numbers on its upper face; all 0 where it surely does not
}

// leaner tells dice that lean from those that lie flat. It owns its Mats and is not safe for concurrent use.
type leaner struct {
	net    *network
	crop   *cutter
	camera gocv.Mat // how far up points
}

func newLeaner() (*leaner, error) {
	net, err := newNetwork("leaning dice", outShown+6, diceLeanWeights)
	if err != nil {
		return nil, err
	}
	return &leaner{net: net, crop: newCutter(readerSide, readerSide, gocv.BorderReplicate), camera: gocv.NewMatWithSize(1, 1, gocv.MatTypeCV32F)}, nil
}

func (n *leaner) close() {
	n.camera.Close()
	n.crop.close()
	n.net.close()
}

// stands returns how the die at that place stands, with an edge of size pixels; up is where up points there (stance.up).
// Where a die and the ground are of one colour the reader is led astray, and a strip of ground beside it passes for its side: but a die
// that leans does so from wherever it is looked at. So that look counts most which says least of it.
func (n *leaner) stands(img gocv.Mat, at Pixel, size float64, up Pixel) (stand, error) {
	var s stand
	least, sum, places := math.Inf(1), 0.0, 0.0
	for _, to := range [...]Pixel{{}, {X: besideIt}, {X: -besideIt}, {Y: besideIt}, {Y: -besideIt}} {
		both := 0.0
		for _, mirrored := range [2]bool{false, true} {
			l, err := n.look(img, Pixel{at.X + size*to.X, at.Y + size*to.Y}, size, up, mirrored, &s)
			if err != nil {
				return stand{}, err
			}
			if places == 0 && !mirrored && l < surelyFlat {
				return stand{leans: logistic(float32(l + leastTakes))}, nil
			}
			both += l / 2
		}
		least, sum, places = min(least, both), sum+both, places+1
		if places == 1 && least < mostlyFlat {
			break
		}
	}
	s.leans = logistic(float32(leastCounts*least + (1-leastCounts)*sum/places + leastTakes))
	for i := range s.shown {
		s.shown[i] /= float32(2 * places)
	}
	return s, nil
}

// look returns the logit that the die at the place leans, as it is or seen in a mirror, and adds to what is said of its upper face.
func (n *leaner) look(img gocv.Mat, at Pixel, size float64, up Pixel, mirrored bool, s *stand) (leans float64, err error) {
	far := math.Hypot(up.X, up.Y)
	x, y := 0.0, -1.0 // up, of length 1
	if far > 0 {
		x, y = up.X/far, up.Y/far
	}
	turned := affine{a: -y, b: x, d: -x, e: -y}
	if mirrored {
		turned.a, turned.b = -turned.a, -turned.b
	}
	m := readerView(at, size, turned)
	n.camera.SetFloatAt(0, 0, float32(far))
	n.net.net.SetInput(n.camera, "camera")
	err = n.net.run(n.crop.cut(img, m), func(out []float32) {
		leans = float64(out[outLeans])
		var shown [len(s.shown)]float32
		softmax(shown[:], out[outShown:])
		for i, p := range shown {
			s.shown[i] += p
		}
	})
	return leans, err
}

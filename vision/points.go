package vision

import (
	_ "embed" // the weights
	"fmt"

	"davar/rules"
	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

//go:embed weights/points.onnx
var pointsWeights []byte

// What the points network says of each slot of the view, as logits: a count, and whether the checkers are light,
// hidden, mixed. After the slots come the counts of the bar for each side.
const (
	slots         = 14
	counts        = sighting.MaxCount + 1
	logitLight    = counts
	logitHidden   = counts + 1
	logitMixed    = counts + 2
	logitsPerSlot = counts + 3
	pointLogits   = logitsPerSlot * 2 * slots
)

// pointReader reads points and bar of a picture. It is not safe for concurrent use.
type pointReader struct {
	rectifier *rectifier
	net       *network
	hand      float32 // probability that a hand covers some point of the picture last read
}

func newPointReader() (*pointReader, error) {
	net, err := newNetwork("points", pointsWeights)
	if err != nil {
		return nil, err
	}
	return &pointReader{rectifier: newRectifier(1), net: net}, nil
}

func (p *pointReader) close() {
	p.rectifier.close()
	p.net.close()
}

// read fills what img says of points and bar, each by itself: how many checkers there are is not considered.
func (p *pointReader) read(img gocv.Mat, g *Geometry, r *Reading) error {
	var short bool
	err := p.net.run(p.rectifier.rectify(img, g), func(out []float32) {
		if short = len(out) != pointLogits+2*counts; short {
			return
		}
		p.hand = 0
		for row, points := range [2]*[12]sighting.Point{&r.Top, &r.Bottom} {
			for i := range points {
				slot := i
				if i >= 6 {
					slot += 2
				}
				var logits [logitsPerSlot]float32
				for k := range logits {
					logits[k] = out[(k*2+row)*slots+slot]
				}
				points[i] = pointOf(logits[:])
				p.hand = max(p.hand, logistic(logits[logitHidden]))
			}
		}
		for side := rules.Light; side <= rules.Dark; side++ {
			pile := &r.Bar[side]
			softmax(pile.P[:], out[pointLogits+int(side)*counts:][:counts])
			pile.Visible = true
		}
	})
	if err == nil && short {
		err = fmt.Errorf("vision: read the points: the network of OpenCV %s gave an answer of the wrong size", gocv.OpenCVVersion())
	}
	return err
}

func pointOf(logits []float32) (p sighting.Point) {
	var n [counts]float32
	softmax(n[:], logits[:counts])
	light := logistic(logits[logitLight])
	p.Counts[sighting.MaxCount] = n[0]
	for k := 1; k < counts; k++ {
		p.Counts[sighting.MaxCount+k] = n[k] * light
		p.Counts[sighting.MaxCount-k] = n[k] * (1 - light)
	}
	p.Hidden = logits[logitHidden] > 0
	p.Mixed = logistic(logits[logitMixed])
	return p
}

package vision

import (
	_ "embed" // the weights
	"image"

	"davar/rules"
	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

//go:embed weights/points.onnx.gz
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

// The network's opinions of a count and of a colour are evened out by these so that its probabilities mean what they
// say: fitted to boards that training kept aside.
const (
	temperCount  = 1.3
	temperColour = 1.5
)

// pointReader reads points and bar of a picture. It is not safe for concurrent use.
type pointReader struct {
	rectifier *rectifier
	mirrored  gocv.Mat
	moved     gocv.Mat
	shift     gocv.Mat // how it is moved, 2×3
	net       *network
	logits    [pointLogits + 2*counts]float32 // the mean over the views
	hand      float32                         // probability that a hand covers some point of the picture last read
}

func newPointReader() (*pointReader, error) {
	net, err := newNetwork("points", pointLogits+2*counts, pointsWeights)
	if err != nil {
		return nil, err
	}
	return &pointReader{
		rectifier: newRectifier(1), mirrored: gocv.NewMat(), moved: gocv.NewMat(), shift: gocv.Eye(2, 3, gocv.MatTypeCV64F), net: net,
	}, nil
}

func (p *pointReader) close() {
	p.rectifier.close()
	p.mirrored.Close()
	p.moved.Close()
	p.shift.Close()
	p.net.close()
}

// view returns the rectified view last read; it is valid until the next reading.
func (p *pointReader) view() gocv.Mat { return p.rectifier.view }

// read fills what img says of points and bar, each by itself, in the aspects given: how many checkers there are is not
// considered. The mean of everyAspect is surer than one, at eight times the cost.
func (p *pointReader) read(img gocv.Mat, g *Geometry, aspects []aspect, r *Reading) error {
	p.logits = [len(p.logits)]float32{}
	view := p.rectifier.rectify(img, g)
	for _, a := range aspects {
		if err := p.look(p.seen(view, a), a.mirror, 1/float32(len(aspects))); err != nil {
			return err
		}
	}
	p.interpret(r)
	return nil
}

// aspect is how a view is looked at: moved by so many of its pixels, then mirrored.
type aspect struct {
	mirror
	across, down int
}

// besidePlace is by how many pixels of the view the board stands beside its place where it is looked at elsewhere: less than
// corners are misplaced by, and not a multiple of the network's strides.
const besidePlace = 3

// everyAspect is each way of mirroring with the board in its place, as it is first, then with it beside.
var everyAspect = [8]aspect{
	{everyWay[0], 0, 0}, {everyWay[1], 0, 0}, {everyWay[2], 0, 0}, {everyWay[3], 0, 0},
	{everyWay[0], besidePlace, 0}, {everyWay[1], -besidePlace, 0}, {everyWay[2], 0, besidePlace}, {everyWay[3], 0, -besidePlace},
}

// seen returns the view in an aspect; it is valid until the next call.
func (p *pointReader) seen(view gocv.Mat, a aspect) gocv.Mat {
	if a.across != 0 || a.down != 0 {
		p.shift.SetDoubleAt(0, 2, float64(a.across))
		p.shift.SetDoubleAt(1, 2, float64(a.down))
		gocv.WarpAffineWithParams(view, &p.moved, p.shift, image.Pt(view.Cols(), view.Rows()), gocv.InterpolationNearestNeighbor, gocv.BorderReplicate, black)
		view = p.moved
	}
	if a.mirror != (mirror{}) {
		gocv.Flip(view, &p.mirrored, a.code())
		view = p.mirrored
	}
	return view
}

// mirror says how a view is mirrored: left and right, top and bottom exchanged.
type mirror struct{ sides, rows bool }

// everyWay is how a view can be mirrored, as it is first.
var everyWay = [4]mirror{{}, {sides: true}, {rows: true}, {sides: true, rows: true}}

// code returns OpenCV's word for it.
func (m mirror) code() int {
	switch {
	case m.sides && m.rows:
		return -1
	case m.sides:
		return 1
	}
	return 0
}

// look adds what the network says of a view, weighted and mirrored back.
func (p *pointReader) look(view gocv.Mat, m mirror, weight float32) error {
	return p.net.run(view, func(out []float32) {
		for i, v := range out[:pointLogits] {
			row, slot := i/slots%2, i%slots
			if m.rows {
				row = 1 - row
			}
			if m.sides {
				slot = slots - 1 - slot
			}
			p.logits[(i/slots/2*2+row)*slots+slot] += v * weight
		}
		for i, v := range out[pointLogits:] {
			p.logits[pointLogits+i] += v * weight
		}
	})
}

// interpret turns logits into probabilities.
func (p *pointReader) interpret(r *Reading) {
	p.hand = 0
	for row, points := range [2]*[12]sighting.Point{&r.Top, &r.Bottom} {
		for i := range points {
			slot := i
			if i >= 6 {
				slot += 2
			}
			var logits [logitsPerSlot]float32
			for k := range logits {
				logits[k] = p.logits[(k*2+row)*slots+slot]
			}
			points[i] = pointOf(logits[:])
			p.hand = max(p.hand, logistic(logits[logitHidden]))
		}
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		pile := &r.Bar[side]
		softmax(pile.P[:], p.logits[pointLogits+int(side)*counts:][:counts])
		pile.Visible = true
	}
}

func pointOf(logits []float32) (p sighting.Point) {
	var n [counts]float32
	for k := range n {
		n[k] = logits[k] / temperCount
	}
	softmax(n[:], n[:])
	light := logistic(logits[logitLight] / temperColour)
	p.Counts[sighting.MaxCount] = n[0]
	for k := 1; k < counts; k++ {
		p.Counts[sighting.MaxCount+k] = n[k] * light
		p.Counts[sighting.MaxCount-k] = n[k] * (1 - light)
	}
	hidden := logistic(logits[logitHidden])
	p.Hidden = hidden > 0.5
	if !p.Hidden && hidden > leastHidden {
		p.Counts = withMoreUnder(&p.Counts, hidden)
	}
	p.Mixed = logistic(logits[logitMixed])
	return p
}

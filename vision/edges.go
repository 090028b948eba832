package vision

import (
	_ "embed" // the weights
	"image"
	"math"

	"gocv.io/x/gocv"
)

//go:embed weights/edges.onnx.gz
var edgesWeights []byte

// The view that the edges network sees: the picture rectified by the corners to set right, and edgesReach of the
// board beyond them on each side. vision/train/edges.py makes the same view; change both together.
const (
	edgesSide   = 160 // pixels
	edgesReach  = 0.2
	edgesFinest = 1.5 // a board whose diagonal is more than this many times the view's is made smaller first

	edgesLines  = edgesSide / 4 // rows, and columns, of the network's answer
	edgesMap    = edgesLines * edgesLines
	edgesAnswer = 12*edgesMap + 2
	softest     = 4 // the logarithm of a line's weight lies within this of 0
)

// edging is what the edges network says of a board roughly placed.
type edging struct {
	offsets offsets // of the corners from where they were looked for
	lies    float32 // probability that the bar lies across the view instead of standing in it
	nothing float64 // log-odds that there is no board
}

// edger sets roughly placed corners right by the board's edges. It is not safe for concurrent use.
type edger struct {
	view, small, matrix gocv.Mat
	net                 *network
}

func newEdger() (*edger, error) {
	net, err := newNetwork("edges", edgesAnswer, edgesWeights)
	if err != nil {
		return nil, err
	}
	return &edger{
		view:   gocv.NewMatWithSize(edgesSide, edgesSide, gocv.MatTypeCV8UC3),
		small:  gocv.NewMat(),
		matrix: gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F),
		net:    net,
	}, nil
}

func (e *edger) close() {
	e.view.Close()
	e.small.Close()
	e.matrix.Close()
	e.net.close()
}

// look returns what the network says of the board that g places roughly.
func (e *edger) look(img gocv.Mat, g *Geometry) (seen edging, err error) {
	src, scale, origin := shrink(img, &e.small, g, edgesFinest*edgesSide/g.Diagonal(), edgesReach+0.05)
	const k = (1 + 2*edgesReach) / edgesSide
	toBoard := [9]float64{k, 0, k/2 - edgesReach, 0, k, k/2 - edgesReach, 0, 0, 1}
	setMatrix(e.matrix, place(multiply(g.toPicture, toBoard), scale, origin))
	gocv.WarpPerspectiveWithParams(src, &e.view, e.matrix, image.Pt(edgesSide, edgesSide),
		gocv.InterpolationLinear|warpInverse, gocv.BorderReplicate, black)
	err = e.net.run(e.view, func(out []float32) { seen = edgingOf(out) })
	return seen, err
}

// edgingOf reads the network's answer: a map of where each line lies, row by row or column by column, for the left,
// right, upper and lower edge of the board and the bar's two; six maps of the logarithms of their weights, were they
// there; "lies" and "nothing". The bar's are left to the frame network.
func edgingOf(out []float32) (e edging) {
	var all agreement
	for i := range edgesLines {
		at := edgesPlace(float64(i))
		if at <= 0 || at >= 1 {
			continue
		}
		for end := range 2 { // left and right, then upper and lower
			line := func(edge, start, step int) (off, weight float64) {
				heat, soft := out[edge*edgesMap:][:edgesMap], out[(6+edge)*edgesMap:][:edgesMap]
				place, weight := linePlace(heat, soft, start, step)
				return place - float64(end), weight
			}
			off, weight := line(end, i*edgesLines, 1)
			all.add(float64(end), at, 0, off, weight)
			off, weight = line(2+end, i, edgesLines)
			all.add(at, float64(end), 1, off, weight)
		}
	}
	e.offsets = all.offsets()
	e.lies, e.nothing = logistic(out[12*edgesMap]), float64(out[12*edgesMap+1])
	return e
}

// edgesPlace returns the share of the board at which cell i of the network's answer has its middle.
func edgesPlace(i float64) float64 { return (i+0.5)*(1+2*edgesReach)/edgesLines - edgesReach }

// linePlace returns where in one row or column of the map heat (every step-th number from start) a line lies, as a
// share of the board, and the weight of that.
func linePlace(heat, soft []float32, start, step int) (place, weight float64) {
	top := heat[start]
	for i := range edgesLines {
		top = max(top, heat[start+i*step])
	}
	var sum, cell float64
	for i := range edgesLines {
		k := start + i*step
		p := math.Exp(float64(heat[k] - top))
		sum += p
		cell += p * float64(i)
		weight += p * float64(soft[k])
	}
	return edgesPlace(cell / sum), math.Exp(2 * softest * math.Tanh(weight/sum/softest))
}

package vision

import (
	_ "embed" // the weights
	"image"

	"gocv.io/x/gocv"
)

//go:embed weights/trays.onnx.gz
var traysWeights []byte

// The view of a quarter: a strip beside the board, mirrored so that it looks like the one left of the upper half.
// vision/train/trays.py makes the same view; change both together.
const (
	trayAcross = 48 // pixels
	trayDown   = 288
	trayReach  = 0.22 // how far it reaches from the board's edge, a share of the board's width
	trayInside = 0.01 // and into the board
	trayAbove  = 0.1  // how far from the board's upper edge up and down, shares of its height
	trayBelow  = 0.52
	traySeen   = 0.6 // a strip of which less lies in the picture is not read
	trayLogits = counts + 1
)

// temperTray evens out what the network says, so that its probabilities mean what they say: fitted to boards that training kept aside.
const temperTray = 1.5

// quarter is what is seen of the checkers borne off in one of the four places where they may lie: left and right of the
// upper and of the lower half, in a tray or on the table.
type quarter struct {
	seen  bool
	p     [counts]float32 // probability of so many
	light float32         // that they are light
}

// trayReader reads the checkers that lie beside a board. It is not safe for concurrent use.
type trayReader struct {
	matrix, small, wide, view gocv.Mat
	net                       *network
}

func newTrayReader() (*trayReader, error) {
	net, err := newNetwork("trays", trayLogits, traysWeights)
	if err != nil {
		return nil, err
	}
	return &trayReader{
		matrix: gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F), small: gocv.NewMat(), view: gocv.NewMat(), net: net,
		wide: gocv.NewMatWithSize(trayDown, 2*trayAcross, gocv.MatTypeCV8UC3),
	}, nil
}

func (t *trayReader) close() {
	t.matrix.Close()
	t.small.Close()
	t.wide.Close()
	t.view.Close()
	t.net.close()
}

// read looks beside the board that g places. board is the rectified view of it, by whose light the strips are seen. A
// lens that bends is taken for a straight one: a tray is small.
func (t *trayReader) read(img gocv.Mat, g *Geometry, board gocv.Mat) (q [4]quarter, err error) {
	src, scale, origin := shrink(img, &t.small, g, g.finestScale(), 1.2*trayReach)
	for i, m := range everyWay {
		toPicture := multiply(g.toPicture, quarterToBoard(m))
		if q[i].seen = seenOf(toPicture, img) >= traySeen; !q[i].seen {
			continue
		}
		setMatrix(t.matrix, place(toPicture, scale, origin))
		gocv.WarpPerspectiveWithParams(src, &t.wide, t.matrix, image.Pt(t.wide.Cols(), t.wide.Rows()),
			gocv.InterpolationLinear|warpInverse, gocv.BorderConstant, black)
		gocv.Resize(t.wide, &t.view, image.Pt(trayAcross, trayDown), 0, 0, gocv.InterpolationArea)
		if err := t.look(board, &q[i]); err != nil {
			return q, err
		}
	}
	return q, nil
}

// look puts the view through the network.
func (t *trayReader) look(board gocv.Mat, q *quarter) error {
	return t.net.runAs(t.view, board, func(out []float32) {
		for n, v := range out[:counts] {
			q.p[n] = v / temperTray
		}
		softmax(q.p[:], q.p[:])
		q.light = logistic(out[counts] / temperTray)
	})
}

// quarterToBoard leads from pixels of a quarter's view, twice as wide as the network's, to the board, 0...1.
func quarterToBoard(m mirror) [9]float64 {
	strip := [9]float64{(trayReach + trayInside) / (2 * trayAcross), 0, -trayReach, 0, (trayAbove + trayBelow) / trayDown, -trayAbove, 0, 0, 1}
	turn := [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	if m.sides {
		turn[0], turn[2] = -1, 1
	}
	if m.rows {
		turn[4], turn[5] = -1, 1
	}
	return multiply(turn, strip)
}

// seenOf returns the share of a quarter's view that lies in the picture.
func seenOf(toPicture [9]float64, img gocv.Mat) float64 {
	const steps = 8
	inside := 0
	for i := range steps + 1 {
		for k := range steps + 1 {
			x, y := project(&toPicture, 2*trayAcross*float64(i)/steps, trayDown*float64(k)/steps)
			if x >= 0 && y >= 0 && x < float64(img.Cols()) && y < float64(img.Rows()) {
				inside++
			}
		}
	}
	return float64(inside) / ((steps + 1) * (steps + 1))
}

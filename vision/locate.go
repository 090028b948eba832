package vision

import (
	"math"

	"gocv.io/x/gocv"
)

// boardFinder finds where the board lies in a picture. It is not safe for concurrent use.
type boardFinder struct {
	corners *cornerFinder
	edges   *edger
	frame   *framer
	pin     *pinpointer
}

// Settings of the search.
const (
	refinements = 8    // times the frame is set right at most; each sees a better placed board than the last
	settled     = 2e-3 // corners that move less than this share of the board are found
	pinnings    = 2    // times each corner is then pinned down from near
	restless    = 0.06 // corners that after that still move by more than this share of the board are none
	noBoard     = 0.05 // probability of "nothing there" from which a known board is lost
	emptyFrom   = -8   // log-odds of "nothing there", both networks' together, from which no board is found
)

func newBoardFinder() (*boardFinder, error) {
	corners, err := newCornerFinder()
	if err != nil {
		return nil, err
	}
	edges, err := newEdger()
	if err != nil {
		corners.close()
		return nil, err
	}
	frame, err := newFramer()
	if err != nil {
		corners.close()
		edges.close()
		return nil, err
	}
	pin, err := newPinpointer()
	if err != nil {
		corners.close()
		edges.close()
		frame.close()
		return nil, err
	}
	return &boardFinder{corners, edges, frame, pin}, nil
}

func (b *boardFinder) close() {
	b.corners.close()
	b.edges.close()
	b.frame.close()
	b.pin.close()
}

// find returns the geometry of the board in img, or ErrNoBoard.
func (b *boardFinder) find(img gocv.Mat) (*Geometry, error) {
	corners, err := b.corners.find(img)
	if err != nil {
		return nil, err
	}
	if corners, err = b.refine(img, corners); err != nil {
		return nil, err
	}
	if corners, err = b.pinDown(img, corners); err != nil {
		return nil, err
	}
	g, f, err := b.at(img, corners)
	if g == nil {
		return nil, ErrNoBoard
	}
	if err != nil {
		return nil, err
	}
	e, err := b.edges.look(img, g)
	if err != nil {
		return nil, err
	}
	if logOdds(f.nothing)+e.nothing > emptyFrom {
		return nil, ErrNoBoard
	}
	return g, nil
}

func logOdds(p float32) float64 { return math.Log(float64(p) / (1 - float64(p))) }

// refine sets roughly placed corners right and turns them so that the bar stands.
func (b *boardFinder) refine(img gocv.Mat, corners [4]Pixel) ([4]Pixel, error) {
	turned := false
	for range refinements {
		g, err := NewGeometry(corners, 0.5, 0.5)
		if err != nil {
			return corners, ErrNoBoard
		}
		f, err := b.edges.look(img, g)
		if err != nil {
			return corners, err
		}
		corners = f.offsets.apply(g)
		if f.lies > 0.5 && !turned { // then the rectified view is the picture turned clockwise
			corners = [4]Pixel{corners[3], corners[0], corners[1], corners[2]}
			turned = true
			continue
		}
		if f.offsets.most() < settled {
			break
		}
	}
	return corners, nil
}

// pinDown looks at each corner from near and goes half the way to where that shows it: the edges tell of all of the
// board, the patches of what is round each corner; they err in different ways, and their mean less than either.
func (b *boardFinder) pinDown(img gocv.Mat, corners [4]Pixel) ([4]Pixel, error) {
	byEdges := corners
	for i := range pinnings + 1 {
		g, err := NewGeometry(corners, 0.5, 0.5)
		if err != nil {
			return corners, ErrNoBoard
		}
		o, err := b.pin.look(img, g)
		switch {
		case err != nil:
			return corners, err
		case i == pinnings && o.most() > restless:
			return corners, ErrNoBoard
		case i < pinnings:
			corners = o.apply(g)
		}
	}
	for i, c := range byEdges {
		corners[i] = Pixel{(c.X + corners[i].X) / 2, (c.Y + corners[i].Y) / 2}
	}
	return corners, nil
}

// at returns the geometry of the board with the given corners, the bar's edges as the picture shows them, and what
// else the frame network says of it. The geometry is nil when the corners make no quadrilateral.
func (b *boardFinder) at(img gocv.Mat, corners [4]Pixel) (*Geometry, framing, error) {
	g, err := NewGeometry(corners, 0.5, 0.5)
	if err != nil {
		return nil, framing{}, err
	}
	f, err := b.frame.look(img, g)
	if err != nil {
		return g, f, err
	}
	g.BarLeft, g.BarRight = max(f.barLeft, 0.3), min(f.barRight, 0.7)
	return g, f, nil
}

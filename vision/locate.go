package vision

import (
	"gocv.io/x/gocv"
)

// boardFinder finds where the board lies in a picture. It is not safe for concurrent use.
type boardFinder struct {
	corners *cornerFinder
	frame   *framer
	pin     *pinpointer
}

// Settings of the search.
const (
	refinements = 8    // times the frame is set right at most; each sees a better placed board than the last
	pinnings    = 2    // times each corner is then pinned down from near
	settled     = 2e-3 // corners that move less than this share of the board are found
	restless    = 0.06 // corners that after that still move by more than this share of the board are none
	noBoard     = 0.05 // probability of "nothing there" from which there is no board
)

func newBoardFinder() (*boardFinder, error) {
	corners, err := newCornerFinder()
	if err != nil {
		return nil, err
	}
	frame, err := newFramer()
	if err != nil {
		corners.close()
		return nil, err
	}
	pin, err := newPinpointer()
	if err != nil {
		corners.close()
		frame.close()
		return nil, err
	}
	return &boardFinder{corners, frame, pin}, nil
}

func (b *boardFinder) close() {
	b.corners.close()
	b.frame.close()
	b.pin.close()
}

// find returns the geometry of the board in img, or ErrNoBoard.
func (b *boardFinder) find(img gocv.Mat) (*Geometry, error) {
	corners, err := b.corners.find(img)
	if err != nil {
		return nil, err
	}
	g, f, err := b.refine(img, corners)
	if err != nil {
		return nil, err
	}
	if f.nothing > noBoard {
		return nil, ErrNoBoard
	}
	return g, nil
}

// refine sets roughly placed corners right, turns them so that the bar stands, and finds the bar's edges.
func (b *boardFinder) refine(img gocv.Mat, corners [4]Pixel) (*Geometry, framing, error) {
	turned := false
	for range refinements {
		g, f, err := b.at(img, corners)
		if err != nil {
			return nil, f, ErrNoBoard // corners that make no quadrilateral
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
	for i := range pinnings + 1 {
		g, err := NewGeometry(corners, 0.5, 0.5)
		if err != nil {
			return nil, framing{}, ErrNoBoard
		}
		o, err := b.pin.look(img, g)
		if err != nil {
			return nil, framing{}, err
		}
		if i == pinnings && o.most() > restless {
			return nil, framing{}, ErrNoBoard
		}
		if i < pinnings {
			corners = o.apply(g)
		}
	}
	g, f, err := b.at(img, corners)
	if err != nil {
		return nil, f, ErrNoBoard
	}
	return g, f, nil
}

// at returns the geometry of the board with the given corners, the bar's edges as the picture shows them, and what
// else the frame network says of it.
func (b *boardFinder) at(img gocv.Mat, corners [4]Pixel) (*Geometry, framing, error) {
	g, err := NewGeometry(corners, 0.5, 0.5)
	if err != nil {
		return nil, framing{}, err
	}
	f, err := b.frame.look(img, g)
	if err != nil {
		return nil, f, err
	}
	g.BarLeft, g.BarRight = max(f.barLeft, 0.3), min(f.barRight, 0.7)
	return g, f, nil
}

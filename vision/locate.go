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

	turned gocv.Mat // the picture, by half
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
	return &boardFinder{corners: corners, edges: edges, frame: frame, pin: pin, turned: gocv.NewMat()}, nil
}

func (b *boardFinder) close() {
	b.corners.close()
	b.edges.close()
	b.frame.close()
	b.pin.close()
	b.turned.Close()
}

// find returns the geometry of the board in img, or ErrNoBoard. What is found is looked for again in the picture turned by half: the
// networks err in different ways there, and the mean of the corners errs less than either. Four looks, with the mirror images, are
// no better at twice the cost.
func (b *boardFinder) find(img gocv.Mat) (*Geometry, error) {
	first, err := b.search(img)
	if err != nil {
		return nil, err
	}
	gocv.Rotate(img, &b.turned, gocv.Rotate180Clockwise)
	second, err := b.search(b.turned)
	if err != nil {
		return nil, err
	}
	corners := turnedLike(turnedBack(second.Corners, img.Cols(), img.Rows()), first.Corners)
	for i, c := range first.Corners {
		corners[i] = Pixel{(corners[i].X + c.X) / 2, (corners[i].Y + c.Y) / 2}
	}
	g, _, err := b.at(img, corners)
	if g == nil {
		return nil, ErrNoBoard
	}
	return g, err
}

// turnedBack returns where corners seen in a picture turned by half lie in the picture of the given size.
func turnedBack(c [4]Pixel, cols, rows int) [4]Pixel {
	for i := range c {
		c[i] = Pixel{float64(cols) - c[i].X, float64(rows) - c[i].Y}
	}
	return c
}

// turnedLike returns the corners beginning with the one by which they lie nearest to others.
func turnedLike(c, others [4]Pixel) (best [4]Pixel) {
	least := math.Inf(1)
	for range c {
		c = [4]Pixel{c[1], c[2], c[3], c[0]}
		sum := 0.0
		for i := range c {
			sum += distance(c[i], others[i])
		}
		if sum < least {
			best, least = c, sum
		}
	}
	return best
}

// search finds the board in one picture.
func (b *boardFinder) search(img gocv.Mat) (*Geometry, error) {
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

package vision

import (
	"errors"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"
)

// boardFinder finds where the board lies in a picture. It is not safe for concurrent use.
type boardFinder struct {
	corners *cornerFinder
	edges   *edger
	frame   *framer
	pin     *pinpointer

	small    gocv.Mat // the picture
	mirrored gocv.Mat // that
}

// Settings of the search.
const (
	refinements    = 8     // times the frame is set right at most; each sees a better placed board than the last
	settled        = 2e-3  // corners that move less than this share of the board are found
	nearly         = 0.012 // from a move by less than this on it is a matter of chance what each look says,
	alikeLooks     = 2     // and the mean of so many is taken
	pinnings       = 2     // times each corner is then pinned down from near
	restless       = 0.06  // corners that the last time still move by more than this share of the board are none
	noBoard        = 0.05  // probability of "nothing there" from which a known board is lost
	disagreeing    = 8e-3  // of the board's diagonal: corners of two looks that are farther apart call for two more
	enoughFine     = 1.2   // times as fine as the finest look at it a picture is left, for the corners are rough at first
	worthShrinking = 0.9   // scale above which a picture is left as it is
	emptyFrom      = -8    // log-odds of "nothing there", both networks' together, from which no board is found
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
	return &boardFinder{corners: corners, edges: edges, frame: frame, pin: pin, small: gocv.NewMat(), mirrored: gocv.NewMat()}, nil
}

func (b *boardFinder) close() {
	b.corners.close()
	b.edges.close()
	b.frame.close()
	b.pin.close()
	b.small.Close()
	b.mirrored.Close()
}

// find returns the geometry of the board in img, or ErrNoBoard. A large picture is made smaller once, so that the many looks at it
// need not do so each.
func (b *boardFinder) find(img gocv.Mat) (*Geometry, error) {
	corners, err := b.corners.find(img)
	if err != nil {
		return nil, err
	}
	scale := enoughFine * patchScale(corners)
	if scale > worthShrinking {
		return b.settle(img, corners)
	}
	gocv.Resize(img, &b.small, image.Point{}, scale, scale, gocv.InterpolationArea)
	g, err := b.settle(b.small, times(corners, scale))
	if err != nil {
		return nil, err
	}
	return NewGeometry(times(g.Corners, 1/scale), g.BarLeft, g.BarRight)
}

// times returns the corners in a picture made larger by k.
func times(c [4]Pixel, k float64) [4]Pixel {
	for i := range c {
		c[i].X, c[i].Y = c[i].X*k, c[i].Y*k
	}
	return c
}

// settle finds the board that lies somewhere near the corners. What is found is looked for again, from nothing, in the picture turned by
// half: the networks err in different ways there, and the mean of the corners errs less than either. Where the two disagree the mirror
// images are asked too, and the medians taken: of 114 boards not seen in training that puts three
// more right, and 19 take twice as long.
func (b *boardFinder) settle(img gocv.Mat, corners [4]Pixel) (*Geometry, error) {
	first, err := b.searchFrom(img, corners)
	if err != nil {
		return nil, err
	}
	second, err := b.searchMirrored(img, mirror{sides: true, rows: true}, first)
	if err != nil {
		return nil, err
	}
	found := [][4]Pixel{first.Corners, second}
	if apart(first.Corners, second) > disagreeing*first.Diagonal() {
		for _, m := range [2]mirror{{sides: true}, {rows: true}} {
			c, err := b.searchMirrored(img, m, first)
			if errors.Is(err, ErrNoBoard) {
				continue
			}
			if err != nil {
				return nil, err
			}
			found = append(found, c)
		}
	}
	g, _, err := b.at(img, medians(found))
	if g == nil {
		return nil, ErrNoBoard
	}
	return g, err
}

// searchMirrored returns the corners of the board as they are found in a mirror image, in the order of those of like.
func (b *boardFinder) searchMirrored(img gocv.Mat, m mirror, like *Geometry) ([4]Pixel, error) {
	gocv.Flip(img, &b.mirrored, m.code())
	g, err := b.search(b.mirrored)
	if err != nil {
		return [4]Pixel{}, err
	}
	return turnedLike(m.back(g.Corners, img.Cols(), img.Rows()), like.Corners), nil
}

// back returns where corners seen in a mirror image lie in the picture of the given size, clockwise again.
func (m mirror) back(c [4]Pixel, cols, rows int) [4]Pixel {
	for i := range c {
		if m.sides {
			c[i].X = float64(cols) - c[i].X
		}
		if m.rows {
			c[i].Y = float64(rows) - c[i].Y
		}
	}
	if m.sides != m.rows {
		c = [4]Pixel{c[1], c[0], c[3], c[2]}
	}
	return c
}

// apart returns how far the two corners are from each other that are farthest.
func apart(a, b [4]Pixel) (most float64) {
	for i := range a {
		most = max(most, distance(a[i], b[i]))
	}
	return most
}

// medians returns the median of each coordinate of the corners found: of two their mean.
func medians(found [][4]Pixel) (c [4]Pixel) {
	xs, ys := make([]float64, len(found)), make([]float64, len(found))
	for i := range c {
		for k := range found {
			xs[k], ys[k] = found[k][i].X, found[k][i].Y
		}
		c[i] = Pixel{median(xs), median(ys)}
	}
	return c
}

func median(v []float64) float64 {
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
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
	return b.searchFrom(img, corners)
}

// searchFrom finds the board of one picture near the corners.
func (b *boardFinder) searchFrom(img gocv.Mat, corners [4]Pixel) (*Geometry, error) {
	corners, err := b.refine(img, corners)
	if err != nil {
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

// refine sets roughly placed corners right and turns them so that the bar stands. Once a look moves them by little, what it and the next ones say is
// a matter of chance, and their mean errs less than any of them.
func (b *boardFinder) refine(img gocv.Mat, corners [4]Pixel) ([4]Pixel, error) {
	turned := false
	var near [][4]Pixel
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
			turned, near = true, nil
			continue
		}
		if f.offsets.most() < settled {
			break
		}
		if len(near) > 0 || f.offsets.most() < nearly {
			near = append(near, corners)
			corners = medians(near)
			if len(near) == alikeLooks {
				break
			}
		}
	}
	return corners, nil
}

// pinDown looks at each corner from near and goes half the way to where that shows it: the edges tell of all of the
// board, the patches of what is round each corner; they err in different ways, and their mean less than either.
func (b *boardFinder) pinDown(img gocv.Mat, corners [4]Pixel) ([4]Pixel, error) {
	byEdges := corners
	for i := range pinnings {
		g, err := NewGeometry(corners, 0.5, 0.5)
		if err != nil {
			return corners, ErrNoBoard
		}
		o, err := b.pin.look(img, g)
		if err != nil {
			return corners, err
		}
		if i == pinnings-1 && o.most() > restless {
			return corners, ErrNoBoard
		}
		corners = o.apply(g)
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

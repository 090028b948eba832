package vision

import (
	"errors"
	"image"

	"gocv.io/x/gocv"
)

// The look of a board is taken from a small coloured copy of the rectified view, on the grid on which movement is
// watched.
const (
	thumbSlot = slotWidth / motionScale  // pixels across a point
	thumbHalf = halfHeight / motionScale // and from the edge of the board to its middle
	thumbEdge = viewMargin / motionScale
)

// thumb is such a copy: BGR, row by row.
type thumb [motionWidth * motionHeight * 3]uint8

// take makes t the small copy of a rectified view; small is scratch.
func (t *thumb) take(view gocv.Mat, small *gocv.Mat) error {
	gocv.Resize(view, small, image.Pt(motionWidth, motionHeight), 0, 0, gocv.InterpolationArea)
	px, err := small.DataPtrUint8()
	if err != nil {
		return err
	}
	if len(px) != len(t) {
		return errors.New("vision: take the board's look: the view is not in colour")
	}
	copy(t[:], px)
	return nil
}

// colour is blue, green, red in grey levels, 0...255.
type colour [3]float32

func (t *thumb) at(x, y int) colour {
	p := t[3*(y*motionWidth+x):]
	return colour{float32(p[0]), float32(p[1]), float32(p[2])}
}

func (t *thumb) set(x, y int, c colour) {
	p := t[3*(y*motionWidth+x):]
	for i, v := range c {
		p[i] = uint8(max(0, min(255, v+0.5)))
	}
}

// triangle names one of the 24 points in the picture's own terms: row 0 is the top one, columns count from the left.
type triangle struct{ row, column int }

// triangles are all of them.
var triangles = func() (all [24]triangle) {
	for i := range all {
		all[i] = triangle{i / 12, i % 12}
	}
	return all
}()

// pixel returns the place in the thumb that is x from the point's left side and d from the board's edge.
func (p triangle) pixel(x, d int) (int, int) {
	slot := p.column
	if slot >= 6 {
		slot += 2
	}
	y := thumbEdge + d
	if p.row == 1 {
		y = motionHeight - 1 - y
	}
	return thumbEdge + slot*thumbSlot + x, y
}

// of returns what a table by rows and columns holds for the point.
func (p triangle) of(counts *[2][12]int) int { return counts[p.row][p.column] }

// gain returns by how much each channel of t is brighter than ref: the median over the board, which no hand and no
// checker moves by much.
func (t *thumb) gain(ref *thumb) (g [3]float32) {
	const one = 64 // steps to a factor of one
	for c := range g {
		var ratios [4 * one]int
		n := 0
		for i := c; i < len(t); i += 3 {
			if r := int(ref[i]); r > 16 {
				ratios[min(len(ratios)-1, int(t[i])*one/r)]++
				n++
			}
		}
		sum, k := 0, 0
		for ; k < len(ratios)-1 && sum+ratios[k] <= n/2; k++ {
			sum += ratios[k]
		}
		g[c] = max(0.4, min(2.5, (float32(k)+0.5)/one))
		if n == 0 {
			g[c] = 1
		}
	}
	return g
}

// dim takes the gain out of t: its light is then that of what it was compared with.
func (t *thumb) dim(gain [3]float32) {
	for c, g := range gain {
		var levels [256]uint8
		for v := range levels {
			levels[v] = uint8(max(0, min(255, float32(v)/g+0.5)))
		}
		for i := c; i < len(t); i += 3 {
			t[i] = levels[t[i]]
		}
	}
}

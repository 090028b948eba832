package accuracy

import "davar/vision"

// wholly is the visible share of its checkers from which a point can be seen.
const wholly = 0.8

// shown returns the points, top row and bottom row, that can be seen for certain: those whose checkers all can. Of
// empty points, and where the truth tells nothing of single checkers, only a picture in which nothing hides anything
// is certain. Checkers that others lie on do not count. g gives the bar's edges; nil: nothing is certain in a picture
// in which something hides.
func (t *Truth) shown(g *vision.Geometry) (shown [2][12]bool) {
	if !t.Occluded {
		for i := range 12 {
			shown[0][i], shown[1][i] = true, true
		}
		return shown
	}
	board := t.geometry(g)
	if board == nil {
		return shown
	}
	var layers [2][12]int
	var visible [2][12]float64
	for _, c := range t.Checkers {
		if c.Where != "point" {
			continue
		}
		u, v := board.ToBoard(vision.Pixel{X: c.Center[0], Y: c.Center[1]})
		row, column := 0, columnOf(board, u)
		if v > 0.5 {
			row = 1
		}
		switch layer := &layers[row][column]; {
		case c.Layer+1 > *layer:
			*layer, visible[row][column] = c.Layer+1, c.Visible
		case c.Layer+1 == *layer:
			visible[row][column] = min(visible[row][column], c.Visible)
		}
	}
	for row := range shown {
		for i := range shown[row] {
			shown[row][i] = layers[row][i] > 0 && visible[row][i] >= wholly
		}
	}
	return shown
}

// geometry returns where the board truly lies, with the bar's edges of g; nil when that makes no board.
func (t *Truth) geometry(g *vision.Geometry) *vision.Geometry {
	if g == nil || t.Corners == nil {
		return nil
	}
	var corners [4]vision.Pixel
	for i, c := range *t.Corners {
		corners[i] = vision.Pixel{X: c[0], Y: c[1]}
	}
	board, err := vision.NewGeometry(corners, g.BarLeft, g.BarRight)
	if err != nil {
		return nil
	}
	return board
}

// columnOf returns the column that u lies in, or the one nearest to it.
func columnOf(g *vision.Geometry, u float64) (column int) {
	for i := range 12 {
		if left, _ := g.PointSpan(i); u >= left {
			column = i
		}
	}
	return column
}

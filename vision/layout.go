package vision

import (
	"fmt"

	"davar/rules"
	"davar/rules/sighting"
)

// Layout says how the board lies before the camera (SETUP-3): the side that sits at the bottom of the rectified
// picture, "light" or "dark", and the side of the picture on which both home boards lie, "left" or "right".
type Layout struct {
	Bottom, Home string
}

// check refuses words that name no layout.
func (l Layout) check() error {
	if l.Bottom != "light" && l.Bottom != "dark" {
		return fmt.Errorf("vision: set the layout: the side at the bottom must be light or dark, not %q", l.Bottom)
	}
	if l.Home != "left" && l.Home != "right" {
		return fmt.Errorf("vision: set the layout: the home boards must be left or right, not %q", l.Home)
	}
	return nil
}

// place returns where light's point p (1...24) lies in the rectified picture: whether in its top row, and the
// column from the left.
func (l Layout) place(p int) (top bool, column int) {
	top = l.Bottom == "dark" // light's home row is the one before him
	column = 12 - p
	if p > 12 {
		top, column = !top, p-13
	}
	if l.Home == "left" {
		column = 11 - column
	}
	return top, column
}

// reach returns how probable it is, by side, that the arm that comes from a chair is his.
func (l Layout) reach(from chair) (by [2]float32) {
	if from == noChair {
		return by
	}
	side := rules.Light
	if (l.Bottom == "dark") == (from == bottomChair) {
		side = rules.Dark
	}
	by[side] = armOwner
	return by
}

// points returns the reading's points numbered from light's side: index p-1 is light's p point.
func (l Layout) points(r *Reading) (points [24]sighting.Point) {
	for p := 1; p <= 24; p++ {
		if top, column := l.place(p); top {
			points[p-1] = r.Top[column]
		} else {
			points[p-1] = r.Bottom[column]
		}
	}
	return points
}

// cube says whose the cube is by where it lies: a quarter of the board's height or less from a player's edge is
// his (CUBE-7); at middle height it is nobody's on the bar or beside the board, offered when on the points.
func (l Layout) cube(c *Cube, g *Geometry) sighting.CubePlace {
	const own = 0.27
	bottom, top := sighting.CubeLight, sighting.CubeDark
	if l.Bottom == "dark" {
		bottom, top = top, bottom
	}
	width, _ := g.PointSpan(1)
	onPoints := c.U > 0 && c.U < g.BarLeft-width/4 || c.U > g.BarRight+width/4 && c.U < 1
	switch {
	case onPoints && c.V > 0 && c.V < 1 && c.U < 0.5:
		return sighting.CubeOfferedLeft
	case onPoints && c.V > 0 && c.V < 1:
		return sighting.CubeOfferedRight
	case c.V < own:
		return top
	case c.V > 1-own:
		return bottom
	}
	return sighting.CubeMiddle
}

// Position returns the most probable position of a reading under the layout. The checkers off are those missing
// from fifteen. Hidden points count as read.
func (l Layout) Position(r *Reading) (rules.Position, error) {
	if err := l.check(); err != nil {
		return rules.Position{}, err
	}
	var pos rules.Position
	var total [2]int
	for i, p := range l.points(r) {
		n, _ := p.Counts.Best()
		if n > 0 {
			pos.Checkers[rules.Light][i+1] = uint8(n)
			total[rules.Light] += n
		} else if n < 0 {
			pos.Checkers[rules.Dark][24-i] = uint8(-n)
			total[rules.Dark] -= n
		}
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		n, _ := r.Bar[side].Best()
		pos.Checkers[side][rules.Bar] = uint8(n)
		if total[side]+n > sighting.MaxCount {
			return pos, fmt.Errorf("vision: read the position: %d %s checkers are more than there are", total[side]+n, side)
		}
		pos.Checkers[side][rules.Off] = uint8(sighting.MaxCount - total[side] - n)
	}
	return pos, nil
}

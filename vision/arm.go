package vision

import "time"

// Arms come from the players' sides. Whatever crosses the strip before the board's top or bottom edge, where
// neither checker nor die has business, is taken for an arm until it goes or has lain still for long.
const (
	armRows  = 2               // rows of the motion picture that the strip is made of, at its very edge
	armWidth = 4               // pixels side by side that must have changed in each: half a point
	armStays = 4 * time.Second // what lies still for longer is a thing somebody put there
)

// armWatch tells whether something reaches over the board.
type armWatch struct {
	free   [2 * armRows][motionWidth]uint8 // the strips with nobody there
	known  bool
	quiet  time.Duration // since when nothing moves
	moving bool
}

func (a *armWatch) forget() { *a = armWatch{} }

// observe takes the levels of the motion picture taken at t and whether anything moves on the board in it, and
// returns whether an arm reaches over the board.
func (a *armWatch) observe(levels *[motionWidth * motionHeight]uint8, moves bool, t time.Duration) bool {
	if moves || a.moving != moves {
		a.quiet, a.moving = t, moves
	}
	crossed := a.known && (a.crossed(levels, 0) || a.crossed(levels, 1))
	if !crossed || !moves && t-a.quiet >= armStays {
		for i := range a.free {
			copy(a.free[i][:], levels[stripRow(i)*motionWidth:][:motionWidth])
		}
		a.known = true
	}
	return crossed
}

// crossed tells whether all rows of a strip changed over the width of an arm.
func (a *armWatch) crossed(levels *[motionWidth * motionHeight]uint8, strip int) bool {
	run := 0
	for x := range motionWidth {
		changed := true
		for i := strip * armRows; i < (strip+1)*armRows; i++ {
			d := int(levels[stripRow(i)*motionWidth+x]) - int(a.free[i][x])
			changed = changed && (d > motionStep || d < -motionStep)
		}
		if run++; !changed {
			run = 0
		}
		if run >= armWidth {
			return true
		}
	}
	return false
}

// stripRow returns the row of the motion picture that holds row i of the strips.
func stripRow(i int) int {
	if i < armRows {
		return i
	}
	return motionHeight - 2*armRows + i
}

package vision

import "time"

// Arms come from the players' sides. Whatever crosses the strip before the board's top or bottom edge, where
// neither checker nor die has business, is taken for an arm until it goes or has lain still for long.
const (
	armRows  = 2               // rows of the motion picture that the strip is made of, at its very edge
	armWidth = 4               // pixels side by side that must have changed in each: half a point
	armStays = 4 * time.Second // what lies still for longer is a thing somebody put there
	armGone  = time.Second     // what lies still for longer, and is no hand by the points' reader, is none
	noHand   = 0.2             // probability of a hand below which the points' reader sees none
	armOwner = 0.95            // probability that an arm is his before whom it crosses the edge
)

// chair is where a player sits, as the rectified picture shows it.
type chair uint8

const (
	noChair chair = iota
	topChair
	bottomChair
)

// armStrips are the levels of the two strips, the top one's rows first.
type armStrips [2 * armRows][motionWidth]uint8

// stripsOf returns the strips of a motion picture.
func stripsOf(levels *[motionWidth * motionHeight]uint8) (s armStrips) {
	for i := range s {
		copy(s[i][:], levels[stripRow(i)*motionWidth:])
	}
	return s
}

// differ tells whether a level of the strips differs from that of others by more than noise.
func (s *armStrips) differ(others *armStrips) bool {
	for i := range s {
		for x, v := range s[i] {
			if differ(v, others[i][x]) {
				return true
			}
		}
	}
	return false
}

// armWatch tells whether something reaches over the board.
type armWatch struct {
	free  armStrips // with nobody there
	last  armStrips // in the picture before
	known bool
	over  bool          // an arm reached over the board in the picture before
	from  chair         // where it comes from; noChair when that cannot be told
	quiet time.Duration // since when the strips stay as they are
}

func (a *armWatch) forget() { *a = armWatch{} }

// relit takes the levels of a picture in which nothing but the light changed: strips that were free are free still.
func (a *armWatch) relit(levels *[motionWidth * motionHeight]uint8) {
	if !a.known || a.over {
		a.forget()
		return
	}
	a.last = stripsOf(levels)
	a.free = a.last
}

// observe takes the levels of the motion picture taken at t and returns whether an arm reaches over the board. The
// board behind the strips may move or not: checkers are moved and dice thrown while a thing lies on the edge. hand is
// how likely the reader of points, when it last looked, at handAt, took something for a hand: a watch that begins with
// somebody over the board must not take him for the free strip.
func (a *armWatch) observe(levels *[motionWidth * motionHeight]uint8, t time.Duration, hand float32, handAt time.Duration) bool {
	a.over = a.reaches(levels, t, hand, handAt)
	if !a.over {
		a.from = noChair
	}
	return a.over
}

// comeFrom follows where the arm comes from. It crosses the edge before its owner first; a long one then crosses the far
// edge too, and leaves that first.
func (a *armWatch) comeFrom(top, bottom bool) {
	switch {
	case top && !bottom:
		a.from = topChair
	case bottom && !top:
		a.from = bottomChair
	}
}

func (a *armWatch) reaches(levels *[motionWidth * motionHeight]uint8, t time.Duration, hand float32, handAt time.Duration) bool {
	now := stripsOf(levels)
	if now.differ(&a.last) {
		a.quiet = t
	}
	a.last = now
	empty := hand < noHand && handAt >= a.quiet
	switch still := t - a.quiet; {
	case still >= armStays, empty && (still >= armGone || !a.known):
		a.free, a.known = a.last, true
		return false
	case !a.known:
		return true
	}
	top, bottom := a.crossed(levels, 0), a.crossed(levels, 1)
	a.comeFrom(top, bottom)
	if !top && !bottom {
		a.follow()
	}
	return top || bottom
}

// follow lets the free strips follow the light, a level a picture; what differs more is not light but the rim of
// an arm or its shadow, which must not be taken for the free strip.
func (a *armWatch) follow() {
	for i := range a.free {
		for x, v := range a.last[i] {
			switch free := &a.free[i][x]; {
			case differ(v, *free):
			case v > *free:
				*free++
			case v < *free:
				*free--
			}
		}
	}
}

// differ tells whether two levels differ by more than noise.
func differ(a, b uint8) bool {
	d := int(a) - int(b)
	return d > motionStep || d < -motionStep
}

// crossed tells whether all rows of a strip changed over the width of an arm.
func (a *armWatch) crossed(levels *[motionWidth * motionHeight]uint8, strip int) bool {
	run := 0
	for x := range motionWidth {
		changed := true
		for i := strip * armRows; i < (strip+1)*armRows; i++ {
			changed = changed && differ(levels[stripRow(i)*motionWidth+x], a.free[i][x])
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

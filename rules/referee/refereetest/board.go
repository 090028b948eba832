package refereetest

import (
	"davar/rules"
	"davar/rules/sighting"
)

// FrameRate is the number of sightings a second the films and the simulator give.
const FrameRate = 10

// Board is what really lies on a table at one moment, as a perfect eye would see it.
type Board struct {
	Position rules.Position // may hold both colours on one point (M8), or too few checkers (M9)
	Dice     []Die
	Cube     *sighting.Cube // nil: no cube on the table
	Hand     bool           // a hand is over the board
	Palm     bool           // it lies there and does not move: it hides the same points all the time
	Reaching *rules.Side    // whose it is, where that can be told
	Air      bool           // dice are in the air
	Scene    sighting.Scene // what kind of picture the camera gives
}

// Die is one die that lies on or beside the board.
type Die struct {
	Value   int
	Place   sighting.Place
	Half    sighting.Place // LeftHalf or RightHalf of the picture
	Cocked  bool
	Owner   rules.Side
	U, V    float32 // as in sighting.Die
	Covered bool    // hidden under a hand
}

// mixed tells whether both colours stand on light's point p.
func (b *Board) mixed(p int) bool {
	return b.Position.Checkers[rules.Light][p] > 0 && b.Position.Checkers[rules.Dark][25-p] > 0
}

// count returns the signed number of checkers on light's point p; where both colours stand, those of the colour
// that are more, light's when equal.
func (b *Board) count(p int) int {
	light, dark := int(b.Position.Checkers[rules.Light][p]), int(b.Position.Checkers[rules.Dark][25-p])
	if light >= dark {
		return light
	}
	return -dark
}

// On returns the signed number of checkers on light's point p, light's positive, and whether both colours stand there.
func (b *Board) On(p int) (n int, mixed bool) { return b.count(p), b.mixed(p) }

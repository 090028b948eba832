package vision

// Whose a die is, where each player has a pair of his own colour, is told by how bright it is. The light of a room comes and goes, and
// is poor in many: a die's brightness is set against that of the brightest things on the board.
const (
	brightest   = 0.02 // share of the board that the brightest things are
	whiteBright = 0.88 // how bright they are in good light, 0...1
	mostRelit   = 4.0  // by how much the light is taken to be too dim at most
)

// light is how bright the brightest things on a board are, 0...1. The zero value knows nothing yet.
type light float64

// see takes the grey levels of a picture of the board.
func (l *light) see(levels []uint8) {
	var histogram [256]int
	for _, v := range levels {
		histogram[v]++
	}
	left, v := int(brightest*float64(len(levels))), 255
	for ; v > 0 && left >= histogram[v]; v-- {
		left -= histogram[v]
	}
	*l = light(v) / 255
}

// factor is by how much what is seen would be brighter in good light; 1 when the light is good.
func (l light) factor() float64 {
	if l <= 0 {
		return 1
	}
	return min(mostRelit, max(1, whiteBright/float64(l)))
}

// A die counts as light by how bright its body is, 0...1: these are the middle and the steepness.
const (
	lightFrom  = 0.6
	lightSteep = 12
)

// lightness is how probable it is that a die whose body is so bright is a light one.
func lightness(bright float64) float32 {
	return logistic(float32(lightSteep * (bright - lightFrom)))
}

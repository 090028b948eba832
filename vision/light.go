package vision

import "math"

// The light of a room comes and goes. Whose a die is, where each player has a pair of his own colour, is told by how bright it
// is; that is set against how bright the board is beside how bright it usually is.
const (
	lightMemory = 1500 // pictures over which the usual light is the mean
	lightBounds = 2.5  // by how much the light is taken to differ from the usual at most, either way
)

// light is how bright a board is, and usually is. The zero value knows nothing yet.
type light struct {
	usual float64 // mean grey level
	seen  int
	now   float64
}

// see takes the mean grey level of a picture of the board.
func (l *light) see(mean float64) {
	l.now = mean
	l.seen = min(l.seen+1, lightMemory)
	l.usual += (mean - l.usual) / float64(l.seen)
}

// factor is by how much what is seen now would be brighter in the usual light.
func (l *light) factor() float64 {
	if l.now <= 0 || l.usual <= 0 {
		return 1
	}
	return min(lightBounds, max(1/lightBounds, l.usual/l.now))
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

// relit is what lightness would be were the die so many times as bright.
func relit(lightness float32, factor float64) float32 {
	p := min(max(float64(lightness), 1e-6), 1-1e-6)
	bright := lightFrom + math.Log(p/(1-p))/lightSteep
	return logistic(float32(lightSteep * (bright*factor - lightFrom)))
}

package vision

import (
	"time"

	"davar/rules/sighting"
)

// Reading is what one picture shows, in the picture's own terms: nothing is known here of whose home is where.
// Column i of Top and Bottom counts from the left of the rectified view.
type Reading struct {
	Geometry    *Geometry
	Top, Bottom [12]sighting.Point
	Bar, Off    [2]sighting.Pile // indexed by rules.Side; light is the lighter colour
	Dice        []Die
	Cube        *Cube
	Took        time.Duration // what finding and reading it took
}

// Die is a die found in a picture.
type Die struct {
	sighting.Die
	Center Pixel   // of the body
	Size   float64 // edge of the upper face, pixels

	bright  float64 // how bright its body is, 0...1: what Light goes by
	ground  ground
	leaning [6]float32 // probabilities of the numbers on its upper face if it leans; all 0: not looked at as one that does
}

// Cube is the doubling cube found in a picture. Where holds probabilities of its place as the picture shows it.
type Cube struct {
	Center Pixel
	Values map[int]float32 // numeral (2, 4, 8, 16, 32, 64) to probability
	Real   float32         // probability that it is a cube at all
	U, V   float64         // centre on the rectified board; outside 0...1 when beside it
}

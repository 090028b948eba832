package vision

import (
	"errors"
	"image"
	"math"
	"slices"

	"davar/rules/sighting"
)

// ErrPartOfBoard says that what was found is no whole board.
var ErrPartOfBoard = errors.New("vision: find the board: only a part of a backgammon board seems to be in the picture, or too little of it can be told; show the whole board, or give its corners")

// A part of a board taken for a whole one gives itself away twice: it is too narrow or too flat for any place of the
// camera, and its twelve or six points, cut anew into twenty-four, are hard to read. The measures were set on every
// other picture of stills/dev and real, whole and cut in half.
const (
	strainWeight = 0.5
	doubtWeight  = 50
	partialFrom  = 12
)

// isPartial tells whether the board that was found in a picture of the given size, and read, is rather a part of one.
func isPartial(r *Reading, size image.Point) bool {
	s := stanceOf(r.Geometry, size)
	return strainWeight*s.strain+doubtWeight*doubt(r) > partialFrom
}

// doubt returns how unsure the points that can be seen are: the mean of the negative logarithm of each one's most
// likely count.
func doubt(r *Reading) float64 {
	var sum, n float64
	for _, row := range [2]*[12]sighting.Point{&r.Top, &r.Bottom} {
		for i := range row {
			if !row[i].Hidden {
				sum -= math.Log(float64(slices.Max(row[i].Counts[:])))
				n++
			}
		}
	}
	return sum / max(1, n)
}

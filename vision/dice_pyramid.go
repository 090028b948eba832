package vision

import (
	"math"

	"gocv.io/x/gocv"
)

// pyramidSteps is how much smaller each view of a picture without a board is than the one before.
const pyramidSteps = 0.6

// findAnywhere finds dice in a picture without a board: of unknown size, so it is looked over at several scales.
func (f *Finder) findAnywhere(img gocv.Mat) ([]Die, error) {
	f.locator.spots = f.locator.spots[:0]
	w, h := float64(img.Cols()), float64(img.Rows())
	for s := min(canvasWidth/w, canvasHeight/h); s*math.Max(w, h) > 90; s *= pyramidSteps {
		m := affine{a: s, e: s, c: canvasWidth/2 - s*w/2, f: canvasHeight/2 - s*h/2}
		if err := f.locator.add(img, m); err != nil {
			return nil, err
		}
	}
	f.locator.trim(120)
	looks, _, err := f.readAll(&scene{img: img, upright: affine{a: 1, e: 1}}, f.locator.spots)
	if err != nil {
		return nil, err
	}
	dice := make([]Die, 0, len(looks))
	for i := range looks {
		dice = append(dice, dieOf(&looks[i], nil))
	}
	return dice, nil
}

package vision

import (
	"math"
	"slices"

	"gocv.io/x/gocv"
)

// A picture without a board is looked over at several scales, each pyramidStep of the one before, from the whole
// picture on the canvas down to one of smallestView pixels.
const (
	pyramidStep  = 0.6
	smallestView = 50
	mostAnywhere = 120 // places looked at over all scales
	alikeFactor  = 1.6 // dice of one picture differ in size by no more than this

	surerFromLow = 0.05 // logarithm of by how much surer numbers are, seen as from low down, where they were seen from there
)

// lowUps is how far up may point in the picture where the camera looks at the table from low down.
var lowUps = [...]float64{0.5, 0.75}

// findAnywhere finds dice in a picture without a board. Their size is unknown, but much the same for all.
func (f *Finder) findAnywhere(img gocv.Mat) ([]Die, error) {
	f.locator.spots = f.locator.spots[:0]
	w, h := float64(img.Cols()), float64(img.Rows())
	for s := min(canvasWidth/w, canvasHeight/h); s*max(w, h) > smallestView; s *= pyramidStep {
		m := affine{a: s, e: s, c: canvasWidth/2 - s*w/2, f: canvasHeight/2 - s*h/2}
		f.locator.begin()
		if err := f.locator.look(img, m, everyWay[0]); err != nil {
			return nil, err
		}
		f.locator.gather(m)
	}
	f.locator.trim(mostAnywhere)
	s := scene{img: img, upright: affine{a: 1, e: 1}}
	looks, _, err := f.readAll(&s, f.locator.spots)
	if err != nil {
		return nil, err
	}
	if looks, err = f.fromLow(s, alike(looks)); err != nil {
		return nil, err
	}
	more, err := f.pictured(&s, looks, f.strange)
	if err != nil {
		return nil, err
	}
	looks = append(looks, more...)
	dice := make([]Die, 0, len(looks))
	for i := range looks {
		dice = append(dice, dieOf(&looks[i], nil))
	}
	return dice, nil
}

// fromLow reads the dice again as seen by a camera that is held upright and looks at the table so slantingly that up points by one of
// lowUps towards the picture's upper edge, and returns what one of these makes of them if they are read much more surely so: from low down
// the side of a die shows as large as its upper face.
func (f *Finder) fromLow(s scene, dice []look) ([]look, error) {
	best, sure := dice, meanSureness(dice)+surerFromLow
	for _, up := range lowUps {
		s.up = &Pixel{Y: -up}
		again := slices.Clone(dice)
		for i := range again {
			l, err := f.glance(&s, dice[i].at, dice[i].size, 0)
			if err != nil {
				return nil, err
			}
			if err := f.addOtherSides(&s, &l, dice[i].at, dice[i].size); err != nil {
				return nil, err
			}
			again[i].value, again[i].up = l.value, l.up
		}
		if m := meanSureness(again); m > sure {
			best, sure = again, m
		}
	}
	return best, nil
}

// meanSureness returns the mean logarithm of how sure the number of each die is.
func meanSureness(dice []look) float64 {
	sum := 0.0
	for i := range dice {
		sum += math.Log(float64(slices.Max(dice[i].value[:])))
	}
	return sum / float64(max(1, len(dice)))
}

// alike keeps the dice of the size that most speaks for: at other scales pips, or several dice together, pass for
// a die now and then.
func alike(dice []look) []look {
	best, size := 0.0, 0.0
	for i := range dice {
		sum := 0.0
		for j := range dice {
			if near(dice[j].size, dice[i].size, alikeFactor) {
				sum += max(0, conviction(&dice[j])-0.4)
			}
		}
		if sum > best {
			best, size = sum, dice[i].size
		}
	}
	for range 2 { // those near it, then those near the middle one of them
		dice = slices.DeleteFunc(dice, func(d look) bool { return !near(d.size, size, alikeFactor) })
		if len(dice) > 0 {
			size = middleSize(dice)
		}
	}
	return dice
}

// conviction is how sure it is that this is a die and which number it shows.
func conviction(l *look) float64 {
	var top float32
	for _, p := range l.value[1:] {
		top = max(top, p)
	}
	return float64(l.real * top)
}

// near tells whether two edges differ by less than the factor.
func near(a, b, factor float64) bool { return a < b*factor && b < a*factor }

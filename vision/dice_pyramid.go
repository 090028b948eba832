package vision

import "gocv.io/x/gocv"

// A picture without a board is looked over at several scales, each pyramidStep of the one before, from the whole
// picture on the canvas down to one of smallestView pixels.
const (
	pyramidStep  = 0.6
	smallestView = 50
	mostAnywhere = 120 // places looked at over all scales
	alikeFactor  = 1.6 // dice of one picture differ in size by no more than this
)

// findAnywhere finds dice in a picture without a board. Their size is unknown, but much the same for all.
func (f *Finder) findAnywhere(img gocv.Mat) ([]Die, error) {
	f.locator.spots = f.locator.spots[:0]
	w, h := float64(img.Cols()), float64(img.Rows())
	for s := min(canvasWidth/w, canvasHeight/h); s*max(w, h) > smallestView; s *= pyramidStep {
		m := affine{a: s, e: s, c: canvasWidth/2 - s*w/2, f: canvasHeight/2 - s*h/2}
		if err := f.locator.add(img, m, everyWay[:1]); err != nil {
			return nil, err
		}
	}
	f.locator.trim(mostAnywhere)
	s := scene{img: img, upright: affine{a: 1, e: 1}}
	looks, _, err := f.readAll(&s, f.locator.spots)
	if err != nil {
		return nil, err
	}
	looks = alike(looks)
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

// alike keeps the dice of the size that most speaks for: at other scales pips, or several dice together, pass for
// a die now and then.
func alike(dice []look) []look {
	best, size := 0.0, 0.0
	for i := range dice {
		sum := 0.0
		for j := range dice {
			if near(dice[j].size, dice[i].size) {
				sum += max(0, conviction(&dice[j])-0.4)
			}
		}
		if sum > best {
			best, size = sum, dice[i].size
		}
	}
	kept := dice[:0]
	for _, d := range dice {
		if near(d.size, size) {
			kept = append(kept, d)
		}
	}
	return kept
}

// conviction is how sure it is that this is a die and which number it shows.
func conviction(l *look) float64 {
	var top float32
	for _, p := range l.value[1:] {
		top = max(top, p)
	}
	return float64(l.real * top)
}

func near(a, b float64) bool { return a < b*alikeFactor && b < a*alikeFactor }

package vision

import (
	"errors"
	"math"

	"davar/rules/sighting"
)

// Appearance is what the points and checkers of one board look like, learned from a picture of a known position.
// It weighs what is read of later pictures of the same board.
type Appearance struct {
	// Board is the empty board: the rectified view, small, BGR. What checkers covered is taken from points alike.
	Board []byte `json:"board"`
	// Light and Dark are the colours of the checkers of each side.
	Light []Tone `json:"light"`
	Dark  []Tone `json:"dark"`
	// Pitch is how far the checkers of a stack lie from each other and Edge how far the first one's rim lies from the
	// board's edge, for the top and the bottom row, as shares of the board's height.
	Pitch [2]float64 `json:"pitch"`
	Edge  [2]float64 `json:"edge"`

	board       thumb
	light, dark *density
	telling     [24][2][thumbHalf]float32 // how far a place of a point tells checkers of each side from the empty board, 0...1
}

// prepare makes the tables that weighing needs; it fails on an appearance that was not learned.
func (a *Appearance) prepare() error {
	if len(a.Board) != len(a.board) {
		return errors.New("vision: take up a calibration: the picture of the empty board has the wrong size; calibrate again")
	}
	if len(a.Light) == 0 || len(a.Dark) == 0 || min(a.Pitch[0], a.Pitch[1]) <= 0 {
		return errors.New("vision: take up a calibration: what the checkers look like is missing; calibrate again")
	}
	copy(a.board[:], a.Board)
	a.light, a.dark = newDensity(a.Light), newDensity(a.Dark)
	a.weighPlaces()
	return nil
}

// A place where checkers, or the empty board, are on average taken for what they are by less than blind, in logarithms
// of probability, tells nothing of either; one where both are by more than open tells all.
const (
	blind = 0.5
	open  = 4.0
)

// weighPlaces finds out how far each place tells the checkers of each side from the empty board: the lesser of the two
// relative entropies of their colours.
func (a *Appearance) weighPlaces() {
	for i, p := range triangles {
		for side, tones := range [2][]Tone{a.Light, a.Dark} {
			checker := [2]*density{a.light, a.dark}[side]
			for d := range thumbHalf {
				ref := a.board.at(p.pixel(thumbSlot/2, d))
				ofBoard := boardDensity(ref, ref) - checker.at(ref)
				var ofChecker float32
				for _, t := range tones {
					ofChecker += t.Share * (checker.at(t.BGR) - boardDensity(t.BGR, ref))
				}
				a.telling[i][side][d] = max(0, min(1, (min(ofBoard, ofChecker)-blind)/(open-blind)))
			}
		}
	}
}

// profile says for each step from the edge of a point to the middle of the board how much rather the checkers of a
// side are seen there than the empty board: the mean of the logarithms of the ratios.
type profile [thumbHalf]float32

// Settings of the profiles.
const (
	profileFrom  = 2 // columns of the thumb's pixels of a point that are looked at: there checkers cover it whole
	profileUntil = 6
	surest       = 4.0 // no pixel says more than this
)

// profiles returns the profiles of light and dark on a point seen in the calibration's light, and the share of it that
// is known: looks like the empty board or like some checker.
func (a *Appearance) profiles(t *thumb, p triangle) (light, dark profile, known float32) {
	const columns = profileUntil - profileFrom
	for d := range thumbHalf {
		for x := profileFrom; x < profileUntil; x++ {
			seen := t.at(p.pixel(x, d))
			board := unknown
			for side := -1; side <= 1; side++ { // no view is exact to a pixel
				board = max(board, boardDensity(seen, a.board.at(p.pixel(x+side, d))))
			}
			l, k := a.light.at(seen), a.dark.at(seen)
			if max(board, l, k) > unknown {
				known++
			}
			light[d] += quiet(l - board)
			dark[d] += quiet(k - board)
		}
		light[d] /= columns
		dark[d] /= columns
	}
	return light, dark, known / (columns * thumbHalf)
}

// quiet bounds what one pixel says.
func quiet(x float32) float32 { return max(-surest, min(surest, x)) }

// Settings of the weighing.
const (
	rowsTogether = 4.0   // rows of pixels that say no more than one
	fits         = 0.75  // share of the points that must be known for a board to be this one
	firstLayer   = 5     // checkers that surely lie side by side; more may lie on top of them
	looseRows    = 5     // pixels by which a stack may lie off the edge, beyond what it did at calibration
	looseCosts   = 0.15  // in logarithms of probability, for each
	mislead      = 0.002 // probability that a look at a point says nothing at all
)

// logP returns how probable n checkers are by a side's profile on a point of the row, beside none: the logarithm of
// the likelihood ratio. Of the ways in which they may lie the likeliest counts.
func (a *Appearance) logP(s *sums, row, n int) float64 {
	pitch, edge := a.Pitch[row]*2*thumbHalf, a.Edge[row]*2*thumbHalf
	best := math.Inf(-1)
	for k := min(n, firstLayer); k <= n; k++ {
		length := float64(k) * pitch
		for loose := range looseRows + 1 {
			from := edge + float64(loose)
			if loose > 0 && from+length > thumbHalf {
				break
			}
			best = max(best, (s.until(from+length)-s.until(from))/rowsTogether-looseCosts*float64(loose))
		}
		if edge+length >= thumbHalf {
			break
		}
	}
	return best
}

// sums holds what a profile adds up to from the edge to each step.
type sums [thumbHalf + 1]float64

// sums returns them for the profile, each step weighed by how much it tells.
func (s *profile) sums(telling *[thumbHalf]float32) (total sums) {
	for d, v := range s {
		total[d+1] = total[d] + float64(v*telling[d])
	}
	return total
}

// until returns the sum up to a distance from the edge, in steps.
func (s *sums) until(d float64) float64 {
	d = max(0, min(thumbHalf, d))
	i := min(int(d), thumbHalf-1)
	return s[i] + (d-float64(i))*(s[i+1]-s[i])
}

// logMixed is logP for n checkers of both colours, one lot before the other.
func (a *Appearance) logMixed(light, dark *sums, row, n int) float64 {
	pitch, edge := a.Pitch[row]*2*thumbHalf, a.Edge[row]*2*thumbHalf
	best := math.Inf(-1)
	for loose := range looseRows + 1 {
		from := edge + float64(loose)
		until := from + float64(n)*pitch
		if loose > 0 && until > thumbHalf {
			break
		}
		for k := 1; k < n; k++ {
			middle := from + float64(k)*pitch
			for _, order := range [2][2]*sums{{light, dark}, {dark, light}} {
				near, far := order[0], order[1]
				sum := near.until(middle) - near.until(from) + far.until(until) - far.until(middle)
				best = max(best, sum/rowsTogether-looseCosts*float64(loose))
			}
		}
	}
	return best
}

// weigh adds to what the networks say of the points what the board's appearance says; t is taken from the same
// picture and is changed. A board that does not look like this one is left as it was read.
func (a *Appearance) weigh(t *thumb, r *Reading) {
	t.dim(t.gain(&a.board))
	var seen [24]struct{ light, dark profile }
	var known float32
	for i, p := range triangles {
		var k float32
		seen[i].light, seen[i].dark, k = a.profiles(t, p)
		known += k / float32(len(triangles))
	}
	if known < fits {
		return
	}
	for i, p := range triangles {
		if point := r.point(p); !point.Hidden {
			a.weighPoint(&seen[i].light, &seen[i].dark, p, point)
		}
	}
}

// weighPoint is Bayes' theorem: of a point's counts among each other, then of both colours against one.
func (a *Appearance) weighPoint(light, dark *profile, p triangle, point *sighting.Point) {
	telling := &a.telling[12*p.row+p.column]
	ofLight, ofDark := light.sums(&telling[0]), dark.sums(&telling[1])
	var ratios [len(sighting.Counts{})]float64 // logarithms, then likelihood ratios
	var mixed [firstLayer + 1]float64
	top := 0.0 // an empty point is the measure
	for i := range ratios {
		switch n := i - sighting.MaxCount; {
		case n > 0:
			ratios[i] = a.logP(&ofLight, p.row, n)
		case n < 0:
			ratios[i] = a.logP(&ofDark, p.row, -n)
		}
		top = max(top, ratios[i])
	}
	for n := 2; n <= firstLayer; n++ {
		mixed[n] = a.logMixed(&ofLight, &ofDark, p.row, n)
		top = max(top, mixed[n])
	}
	var pure, both, twoOrMore float64
	for i, q := range point.Counts {
		ratios[i] = float64(q) * (math.Exp(ratios[i]-top) + mislead)
		pure += ratios[i]
		if n := abs(i - sighting.MaxCount); n >= 2 {
			twoOrMore += float64(q)
			both += float64(q) * (math.Exp(mixed[min(n, firstLayer)]-top) + mislead)
		}
	}
	for i := range point.Counts {
		point.Counts[i] = float32(ratios[i] / pure)
	}
	if twoOrMore > 0 {
		m := float64(point.Mixed) * both / twoOrMore
		point.Mixed = float32(m / (m + (1-float64(point.Mixed))*pure))
	}
}

// point returns the reading's point.
func (r *Reading) point(p triangle) *sighting.Point {
	if p.row == 0 {
		return &r.Top[p.column]
	}
	return &r.Bottom[p.column]
}

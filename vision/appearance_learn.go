package vision

import (
	"errors"
	"math"
	"slices"
)

// Learning looks at checkers where they must lie: no further from the edge than the flattest board has them, and in
// the middle of their point.
const (
	surePitch = 5   // pixels of the thumb from one checker to the next, at least
	sureSides = 2   // pixels left out on each side of a point
	mostPitch = 8   // pixels, at most
	clearly   = 2.3 // logarithm of how much more a colour must be that of a checker than the board's to be learned
)

// learnAppearance learns what a board looks like from a picture of it in which the points hold the given checkers
// (positive light), top row and bottom row from the left.
func learnAppearance(t *thumb, counts *[2][12]int) (*Appearance, error) {
	a := &Appearance{}
	likes, err := alikePoints(t, counts)
	if err != nil {
		return nil, err
	}
	a.board = *t
	for i, p := range triangles {
		a.fill(t, p, reach(p.of(counts)), likes[i])
	}
	a.Light, a.Dark = sureTones(t, counts)
	if len(a.Light) == 0 || len(a.Dark) == 0 {
		return nil, errors.New("vision: learn the board's look: checkers of both sides must stand on the points")
	}
	a.light, a.dark = newDensity(a.Light), newDensity(a.Dark)
	a.Light, a.Dark = a.allTones(t, counts)
	a.light, a.dark = newDensity(a.Light), newDensity(a.Dark)
	a.gauge(t, counts)
	a.weighPlaces()
	a.Board = slices.Clone(a.board[:])
	return a, nil
}

// reach is how far from the edge n checkers may reach, in pixels of the thumb.
func reach(n int) int { return min(thumbHalf, mostPitch*min(abs(n), firstLayer)) }

func abs(n int) int { return max(n, -n) }

// alikePoints returns for each point the other, empty one that it looks most like where both can be seen.
func alikePoints(t *thumb, counts *[2][12]int) (likes [24]triangle, err error) {
	for i, p := range triangles {
		from := reach(p.of(counts))
		if from > thumbHalf-4 { // hardly anything can be seen: compare a little nevertheless
			from = thumbHalf - 4
		}
		best := math.Inf(1)
		for _, q := range triangles {
			if q == p || q.of(counts) != 0 {
				continue
			}
			if d := unlikeness(t, p, q, from); d < best {
				best, likes[i] = d, q
			}
		}
		if math.IsInf(best, 1) {
			return likes, errors.New("vision: learn the board's look: some point must be empty")
		}
	}
	return likes, nil
}

// unlikeness is the mean squared difference of two points, from a distance from the edge on; points of the other row
// and far away count as somewhat less alike, for the light is different there.
func unlikeness(t *thumb, p, q triangle, from int) float64 {
	var sum float64
	for d := from; d < thumbHalf; d++ {
		for x := range thumbSlot {
			a, b := t.at(p.pixel(x, d)), t.at(q.pixel(x, d))
			for c := range a {
				sum += float64((a[c] - b[c]) * (a[c] - b[c]))
			}
		}
	}
	sum /= float64(3 * thumbSlot * (thumbHalf - from))
	if (p.row+p.column+q.row+q.column)%2 != 0 { // points of two colours alternate on almost every board
		sum = 1.5*sum + 300
	}
	if p.row != q.row {
		sum = 1.3*sum + 30
	}
	return sum + 4*float64(abs(p.column-q.column))
}

// fill paints what checkers cover of the empty board from the point it looks like.
func (a *Appearance) fill(t *thumb, p triangle, covered int, like triangle) {
	for d := range covered {
		for x := -1; x <= thumbSlot; x++ { // checkers may be wider than their point
			x0, y0 := p.pixel(x, d)
			a.board.set(x0, y0, t.at(like.pixel(x, d)))
		}
	}
}

// sureTones returns the colours of the checkers where some must lie.
func sureTones(t *thumb, counts *[2][12]int) (light, dark []Tone) {
	return tonesWhere(t, counts, surePitch, func(x, _ int, _ colour, _ triangle) bool {
		return x >= sureSides && x < thumbSlot-sureSides
	})
}

// allTones returns the colours of all that is rather a checker than the empty board where checkers may lie.
func (a *Appearance) allTones(t *thumb, counts *[2][12]int) (light, dark []Tone) {
	return tonesWhere(t, counts, mostPitch, func(x, d int, seen colour, p triangle) bool {
		if x < sureSides || x >= thumbSlot-sureSides {
			return false
		}
		if d < surePitch*min(firstLayer, abs(p.of(counts))) {
			return true
		}
		checker := a.light
		if p.of(counts) < 0 {
			checker = a.dark
		}
		return checker.at(seen) > boardDensity(seen, a.board.at(p.pixel(x, d)))+clearly
	})
}

func tonesWhere(t *thumb, counts *[2][12]int, pitch int, where func(x, d int, seen colour, p triangle) bool) (light, dark []Tone) {
	sides := [2]palette{{}, {}}
	for _, p := range triangles {
		n := p.of(counts)
		side := 0
		if n < 0 {
			side = 1
		}
		for d := range min(thumbHalf, pitch*min(abs(n), firstLayer)) {
			for x := range thumbSlot {
				if seen := t.at(p.pixel(x, d)); where(x, d, seen, p) {
					sides[side].add(seen)
				}
			}
		}
	}
	return sides[0].tones(), sides[1].tones()
}

// wholly weighs all steps of a profile alike.
var wholly = func() (w [thumbHalf]float32) {
	for i := range w {
		w[i] = 1
	}
	return w
}()

// gauge learns the sizes of the stacks: those that set the known position best off against the empty board.
func (a *Appearance) gauge(t *thumb, counts *[2][12]int) {
	for row := range a.Pitch {
		var stacks [12]sums
		for column := range stacks {
			p := triangle{row, column}
			light, dark, _ := a.profiles(t, p)
			if stacks[column] = light.sums(&wholly); p.of(counts) < 0 {
				stacks[column] = dark.sums(&wholly)
			}
		}
		best := math.Inf(-1)
		for pitch := float64(surePitch); pitch <= mostPitch+1; pitch += 0.25 {
			for edge := -2.0; edge <= 4; edge += 0.5 {
				sum := 0.0
				for column := range stacks {
					n := abs(counts[row][column])
					if n == 0 || n > firstLayer {
						continue
					}
					stack := &stacks[column]
					sum += 2*(stack.until(edge+float64(n)*pitch)-stack.until(edge)) - stack.until(thumbHalf)
				}
				if sum > best {
					best = sum
					a.Pitch[row], a.Edge[row] = pitch/(2*thumbHalf), edge/(2*thumbHalf)
				}
			}
		}
	}
}

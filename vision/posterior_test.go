package vision

import (
	"math"
	"testing"

	"davar/rules"
	"davar/rules/sighting"
)

// sure is a point that surely holds n checkers.
func sure(n int) (p sighting.Point) {
	p.Counts[sighting.MaxCount+n] = 1
	return p
}

// either is a point that holds a or b checkers, a with the given probability.
func either(a, b int, pa float32) (p sighting.Point) {
	p.Counts[sighting.MaxCount+a] = pa
	p.Counts[sighting.MaxCount+b] = 1 - pa
	return p
}

func bareBar() [2]sighting.Pile {
	var bar [2]sighting.Pile
	for i := range bar {
		bar[i].P[0], bar[i].Visible = 1, true
	}
	return bar
}

// startReading is the starting position, each point surely read.
func startReading() *Reading {
	r := &Reading{Bar: bareBar()}
	for i, n := range [12]int{5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2} {
		r.Top[i], r.Bottom[i] = sure(n), sure(-n)
	}
	return r
}

func TestFifteenCheckersASideDecideBetweenTwoCounts(t *testing.T) {
	r := startReading()
	r.Top[0] = either(4, 5, 0.5)
	conserve(r, blankTrays())
	if n, p := r.Top[0].Counts.Best(); n != 5 || p < 0.9 {
		t.Errorf("4 (0.5) or 5 where the fifteenth checker must stand became %d (%.2f)", n, p)
	}
}

func TestASureReadingStandsThoughACheckerIsMissing(t *testing.T) {
	r := startReading()
	r.Top[0] = sure(4)
	conserve(r, blankTrays())
	if n, p := r.Top[0].Counts.Best(); n != 4 || p < 0.95 {
		t.Errorf("4 checkers surely read became %d (%.2f)", n, p)
	}
	if n, _ := r.Off[rules.Light].Best(); n != 1 {
		t.Errorf("%d light checkers are off, want 1", n)
	}
}

func TestASideInOneQuarterMayHaveBorneOff(t *testing.T) {
	r := &Reading{Bar: bareBar()}
	for i := range r.Top {
		r.Top[i], r.Bottom[i] = sure(0), sure(0)
	}
	r.Bottom[11], r.Bottom[10], r.Top[0] = either(2, 3, 0.6), sure(12), sure(-15)
	conserve(r, blankTrays())
	if n, p := r.Bottom[11].Counts.Best(); n != 3 || p > 0.9 {
		t.Errorf("2 (0.6) or 3 in the home board, with twelve more, became %d (%.2f)", n, p)
	}
	r.Bottom[11], r.Bottom[10], r.Top[11] = either(2, 3, 0.6), sure(11), sure(1)
	conserve(r, blankTrays())
	if n, p := r.Bottom[11].Counts.Best(); n != 3 || p < 0.9 {
		t.Errorf("2 (0.6) or 3 before the bear-off, with twelve more, became %d (%.2f)", n, p)
	}
}

func TestAHiddenPointIsFilledWithWhatIsMissing(t *testing.T) {
	r := startReading()
	r.Top[11] = sighting.Point{Hidden: true}
	conserve(r, blankTrays())
	if n, p := r.Top[11].Counts.Best(); n != 2 || p < 0.5 || !r.Top[11].Hidden {
		t.Errorf("the hidden point holds %d (%.2f), hidden %v; want 2, hidden", n, p, r.Top[11].Hidden)
	}
}

func TestPosteriorsSumToOne(t *testing.T) {
	r := startReading()
	r.Bottom[3] = either(0, 1, 0.5)
	r.Top[3] = either(0, -1, 0.5)
	conserve(r, blankTrays())
	for i := range 12 {
		for _, p := range []*sighting.Point{&r.Top[i], &r.Bottom[i]} {
			var sum float64
			for _, q := range p.Counts {
				sum += float64(q)
			}
			if math.Abs(sum-1) > 1e-3 {
				t.Errorf("column %d: probabilities sum to %.4f", i, sum)
			}
		}
	}
}

func BenchmarkConserve(b *testing.B) {
	for b.Loop() {
		conserve(startReading(), blankTrays())
	}
}

func TestBothColoursAreSeenWhereTheCheckersOnlyThenAddUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		n      int // read of a point on which dark has hit a light blot that still stands there
		dark   int // left on the point of three from which dark came
		mixed  float32
		remain bool
	}{
		{"read as the light one", 1, -2, 0.7, true},
		{"read as the dark one, so that a light one is missing", -1, -2, 0.7, true},
		{"read as two light ones", 2, -2, 0.7, true},
		{"nothing missing", 1, -3, 0.7, false},
	} {
		r := startReading()
		r.Top[0], r.Top[1] = sure(4), sure(c.n) // the fifth is the blot
		r.Top[1].Mixed = c.mixed
		r.Top[4] = sure(c.dark)
		conserve(r, blankTrays())
		if got := r.Top[1].Mixed; (got > 0.9) != c.remain || !c.remain && got > 0.3 {
			t.Errorf("%s: both colours with %.2f", c.name, got)
		}
	}
}

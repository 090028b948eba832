package vision

import (
	"math"
	"testing"

	"davar/rules/sighting"
)

func TestUnderAHandMoreCheckersMayLieThanAreSeen(t *testing.T) {
	for _, c := range []struct {
		name         string
		seen         int
		fewer, more  int // of the same sign: what it cannot be, and what it may be
		otherColours bool
	}{
		{"three light ones", 3, 2, 5, false},
		{"three dark ones", -3, -2, -5, false},
		{"none", 0, 0, 2, true},
	} {
		var seen sighting.Counts
		seen[sighting.MaxCount+c.seen] = 1
		got := withMoreUnder(&seen, 0.2)
		var sum float64
		for _, p := range got {
			sum += float64(p)
		}
		if math.Abs(sum-1) > 1e-3 {
			t.Errorf("%s: probabilities sum to %.4f", c.name, sum)
		}
		if best, p := got.Best(); best != c.seen || p < 0.8 {
			t.Errorf("%s: %d is likeliest (%.2f)", c.name, best, p)
		}
		if c.fewer != c.seen && got.P(c.fewer) > 0 {
			t.Errorf("%s: %d has %.3f, though more than that are seen", c.name, c.fewer, got.P(c.fewer))
		}
		if got.P(c.more) < 0.01 {
			t.Errorf("%s: %d has only %.4f", c.name, c.more, got.P(c.more))
		}
		if c.otherColours && got.P(-c.more) != got.P(c.more) {
			t.Errorf("%s: one colour is likelier than the other", c.name)
		}
	}
}

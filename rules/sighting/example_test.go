package sighting_test

import (
	"fmt"

	"davar/rules/sighting"
)

// The eye is rather sure of two light checkers, and says how sure: a third may lie behind them.
func ExampleCounts_Best() {
	var seen sighting.Counts
	seen[sighting.MaxCount+2], seen[sighting.MaxCount+3] = 0.9, 0.1
	n, p := seen.Best()
	fmt.Printf("%d light checkers with %.1f, %d with %.1f, a dark one with %.1f\n", n, p, 3, seen.P(3), seen.P(-1))
	// Output:
	// 2 light checkers with 0.9, 3 with 0.1, a dark one with 0.0
}

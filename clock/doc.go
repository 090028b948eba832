// Package clock is the tournament clock of backgammon: a deterministic state machine on injected time.
//
// Nothing here reads a wall clock or starts a goroutine. Time comes in as a time.Duration since some fixed
// moment (the match's first frame) with every call; inside, everything is counted in nanoseconds and computed
// from the moment of the last change, never summed from ticks.
package clock

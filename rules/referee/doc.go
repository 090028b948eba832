// Package referee turns what is seen and pressed at a table into rolls, plays and rulings.
//
// It is one deterministic function: Handle takes one Input after the other, each with its own time, and
// returns the events that follow from it. No goroutine, file, device or wall clock is used; the same inputs
// give the same events, byte for byte.
package referee

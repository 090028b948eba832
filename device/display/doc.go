// Package display shows the clock on four-digit seven-segment displays driven by an HT16K33 over I²C, one before
// each player and, when wired, a third between them for the delay.
//
// What a display shows is a Face, made of a clock.View by the pure functions Reserve and Delay; a Screen puts it
// on glass. A display that does not answer, or whose bus cannot be opened, disturbs nobody: Run reports it and tries
// again, in its own goroutine.
package display

// Package statistics counts what happened in transcribed matches: dice, hits and time, by player and by set of dice.
//
// None of it may be shown to the players of a match in progress (EQUIP-9).
package statistics

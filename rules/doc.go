// Package rules is the game of backgammon itself: positions, dice, complete legal plays and their notation.
//
// It is pure: no goroutine, file, device or wall clock, and only the standard library. Rule numbers such as
// MOVE-9 name the project's rule book; see the README.
package rules

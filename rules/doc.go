// Package rules is the game of backgammon itself: positions, dice, complete legal plays, their notation, and the
// judgement of a play that was made at a table.
//
// It is pure: no goroutine, file, device or wall clock, and only the standard library. Rule numbers such as
// MOVE-9 name the project's rule book; see the README.
//
// A [Position] counts both sides' checkers, each side in its own numbering. A [Generator] lists the distinct
// final positions of all complete legal plays for a roll (MOVE-1 to MOVE-15); a turn is legal exactly when its
// final position is among them (MOVE-14).
package rules

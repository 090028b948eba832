// Package transcript turns what a referee said during a match into the match as it is kept: games, turns, cube
// actions, results, rulings and the time each player used.
//
// A referee's events tell a story with corrections: a roll misread and put right, a turn taken back, a play that was
// found later to have been another one. A transcript holds what stands in the end. It is a function of the events
// alone and knows no clock, file or device.
package transcript

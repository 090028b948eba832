// Package record reads and writes the formats in which players keep positions and matches: GNU match ID and XGID
// for one moment, and the match records.
//
// Light is the player whom other programs call X, bottom, player 1 or, in a match record's columns, the left one.
// What a format cannot carry is said, never dropped in silence.
package record

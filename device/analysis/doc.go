// Package analysis has GNU Backgammon judge finished matches, where it is installed: the error of each play, the luck of
// each roll, and what they come to for each player.
//
// GNU Backgammon runs as a process of its own with a time limit, and at a table with the lowest priority; that it is missing, hangs or
// crashes harms nothing. Nothing of an analysis may be shown while a match is in play (EQUIP-9).
package analysis

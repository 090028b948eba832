// Package season adds up what players did over many matches and journals: results, errors and luck where GNU Backgammon
// has analysed them, time, dice and rulings, for each player and for each club.
//
// Players are called as the log calls them: who is to stay unnamed is renamed there, and who is named there is named
// here. Deleted matches do not count, nor does the one in play (EQUIP-9).
package season

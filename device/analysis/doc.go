// Package analysis has GNU Backgammon judge matches, where it is installed: the error of each play and of each decision
// about the cube, the luck of each roll, what they come to for each player, and who is how likely to win.
//
// GNU Backgammon runs as a process of its own with a time limit, and at a table with the lowest priority; that it is
// missing, hangs or crashes harms nothing. Whole matches are judged when they are over. Single turns can be judged while
// a match is in play, for those who follow it late; nothing of that may reach the players (EQUIP-9, PUB-3).
package analysis

// Package match is a game and a match of backgammon as a value: whose turn it is, the cube, Crawford, Jacoby, the
// score and the end (CUBE-1 to CUBE-20, END-1 to END-10, SCORE-1 to SCORE-9).
//
// A [Match] holds no references: a copy of it is a snapshot, and going back to a closed turn is assigning one. Its
// methods either do what the rules allow or return a [RuleError] that names the rule and change nothing. What a
// referee sees and announces is no business of this package; it is told what happened.
package match

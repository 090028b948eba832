// Package timekeeper keeps the time, the cube and the score of a match that no camera watches: what a club needs of a
// table that has only a clock. Like the referee it is a function of its inputs, with the same inputs, events and states,
// so that whatever shows a refereed match shows this one; the same inputs give the same events.
//
// It believes what it is told. Presses pass the turn; doubles, results and the score are people's decisions, judged by
// what package match knows of cube and score. It sees no position and no dice, and says nothing of them.
package timekeeper

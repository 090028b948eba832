// Package accuracy compares what a referee made of a filmed game with what happened in it: which rolls, plays, cube
// actions and breaches were right, what was said wrongly, and each difference in words.
package accuracy

// Package refereetest plays a table to a referee without a camera: it turns the truth of a filmed game, or of a
// game it plays itself, into sightings as a camera would give them, perfect or with noise that can be set and is
// repeatable by its seed, and merges them by time with the presses and decisions of that game.
package refereetest

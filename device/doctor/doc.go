// Package doctor examines what a table consists of: camera, buttons, lamps, displays, broker, disk, time, temperature
// and versions. It finds what is wrong and says, in the reader's language, what to do about it. Nothing it does
// changes a match.
package doctor

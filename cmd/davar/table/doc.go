// Package table runs one table: it brings what is seen, pressed and decided to the referee in order, writes what
// follows into the journal and only then shows it to anybody.
//
// Three goroutines share the work and never wait for one another's devices:
//
//	the feed    pictures → vision → sighting (a film's recorded presses travel with its pictures, in order)
//	the judge   owns the referee and with it the clock; every input passes through it
//	the scribe  journal first, then the sinks (broker, page)
//
// The judge hands its inputs and what came of them to the scribe through a queue that never blocks, so a slow disk or
// network cannot hold up the clock. Not even the making of a checkpoint can: the scribe has a twin of the referee,
// which is given the same inputs and so is in the same state, and writes down the twin's.
package table

// Package accuracy compares what was read of pictures with the truth about them and says how good the reading is:
// the figures of davar eval stills (DESIGN section 7). It opens no picture; only ReadTruth reads, from a reader it is
// given.
package accuracy

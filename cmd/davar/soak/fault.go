package main

import (
	"slices"
	"time"
)

// fault is something that fails for a while.
type fault struct {
	name string
	// begin makes it fail, end mends it.
	begin, end func() error
	restarts   bool // the program starts anew, and with it what it has in memory
	blinds     bool // nothing is seen meanwhile: the players wait until the table is well again
}

// happening is one fault of the schedule.
type happening struct {
	at, lasts time.Duration // since the soak began
	fault     int           // which one
}

// Bounds of how a schedule is spread.
const (
	warmUp     = 20 * time.Second // before the first fault
	shortest   = 45 * time.Second // from one fault to the next
	longest    = 5 * time.Minute
	longestOut = time.Minute // for which something is away
)

// schedule spreads faults over a soak, one after the other in turns. Those that restart the program happen in the first
// half alone: the second is for looking at memory. The last part is left quiet, so that everything can come to rest.
func schedule(length time.Duration, faults []fault) []happening {
	gap := min(max(length/time.Duration(4*len(faults)), shortest), longest)
	lasts := min(gap/3, longestOut)
	var all []happening
	turn := 0
	for at := warmUp; at+gap <= length; at += gap {
		for range faults {
			if f := faults[turn%len(faults)]; !f.restarts || at < length/2 {
				break
			}
			turn++
		}
		if f := faults[turn%len(faults)]; f.restarts && at >= length/2 {
			break // there are no others
		}
		all = append(all, happening{at, lasts, turn % len(faults)})
		turn++
	}
	return all
}

// sample is what the program used at one moment.
type sample struct {
	at         time.Duration // since the program was started
	memoryMB   float64
	goroutines float64
}

// drift says from what to what memory and goroutines went, as medians of the first and the last third of the samples
// after a program has come to its size.
type drift struct {
	Samples    int        `json:"samples"`
	MemoryMB   [2]float64 `json:"memory_mb"`
	Goroutines [2]float64 `json:"goroutines"`
}

// settled is how long a program takes to come to its size.
const settled = time.Minute

func driftOf(samples []sample) drift {
	samples = slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.at < settled })
	d := drift{Samples: len(samples)}
	third := len(samples) / 3
	if third == 0 {
		return d
	}
	for i, part := range [][]sample{samples[:third], samples[len(samples)-third:]} {
		d.MemoryMB[i] = median(part, func(s sample) float64 { return s.memoryMB })
		d.Goroutines[i] = median(part, func(s sample) float64 { return s.goroutines })
	}
	return d
}

// flat tells whether neither grew by more than what comes and goes.
func (d drift) flat() bool {
	return d.MemoryMB[1] <= d.MemoryMB[0]*1.1+8 && d.Goroutines[1] <= d.Goroutines[0]+5
}

func median(samples []sample, of func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

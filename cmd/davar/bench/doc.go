// Command bench measures everything that the README claims: what vision, referee, clock, stream and match log cost, and
// how well boards are read and matches refereed. It prints a table, writes the figures down with machine, versions and
// date, and compares two such files. Run it as make bench.
//
// Costs come from the packages' own Go benchmarks, accuracy from davar eval, so that each figure can be had alone by the
// command that stands beside it.
package main

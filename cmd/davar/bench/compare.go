package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// steady is by how much a cost may differ between two runs of the same program on a machine with other work, as a share,
// before the difference is called one. Counts, shares and allocations differ by nothing.
const steady = 0.1

// verdict says what became of a figure: "better", "worse", "" when the difference is nothing.
func verdict(base, now Figure) string {
	change := now.Value - base.Value
	small := steady * math.Abs(base.Value)
	if base.Unit == "B/op" { // what was allocated once is shared by as many runs as there was time for
		small = max(small, 64)
	}
	if base.timed() && math.Abs(change) <= small || change == 0 {
		return ""
	}
	if change > 0 == now.Higher {
		return "better"
	}
	return "worse"
}

// timed tells whether the figure hangs on how fast the machine is.
func (f Figure) timed() bool {
	switch f.Unit {
	case "share", "count", "allocs/op":
		return false
	}
	return true
}

// printComparison prints each figure that both runs have and that differs, and what only one of them has.
func printComparison(w io.Writer, base, now *Run) error {
	fmt.Fprintf(w, "\ncompared with %s (davar %s)\n", base.Date.Format("2006-01-02 15:04 MST"), base.Versions["davar"])
	if base.Machine.Processor != now.Machine.Processor || base.Machine.Cores != now.Machine.Cores {
		fmt.Fprintf(w, "another machine, %s with %d cores: times cannot be compared\n", base.Machine.Processor, base.Machine.Cores)
	}
	type key struct{ topic, name, unit string }
	before := map[key]Figure{}
	for _, f := range base.Figures {
		before[key{f.Topic, f.Name, f.Unit}] = f
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	same, added, busy := 0, 0, 0
	for _, f := range now.Figures {
		k := key{f.Topic, f.Name, f.Unit}
		old, ok := before[k]
		delete(before, k)
		if !ok {
			added++
			continue
		}
		if f.timed() && (base.Machine.busy(old.Load) || now.Machine.busy(f.Load)) {
			busy++
			continue
		}
		v := verdict(old, f)
		if v == "" {
			same++
			continue
		}
		fmt.Fprintf(out, "  %s\t%s\t%s\t→ %s\t%s\t%s\t%s\n", f.Topic, f.Name, number(old.Value), number(f.Value), f.Unit, change(old.Value, f.Value), v)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("bench: print the comparison: %w", err)
	}
	if busy > 0 {
		fmt.Fprintf(w, "times not compared, for the machine had other work then or now: %d\n", busy)
	}
	fmt.Fprintf(w, "%d figures as before (times within %.0f %%), %d new, %d measured then and not now\n", same, 100*steady, added, len(before))
	return nil
}

func change(old, now float64) string {
	if old == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", 100*(now-old)/old)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"
	"time"
)

// Figure is one number measured.
type Figure struct {
	Topic   string  `json:"topic"`
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`             // of Go's benchmarks, or "share" (0 to 1), "ms", "count"
	Higher  bool    `json:"higher,omitempty"` // more is better
	Command string  `json:"command"`          // gives this figure alone
	Load    float64 `json:"load,omitempty"`   // of the machine when it was measured
}

// Gap is something that could not be measured here.
type Gap struct {
	Topic string `json:"topic"`
	Why   string `json:"why"`
}

// Run is all that was measured at one time on one machine.
type Run struct {
	Date     time.Time         `json:"date"`
	Machine  Machine           `json:"machine"`
	Versions map[string]string `json:"versions"`
	Figures  []Figure          `json:"figures"`
	Gaps     []Gap             `json:"gaps,omitempty"`
}

// topic is one group of figures and how they are had.
type topic struct {
	name    string
	measure func(context.Context) ([]Figure, error)
}

// errAbsent is wrapped by what cannot be measured here, for want of a package, a film or pictures.
var errAbsent = errors.New("not measured")

// measure adds the topic's figures. A topic that fails is told as a gap and ends nothing but itself.
func (r *Run) measure(ctx context.Context, t topic) {
	figures, err := t.measure(ctx)
	for _, f := range figures {
		f.Topic, f.Load = t.name, load()
		r.Figures = append(r.Figures, f)
	}
	if err != nil {
		r.Gaps = append(r.Gaps, Gap{t.name, err.Error()})
	}
}

// print prints the figures for people.
func (r *Run) print(w io.Writer) error {
	m := r.Machine
	fmt.Fprintf(w, "%s · %s, %d cores, %d MB · %s, kernel %s · load %.1f before, %.1f after\n",
		r.Date.Format("2006-01-02 15:04 MST"), m.Processor, m.Cores, m.MemoryMB, m.System, m.Kernel, m.LoadBefore, m.LoadAfter)
	for _, name := range versionOrder {
		if v := r.Versions[name]; v != "" {
			fmt.Fprintf(w, "%s %s  ", name, v)
		}
	}
	fmt.Fprintln(w)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	topic, command := "", ""
	for _, f := range r.Figures {
		if f.Topic != topic {
			fmt.Fprintf(out, "\n%s\n", f.Topic)
			topic, command = f.Topic, ""
		}
		if f.Command != command {
			fmt.Fprintf(out, "  $ %s\n", f.Command)
			if r.Machine.busy(f.Load) {
				fmt.Fprintf(out, "  (the machine had other work: load %.1f)\n", f.Load)
			}
			command = f.Command
		}
		fmt.Fprintf(out, "    %s\t%s\t%s\n", f.Name, number(f.Value), f.Unit)
	}
	for _, g := range r.Gaps {
		fmt.Fprintf(out, "\n%s: %s\n", g.Topic, g.Why)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("bench: print the figures: %w", err)
	}
	return nil
}

// number writes a value with four digits that count.
func number(x float64) string {
	if x == float64(int64(x)) {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

func (r *Run) write(path string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("bench: write the figures: %w", err)
	}
	return nil
}

func readRun(path string) (*Run, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bench: read the figures to compare with: %w", err)
	}
	var r Run
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("bench: %s holds no figures of make bench: %w", path, err)
	}
	return &r, nil
}

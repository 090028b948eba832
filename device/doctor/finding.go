package doctor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"davar/device/phrasebook"
)

// State is how well something is.
type State string

// States, from well to ill.
const (
	Skipped State = "skipped" // not there, or not to be tried now; the finding says why
	Good    State = "ok"
	Warning State = "warning" // works, and will not for long or not well
	Fault   State = "fault"   // does not work
)

var states = []State{Skipped, Good, Warning, Fault}

// Finding is one thing found out.
type Finding struct {
	Check string `json:"check"` // what was examined: camera, buttons, lamps, displays, broker, disk, time, heat, versions
	State State  `json:"state"`
	// Key names the texts in the phrasebook: what was found under "doctor.KEY" and, for a warning or fault, what to
	// do under "doctor.KEY_do".
	Key string `json:"key"`
	// Params fill the texts.
	Params map[string]string `json:"params,omitempty"`
	// Measured holds the figures behind the finding, for programs.
	Measured any `json:"measured,omitempty"`
}

// params builds the map of a finding from pairs of name and value.
func params(pairs ...any) map[string]string {
	m := make(map[string]string, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = fmt.Sprint(pairs[i+1])
	}
	return m
}

// Report is everything found out in one examination.
type Report struct {
	At       time.Time `json:"at"`
	State    State     `json:"state"` // the worst of the findings
	Findings []Finding `json:"findings"`
}

// Check is one examination.
type Check struct {
	Name string
	// Wait is how long it may take before it counts as hanging; 0 means ten seconds.
	Wait time.Duration
	// Look examines; it should end soon after ctx.
	Look func(ctx context.Context) []Finding
}

const usualWait = 10 * time.Second

// Examine does all checks at once and reports in their order. A check that hangs or fails is a finding itself and
// holds up nobody longer than its Wait.
func Examine(ctx context.Context, checks []Check) Report {
	found := make([][]Finding, len(checks))
	var all sync.WaitGroup
	for i, c := range checks {
		all.Go(func() { found[i] = c.look(ctx) })
	}
	all.Wait()
	return Sum(slices.Concat(found...))
}

// Sum makes a report of findings.
func Sum(findings []Finding) Report {
	r := Report{At: time.Now().Round(time.Second), State: Skipped, Findings: findings}
	for _, f := range findings {
		if slices.Index(states, f.State) > slices.Index(states, r.State) {
			r.State = f.State
		}
	}
	return r
}

// look does one check in bounded time.
func (c Check) look(ctx context.Context) []Finding {
	wait := c.Wait
	if wait == 0 {
		wait = usualWait
	}
	ctx, stop := context.WithTimeout(ctx, wait)
	defer stop()
	done := make(chan []Finding, 1) // a driver that never comes back keeps its goroutine, and nobody else
	go func() {
		defer func() {
			if r := recover(); r != nil { // periph has been seen to
				done <- []Finding{{Check: c.Name, State: Fault, Key: "failed", Params: params("check", c.Name, "error", r)}}
			}
		}()
		done <- c.Look(ctx)
	}()
	patience := time.NewTimer(wait + wait/4)
	defer patience.Stop()
	select {
	case found := <-done:
		return found
	case <-patience.C:
		return []Finding{{Check: c.Name, State: Fault, Key: "hangs", Params: params("check", c.Name, "n", int(wait.Seconds()))}}
	}
}

// Tell returns what was found, and what to do about it where something is wrong, in a language of the book.
func (f Finding) Tell(book *phrasebook.Book, lang string) (what, do string) {
	p := make(map[string]string, len(f.Params))
	for name, value := range f.Params {
		p[name] = value
		if name == "check" || name == "button" {
			p[name] = book.Text(lang, "doctor.name_"+value, nil)
		}
	}
	what = book.Text(lang, "doctor."+f.Key, p)
	if f.State == Warning || f.State == Fault {
		do = book.Text(lang, "doctor."+f.Key+"_do", p)
	}
	return what, do
}

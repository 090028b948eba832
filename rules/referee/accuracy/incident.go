package accuracy

import (
	"math"

	"davar/rules/referee"
)

// incidents compares the breaches with the rulings the table heard. What was said and matches no breach is a false
// ruling; mere information (severity I) and what only the director hears is not counted.
func (r *Result) incidents(truth []Happening, events []referee.Event, mode string) {
	var said []*referee.Event
	for i := range events {
		e := &events[i]
		if e.Type == referee.RulingMade && e.Ruling != nil && e.Ruling.Severity != "I" && e.Ruling.Audience == "table" {
			said = append(said, e)
		}
	}
	used := make([]bool, len(said))
	for i := range truth {
		h := &truth[i]
		if h.Type != "incident" {
			continue
		}
		r.Incidents.Expected++
		code := "none"
		if c := h.Ruling[mode]; c != nil {
			code = *c
		}
		r.Codes[code] = Tally{r.Codes[code].Expected + 1, r.Codes[code].Right}
		from, to := h.T-early, goesOn(truth, i)+late
		want := h.Ruling[mode]
		if want == nil {
			if e := within(said, used, from, to, ""); e >= 0 {
				r.differ("%s at %.1f s: %s was said where nothing may be", h.Kind, h.T, said[e].Ruling.Code)
				continue
			}
			r.right(code)
			continue
		}
		e := within(said, used, from, to, *want)
		if e < 0 {
			r.differ("%s at %.1f s: %s was not said%s", h.Kind, h.T, *want, instead(said, used, from, to))
			continue
		}
		used[e] = true
		r.right(code)
	}
	for i, e := range said {
		if !used[i] {
			r.FalseRulings++
			r.False[e.Ruling.Code]++
			r.differ("false ruling at %.1f s: %s", seconds(e), e.Ruling.Code)
		}
	}
}

func (r *Result) right(code string) {
	r.Incidents.Right++
	r.Codes[code] = Tally{r.Codes[code].Expected, r.Codes[code].Right + 1}
}

// early and late widen, in seconds, the time in which a breach may be announced.
const (
	early = 0.5
	late  = 0.5
)

// goesOn returns the time at which play went on after the happening at i.
func goesOn(truth []Happening, i int) float64 {
	for _, h := range truth[i+1:] {
		switch h.Type {
		case "roll", "move", "start", "incident", "cube", "end":
			if h.T > truth[i].T {
				return h.T
			}
		}
	}
	return math.Inf(1)
}

// within returns the first unused ruling of that code ("" any) in the time span, or -1.
func within(said []*referee.Event, used []bool, from, to float64, code string) int {
	for i, e := range said {
		if t := seconds(e); !used[i] && t >= from && t <= to && (code == "" || e.Ruling.Code == code) {
			return i
		}
	}
	return -1
}

func instead(said []*referee.Event, used []bool, from, to float64) string {
	if e := within(said, used, from, to, ""); e >= 0 {
		return ", but " + said[e].Ruling.Code
	}
	return ""
}

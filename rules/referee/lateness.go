package referee

import (
	"strconv"
	"time"

	"davar/rules"
)

// lateStep is after how many minutes each a late player is reported (PROC-1).
const lateStep = 5 * time.Minute

// absence is a time in which the players are waited for: before the match or in a break.
type absence struct {
	Due  time.Duration `json:"due"`  // when they should be at the table
	Here [2]bool       `json:"here"` // side has pressed his button since it began
	Told int           `json:"told"` // reports made
}

// watchLateness reports to the director who is late to the start or back from a break (P1): who has not shown by his
// button that he is there.
func (r *Referee) watchLateness() {
	a := r.Away
	if a == nil || r.Now < a.Due {
		return
	}
	steps := int((r.Now - a.Due) / lateStep)
	if steps <= a.Told {
		return
	}
	a.Told = steps
	minutes := strconv.Itoa(steps * int(lateStep/time.Minute))
	for side := rules.Light; side <= rules.Dark; side++ {
		if !a.Here[side] {
			r.rule("P1", side, map[string]string{"player": side.String(), "min": minutes})
		}
	}
}

// breakBegun begins the time of a break that was granted; the clock times are recorded before anybody leaves (CLOCK-12,
// P3).
func (r *Referee) breakBegun() {
	if r.clock != nil && !r.Timed {
		r.tell("P3", nil)
	}
	r.Timed = false
	r.Away = &absence{Due: r.Now + r.Settings.BreakMax}
}

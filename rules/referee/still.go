package referee

import (
	"time"

	"davar/clock"
	"davar/rules"
)

// Clock returns the match's clock as it stands after the last input, for those who show it; false when the match is
// played without.
func (r *Referee) Clock() (clock.Still, bool) {
	if r.clock == nil {
		return clock.Still{}, false
	}
	return r.clock.Still(), true
}

// ShowClock returns what a clock shows at moment at, as events and states have it.
func ShowClock(still clock.Still, at time.Duration) *ClockView {
	v := still.View(at)
	view := &ClockView{
		DelayMS: ms(v.Delay), Running: v.Running.String(), Paused: string(v.Paused), Flagged: v.Flagged.String(),
		AsOfMS: ms(v.AsOf),
	}
	for side := range v.Remaining {
		view.RemainingMS[side] = ms(v.Remaining[side])
	}
	return view
}

// ClockEvent returns the event that tells a change of the clock, without its place in the match; shown is what the
// clock shows after it.
func ClockEvent(c *clock.Change, shown *ClockView) Event {
	kind, ok := clockEvents[c.Kind]
	if !ok {
		kind = ClockAdjusted
	}
	e := Event{Type: kind, Clock: shown, Why: string(c.Reason), By: c.By}
	if c.Side != clock.Nobody {
		side := rules.Side(c.Side)
		e.Side = &side
	}
	return e
}

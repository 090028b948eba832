package referee

import (
	"time"

	"davar/clock"
	"davar/rules"
)

// decidePause stops the clocks; breaks are had between games, so many a match (PROC-2).
func (r *Referee) decidePause(why clock.Reason) error {
	if why == clock.Break {
		if r.mayBeOver() {
			return refusal("the end of the game is not made out yet: say what was rolled or played")
		}
		if r.Phase != phaseOver || r.Breaks >= r.Settings.Breaks {
			r.rule("P2", rules.Light, nil)
			return nil
		}
		r.Breaks++
	}
	r.pauseClock(why)
	return nil
}

// mayBeOver tells whether a turn that ended and is not made out has perhaps ended the game: of one side no checker is seen any
// more.
func (r *Referee) mayBeOver() bool {
	if r.Roll == nil || r.Ended == nil {
		return false
	}
	seen, _ := r.Eyes.View.literal(r.base(), r.Roll.Side)
	return r.Eyes.View.Pictures > 0 && seen.InPlay(r.Roll.Side) == 0
}

func pauseReason(why string) clock.Reason {
	switch c := clock.Reason(why); c {
	case clock.Ruling, clock.DieOffTable, clock.Break, clock.Resignation, clock.Agreed, clock.Fault:
		return c
	}
	return clock.Director
}

// decideResume lets the clocks go on.
func (r *Referee) decideResume() error {
	if r.clock != nil && r.clock.View(r.Now).Paused == "" {
		return refusal("the clocks are not paused")
	}
	r.resumeClock()
	return nil
}

// decideAdjust sets a side's reserve.
func (r *Referee) decideAdjust(d *Decision) error {
	if r.clock == nil {
		return refusal("the match is played without a clock")
	}
	if d.RemainingMS < 0 {
		return refusal("a reserve cannot be less than nothing")
	}
	changes, err := r.clock.Adjust(r.Now, clock.Side(d.Side), time.Duration(d.RemainingMS)*time.Millisecond, d.By, d.Why)
	r.clockChanged(changes)
	return err
}

// decideTime gives overtime after a flag, or takes a turn's delay away.
func (r *Referee) decideTime(d *Decision) (err error) {
	if r.clock == nil {
		return refusal("the match is played without a clock")
	}
	var changes []clock.Change
	if d.What == DecideForfeit {
		changes, err = r.clock.ForfeitDelay(r.Now, clock.Side(d.Side), d.By, d.Why)
	} else {
		changes, err = r.clock.GrantOvertime(r.Now, d.By)
	}
	r.clockChanged(changes)
	return err
}

package clock

import (
	"fmt"
	"time"
)

// Adjust sets side's reserve to remaining, which must be above zero, by the director's word (DIR-5); by and why
// go into the change for the log. The clock runs on if it ran. A fallen flag of side is lifted; if that was what
// froze the clock, it then stands for a ruling and can be resumed. A later Undo keeps the correction.
func (c *Clock) Adjust(at time.Duration, side Side, remaining time.Duration, by, why string) ([]Change, error) {
	changes, err := c.reach("adjust", at, side)
	if err != nil {
		return changes, err
	}
	if remaining <= 0 || remaining > longest {
		return changes, fmt.Errorf("clock: adjust: a reserve of %v: %w", remaining, ErrArgument)
	}
	c.settle(at)
	before := c.now.remaining()
	delta := remaining - c.now.Reserve[side]
	c.now.give(side, delta)
	c.now.lift(side)
	for i := range c.past {
		m := &c.past[i]
		m.give(side, max(delta, min(0, 1-m.Reserve[side]))) // no correction brings down a flag in the past
		if m.Reserve[side] > 0 {
			m.lift(side)
		}
	}
	return append(changes, c.decision(Adjusted, side, before, by, why)), nil
}

// GrantOvertime gives the side whose flag fell first its overtime: its reserve becomes the control's Overtime,
// the flag is lifted, and a clock that froze stands for a ruling until resumed. It is refused with ErrArgument
// when no flag has fallen, the control has no overtime or the side has had it.
func (c *Clock) GrantOvertime(at time.Duration, by string) ([]Change, error) {
	changes, err := c.reach("overtime", at, Light)
	if err != nil {
		return changes, err
	}
	side := c.now.First
	switch {
	case side == Nobody:
		return changes, fmt.Errorf("clock: overtime: no flag has fallen: %w", ErrArgument)
	case c.control.Overtime == 0:
		return changes, fmt.Errorf("clock: overtime: the time control has none: %w", ErrArgument)
	case c.now.Over[side]:
		return changes, fmt.Errorf("clock: overtime: %s has had it: %w", side, ErrArgument)
	}
	c.settle(at)
	before := c.now.remaining()
	c.now.give(side, c.control.Overtime-c.now.Reserve[side])
	c.now.Over[side] = true
	c.now.lift(side)
	return append(changes, c.decision(OvertimeGiven, side, before, by, "")), nil
}

// ForfeitDelay takes side's delay (Fischer: increment) for one turn, as a director may order after a fast grab
// of the dice: what is left of it in the turn under way, or all of it in side's next turn. Time already used
// free stays free. It is refused with ErrArgument when the time control has no delay.
func (c *Clock) ForfeitDelay(at time.Duration, side Side, by, why string) ([]Change, error) {
	changes, err := c.reach("forfeit delay", at, side)
	if err != nil {
		return changes, err
	}
	if c.control.Delay == 0 {
		return changes, fmt.Errorf("clock: forfeit delay: the time control has none: %w", ErrArgument)
	}
	c.settle(at)
	if c.now.OnMove == side {
		c.now.Left = 0
	} else {
		c.now.Forfeit[side] = true
	}
	return append(changes, c.decision(DelayForfeit, side, c.now.remaining(), by, why)), nil
}

// Undo takes back the last press, start or stop of this game: both sides get the time and the flags they had at
// that moment, and the turn that was then under way is interrupted (reason Undone) until Resume. What was taken
// back at the very start stands for the opening roll again. Repeated, it goes back turn by turn to the game's
// start; then it is refused with ErrNothing.
func (c *Clock) Undo(at time.Duration, by, why string) ([]Change, error) {
	changes, err := c.reach("undo", at, Light)
	if err != nil {
		return changes, err
	}
	if len(c.past) == 0 {
		return changes, refuse("undo", ErrNothing)
	}
	c.settle(at)
	before := c.now.remaining()
	last := len(c.past) - 1
	c.now = c.past[last]
	c.past = c.past[:last]
	c.now.Account.TakenBack += at - c.now.At
	c.now.At = at
	switch {
	case c.frozen():
		c.now.halt(Flag, 0)
	case c.now.OnMove == Nobody:
		c.now.halt(c.now.Stop.Reason, 0)
	default:
		c.now.halt(Undone, 0)
	}
	return append(changes, c.decision(TakenBack, c.now.OnMove, before, by, why)), nil
}

func (c *Clock) decision(kind Kind, side Side, before [2]time.Duration, by, why string) Change {
	return c.change(kind, side, before, func(ch *Change) { ch.By, ch.Why = by, why })
}

package clock

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// System says what the Delay of a Control does.
type System string

// The systems of timing.
const (
	// Simple is the U.S. delay: the reserve stands during the first Delay of each turn, and what is left of it
	// when the turn ends is lost (CLOCK-7).
	Simple System = "simple"
	// Bronstein runs the reserve from the start of the turn and gives back, when the turn ends, the time used
	// but at most Delay. The flag can fall although the time would have been given back.
	Bronstein System = "bronstein"
	// Fischer adds Delay to the reserve each time its owner ends a turn, used or not.
	Fischer System = "fischer"
	// Plain is the reserve alone.
	Plain System = "plain"
	// Hourglass gives every moment one side uses to the other.
	Hourglass System = "hourglass"
)

var systems = []System{Simple, Bronstein, Fischer, Plain, Hourglass}

// longest bounds every time the clock is given, so that no sum of two can overflow; about eleven years.
const longest = 100_000 * time.Hour

// Control is a time control as a director announces it. The zero value is not usable; start from a Preset or
// fill it in by hand ("custom"). It is stored in JSON with times in nanoseconds.
type Control struct {
	Name     string        `json:"name"` // of the preset, or what the director calls it
	System   System        `json:"system"`
	PerPoint time.Duration `json:"per_point_ns"`       // reserve for each point of the match's length (CLOCK-6)
	Late     time.Duration `json:"late_ns,omitempty"`  // taken off for each point already scored by either (CLOCK-6)
	Bonus    time.Duration `json:"bonus_ns,omitempty"` // added once whatever the length; the whole reserve of a money session
	Delay    time.Duration `json:"delay_ns,omitempty"` // per turn, as System says; 0 for Plain and Hourglass
	// Overtime is what the director gives a side once, after its first flag; 0: the first flag is final.
	Overtime time.Duration `json:"overtime_ns,omitempty"`
	// Most is the event's largest reserve, overtime included; 0: no limit.
	Most time.Duration `json:"most_ns,omitempty"`
	// Mechanical lets the clock run on after a flag, as players may agree beforehand (CLOCK-4). Otherwise both
	// sides freeze when the first flag falls.
	Mechanical bool `json:"mechanical,omitempty"`
}

var presets = []Control{
	{Name: "usbgf-singles", System: Simple, PerPoint: 2 * time.Minute, Late: time.Minute, Delay: 12 * time.Second},
	{Name: "usbgf-doubles", System: Simple, PerPoint: 150 * time.Second, Late: 75 * time.Second, Delay: 18 * time.Second},
	{Name: "ukbgf", System: Simple, PerPoint: 2 * time.Minute, Late: time.Minute, Delay: 12 * time.Second},
	{Name: "club-15", System: Simple, PerPoint: 2 * time.Minute, Late: time.Minute, Delay: 15 * time.Second},
	{Name: "no-delay", System: Plain, PerPoint: 6 * time.Minute, Late: 3 * time.Minute},
}

// Preset returns the time control of that name; Presets lists the names. The error of an unknown name lists
// them too.
func Preset(name string) (Control, error) {
	for _, c := range presets {
		if c.Name == name {
			return c, nil
		}
	}
	return Control{}, fmt.Errorf("clock: no preset %q: choose one of %v", name, Presets())
}

// Presets returns the names of the built-in time controls: USBGF singles and doubles (US-2013 2.1, 2.2), UKBGF,
// a club's fifteen seconds, and the old control without delay.
func Presets() []string {
	names := make([]string, len(presets))
	for i, c := range presets {
		names[i] = c.Name
	}
	return names
}

// Validate reports everything that makes the control unusable, joined; nil when it can be used.
func (c Control) Validate() error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf("clock: time control: "+format, a...)) }
	if !slices.Contains(systems, c.System) {
		bad("system %q is none of %v", c.System, systems)
	}
	for _, f := range []struct {
		name string
		d    time.Duration
	}{{"reserve per point", c.PerPoint}, {"late deduction", c.Late}, {"bonus", c.Bonus}, {"delay", c.Delay},
		{"overtime", c.Overtime}, {"largest reserve", c.Most}} {
		if f.d < 0 || f.d > longest {
			bad("%s %v is outside 0 to %v", f.name, f.d, longest)
		}
	}
	if (c.System == Plain || c.System == Hourglass) && c.Delay != 0 {
		bad("system %s has no delay, but %v is set: choose simple, bronstein or fischer, or set it to 0", c.System, c.Delay)
	}
	return errors.Join(errs...)
}

// Reserve returns the time each side starts with in a match to length points (0: money session) at which
// scored points have already been won by the two together. It is an error when nothing would be left, or when
// reserve and overtime together exceed the event's largest reserve.
func (c Control) Reserve(length, scored int) (time.Duration, error) {
	if err := c.Validate(); err != nil {
		return 0, err
	}
	const mostPoints = 1000
	if length < 0 || length > mostPoints || scored < 0 || scored > 2*mostPoints {
		return 0, fmt.Errorf("clock: reserve: a match to %d with %d points scored cannot be", length, scored)
	}
	if c.PerPoint > longest/mostPoints || c.Late > longest/mostPoints {
		return 0, fmt.Errorf("clock: reserve: more than %v for a point", longest/mostPoints)
	}
	r := c.Bonus + time.Duration(length)*c.PerPoint - time.Duration(scored)*c.Late
	if r <= 0 {
		return 0, fmt.Errorf("clock: reserve: %v is left for a match to %d with %d points scored: give a bonus", r, length, scored)
	}
	if c.Most > 0 && r+c.Overtime > c.Most {
		return 0, fmt.Errorf("clock: reserve: %v and %v overtime exceed the event's largest reserve %v", r, c.Overtime, c.Most)
	}
	return r, nil
}

package match

import (
	"fmt"

	"davar/rules"
)

// Options are the rules of a match that a table or event may choose (cube.*, end.*, moves.*, setup.*). Use
// OptionsFor for the defaults; an empty text in a field means its default.
type Options struct {
	Rules              rules.Options `json:"rules" yaml:"rules"`
	Cube               bool          `json:"cube" yaml:"cube"`         // false: value 1 throughout (CUBE-16)
	CubeMax            int           `json:"cube_max" yaml:"cube_max"` // highest value, a power of two (CUBE-6)
	Crawford           bool          `json:"crawford" yaml:"crawford"`
	Jacoby             bool          `json:"jacoby" yaml:"jacoby"`   // money play only (CUBE-13)
	Beavers            bool          `json:"beavers" yaml:"beavers"` // money play only (CUBE-13)
	MatchEndByDrop     string        `json:"match_end_by_drop" yaml:"match_end_by_drop"`
	ClosedOutMayDouble bool          `json:"closed_out_may_double" yaml:"closed_out_may_double"`
	Concession         string        `json:"concession" yaml:"concession"`
	TimeLoss           string        `json:"time_loss" yaml:"time_loss"`
	Regime             string        `json:"regime" yaml:"regime"`
	CorrectUntil       string        `json:"correct_until" yaml:"correct_until"`
	Who                string        `json:"who" yaml:"who"`
	SetupUntil         string        `json:"setup_until" yaml:"setup_until"`
}

// Values of Options.MatchEndByDrop (CUBE-17).
const (
	ForcedTake = "forced_take" // a drop that would end the match counts as a take
	AllowDrop  = "allow"
)

// Values of Options.Concession (END-8, END-9).
const (
	OnlyIfCertain = "only_if_certain" // only what play could not change may be conceded
	SingleCube    = "single_cube"     // at any time, for a single game
)

// Values of Options.TimeLoss (CLOCK-4, CLOCK-5).
const (
	TimeLosesMatch = "match"
	TimeLosesGame  = "game_single"
	TimeLosesNone  = "none" // the clock is used mechanically
)

// Values of Options.Regime (IRREG-2, IRREG-3).
const (
	Enforce        = "enforce"
	OpponentOption = "opponent_option"
)

// Values of Options.CorrectUntil (IRREG-4).
const (
	UntilThrow         = "throw" // any throw, valid or not
	UntilThrowOrDouble = "throw_or_double"
	UntilValidRoll     = "valid_roll"
)

// Values of Options.Who (IRREG-7).
const (
	BothAndOfficials = "both_and_officials"
	OpponentOnly     = "opponent_only"
)

// UntilSecondPlay is the only value of Options.SetupUntil (IRREG-8).
const UntilSecondPlay = "second_play_complete"

// OptionsFor returns the defaults of variant v: a cube to 64 with the Crawford rule, but no cube in tavla.
func OptionsFor(v rules.Variant) Options {
	o := Options{Rules: rules.OptionsFor(v), Cube: v != rules.Tavla, Crawford: true, ClosedOutMayDouble: true}
	o.fillDefaults()
	return o
}

// choices lists the textual options with their values, the default first.
func (o *Options) choices() []choice {
	return []choice{
		{"match_end_by_drop", &o.MatchEndByDrop, []string{ForcedTake, AllowDrop}},
		{"concession", &o.Concession, []string{OnlyIfCertain, SingleCube}},
		{"time_loss", &o.TimeLoss, []string{TimeLosesMatch, TimeLosesGame, TimeLosesNone}},
		{"regime", &o.Regime, []string{Enforce, OpponentOption}},
		{"correct_until", &o.CorrectUntil, []string{UntilThrow, UntilThrowOrDouble, UntilValidRoll}},
		{"who", &o.Who, []string{BothAndOfficials, OpponentOnly}},
		{"setup_until", &o.SetupUntil, []string{UntilSecondPlay}},
	}
}

type choice struct {
	name   string
	value  *string
	values []string
}

func (o *Options) fillDefaults() {
	for _, c := range o.choices() {
		if *c.value == "" {
			*c.value = c.values[0]
		}
	}
	if o.CubeMax == 0 {
		o.CubeMax = 64
	}
}

// Check returns an error naming the first option whose value does not exist, or the variant that is not refereed
// (VAR-7); nil when all are good.
func (o Options) Check() error {
	o.fillDefaults()
	if err := o.Rules.Variant.Refereed(); err != nil {
		return err
	}
	for _, c := range o.choices() {
		known := false
		for _, v := range c.values {
			known = known || v == *c.value
		}
		if !known {
			return fmt.Errorf("match: option %s: %q is none of %v", c.name, *c.value, c.values)
		}
	}
	if o.CubeMax < 2 || o.CubeMax&(o.CubeMax-1) != 0 || o.CubeMax > 1<<14 {
		return fmt.Errorf("match: option cube_max: %d is not a power of two from 2 to %d", o.CubeMax, 1<<14)
	}
	return nil
}

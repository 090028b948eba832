package main

import (
	"encoding"
	"fmt"
	"time"

	"davar/clock"
	"davar/config"
	"davar/device/recording"
	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
)

// matchID names a match by the moment it was set up, so that names sort by age.
func matchID(now time.Time) string { return now.UTC().Format("20060102-150405") }

// tableSettings returns how the referee judges a live table.
func tableSettings(c *config.Config, id string) (referee.Settings, error) {
	s := referee.DefaultSettings()
	s.Match = id
	s.Players = [2]string{c.Match.Light, c.Match.Dark}
	s.Length = c.Match.Length
	s.Layout = referee.Layout{Bottom: c.Match.Bottom, Home: c.Match.Home}
	s.TurnEnd = c.Turn.End
	s.Mode = c.Monitor.Mode
	options, err := matchOptions(c)
	if err != nil {
		return s, err
	}
	s.Options, s.Cube, s.Crawford = options, options.Cube, options.Crawford
	s.DiceSets, s.OpeningInvalid, s.OnChecker = c.Dice.Sets, c.Dice.OpeningInvalid, c.Dice.OnChecker
	s.CockedHold, s.CockedNear = c.Dice.CockedHold, c.Dice.CockedNear
	s.Breaks, s.BreakMax, s.NoClosedOutPress = c.Break.Count, c.Break.Max, !c.Clock.ClosedOutPress
	s.FastRoll, s.FastRollForcedExempt, s.FastRollWaiver = c.Dice.FastRoll, c.Dice.FastRollForcedExempt, c.Dice.FastRollWaiver
	if s.TurnEnd != "clock" {
		return s, nil
	}
	control, err := timeControl(c)
	if err != nil {
		return s, err
	}
	s.Clock = &control
	return s, nil
}

// matchOptions returns the rules that the settings choose: those of the variant with what the settings change of them.
func matchOptions(c *config.Config) (match.Options, error) {
	variant, err := rules.ParseVariant(c.Rules.Variant)
	if err != nil {
		return match.Options{}, usageError{err}
	}
	o := match.OptionsFor(variant)
	for _, choice := range []struct {
		value string
		into  encoding.TextUnmarshaler
	}{
		{c.Rules.HitRun, &o.Rules.HitRun}, {c.Rules.HitRunForced, &o.Rules.HitRunForced}, {c.Rules.BearOffChoice, &o.Rules.BearOff},
		{c.Rules.BackgammonNeeds, &o.Rules.BackgammonNeeds}, {c.Rules.OpeningTies, &o.Rules.OpeningTies}, {c.Rules.Names, &o.Rules.Names},
	} {
		if choice.value == "" {
			continue
		}
		if err := choice.into.UnmarshalText([]byte(choice.value)); err != nil {
			return o, usageError{err}
		}
	}
	o.Rules.GammonsOff = c.Rules.Gammons == "off"
	if c.Rules.Backgammons != "" {
		o.Rules.BackgammonsOff = c.Rules.Backgammons == "off"
	}
	o.Rules.AutoDoubleLimit, o.Rules.OpeningReroll = c.Rules.AutoDoubleLimit, c.Rules.OpeningReroll
	o.Cube = o.Cube && c.Cube.Enabled // a variant without a cube keeps none (VAR-6)
	o.CubeMax, o.Crawford, o.Jacoby, o.Beavers = c.Cube.Max, c.Cube.Crawford, c.Cube.Jacoby, c.Cube.Beavers
	o.MatchEndByDrop, o.ClosedOutMayDouble = c.Cube.MatchEndByDrop, c.Cube.ClosedOutMayDouble
	o.Concession, o.TimeLoss = c.End.Concession, c.End.TimeLoss
	o.Regime, o.CorrectUntil, o.Who, o.SetupUntil = c.Moves.Regime, c.Moves.CorrectUntil, c.Moves.Who, c.Setup.CorrectUntil
	if err := o.Check(); err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// timeControl returns the clock's preset with what the settings change of it.
func timeControl(c *config.Config) (clock.Control, error) {
	control, err := clock.Preset(c.Clock.Preset)
	if err != nil {
		return control, usageError{err}
	}
	if c.Clock.System != "" {
		control.System = clock.System(c.Clock.System)
	}
	switch {
	case control.System == clock.Plain || control.System == clock.Hourglass:
		control.Delay = c.Clock.Delay // one that is said is an error, the preset's is not meant
	case c.Clock.Delay > 0:
		control.Delay = c.Clock.Delay
	}
	control.Bonus += c.Clock.Bonus
	control.Overtime = c.Clock.Overtime
	control.Mechanical = c.End.TimeLoss == match.TimeLosesNone // CLOCK-4
	if err := control.Validate(); err != nil {
		return control, usageError{err}
	}
	switch {
	case c.Clock.Reserve > 0: // a reserve said outright holds for any length
		control.PerPoint, control.Late, control.Bonus = 0, 0, c.Clock.Reserve
	case c.Match.Length == 0 && control.Bonus == 0:
		return control, usagef("clock.reserve: a money session has no length to reckon the reserve from; say how long each player has, such as 30m")
	}
	return control, nil
}

// filmSettings returns how the referee judges a filmed game in one of its modes.
func filmSettings(f *recording.Film, mode, id string) (referee.Settings, error) {
	m, ok := f.Modes[mode]
	if !ok {
		return referee.Settings{}, usagef("%s has no mode %q; use one of %v", f.Dir, mode, f.ModeNames())
	}
	variant := rules.Standard
	if f.Variant != "" {
		var err error
		if variant, err = rules.ParseVariant(f.Variant); err != nil {
			return referee.Settings{}, fmt.Errorf("read %s: %w", f.Dir, err)
		}
	}
	s := referee.DefaultSettings()
	s.Match = id
	s.Players = [2]string{f.Players.Light, f.Players.Dark}
	s.Length, s.Score, s.Layout = f.Length, f.Score, f.Layout
	s.TurnEnd, s.DiceSets, s.Cube = m.TurnEnd, f.Sets, f.Cube
	s.OpeningSeen = f.Opening.Filmed
	s.Options = match.OptionsFor(variant)
	if m.TurnEnd == "clock" && m.Preset != "" && m.Preset != "usbgf" {
		control, err := clock.Preset(m.Preset)
		if err != nil {
			return s, fmt.Errorf("read %s: %w", f.Dir, err)
		}
		s.Clock = &control
	}
	return s, nil
}

package main

import (
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
	s.TurnEnd = c.Match.TurnEnd
	s.Cube, s.Crawford = c.Match.Cube, c.Match.Crawford
	s.Mode = c.Monitor.Mode
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

// timeControl returns the clock's preset with what the settings change of it.
func timeControl(c *config.Config) (clock.Control, error) {
	control, err := clock.Preset(c.Clock.Preset)
	if err != nil {
		return control, usageError{err}
	}
	if c.Clock.Delay > 0 {
		control.Delay = c.Clock.Delay
	}
	switch {
	case c.Clock.Reserve > 0: // a reserve said outright holds for any length
		control.PerPoint, control.Late, control.Bonus = 0, 0, c.Clock.Reserve
	case c.Match.Length == 0:
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

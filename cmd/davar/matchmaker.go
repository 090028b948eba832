package main

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"davar/config"
	"davar/device/web"
	"davar/rules/match"
)

// fields are what the console sets for a match; keys are those of the configuration.
var fields = []web.Field{
	{Key: "match.light", Kind: web.FieldText}, {Key: "match.dark", Kind: web.FieldText},
	{Key: "match.length", Kind: web.FieldNumber, Max: 99}, {Key: "match.event", Kind: web.FieldText},
	{Key: "rules.variant", Kind: web.FieldChoice, Values: []string{"standard", "iran", "tavla", "nackgammon"}},
	{Key: "turn.end", Kind: web.FieldChoice, Values: []string{"clock", "pickup"}},
	{Key: "clock.preset", Kind: web.FieldChoice, Values: config.Presets},
	{Key: "cube.enabled", Kind: web.FieldSwitch}, {Key: "cube.crawford", Kind: web.FieldSwitch},
	{Key: "monitor.mode", Kind: web.FieldChoice, Values: []string{"announce", "director_only", "off"}},

	{Key: "clock.reserve", Kind: web.FieldTime, More: true}, {Key: "clock.delay", Kind: web.FieldTime, More: true},
	{Key: "clock.overtime", Kind: web.FieldTime, More: true},
	{Key: "match.bottom", Kind: web.FieldChoice, Values: []string{"light", "dark"}, More: true},
	{Key: "match.home", Kind: web.FieldChoice, Values: []string{"right", "left"}, More: true},
	{Key: "cube.max", Kind: web.FieldNumber, Min: 2, Max: 4096, More: true},
	{Key: "cube.jacoby", Kind: web.FieldSwitch, More: true}, {Key: "cube.beavers", Kind: web.FieldSwitch, More: true},
	{Key: "cube.match_end_by_drop", Kind: web.FieldChoice, Values: []string{"forced_take", "allow"}, More: true},
	{Key: "rules.gammons", Kind: web.FieldChoice, Values: []string{"on", "off"}, More: true},
	{Key: "rules.backgammons", Kind: web.FieldChoice, Values: []string{"", "on", "off"}, More: true},
	{Key: "rules.hit_run", Kind: web.FieldChoice, Values: []string{"", "allowed", "no_cover", "banned"}, More: true},
	{Key: "rules.opening_ties", Kind: web.FieldChoice, Values: []string{"reroll", "auto_double"}, More: true},
	{Key: "dice.sets", Kind: web.FieldNumber, Max: 2, More: true},
	{Key: "dice.fast_roll", Kind: web.FieldChoice, Values: []string{"opponent_choice", "reroll", "void"}, More: true},
	{Key: "moves.regime", Kind: web.FieldChoice, Values: []string{"enforce", "opponent_option"}, More: true},
	{Key: "end.concession", Kind: web.FieldChoice, Values: []string{"only_if_certain", match.SingleCube}, More: true},
	{Key: "end.time_loss", Kind: web.FieldChoice, Values: []string{"match", "game_single", match.TimeLosesNone}, More: true},
}

// errNextMatch ends a station's work: the director has set up another match.
var errNextMatch = errors.New("the next match begins")

// matchmaker begins the matches that the director sets up: the station ends its work and another takes its place.
type matchmaker struct {
	config config.Config
	stop   func(cause error) // ends the station's work

	mu   sync.Mutex
	next *plan // what was set up; nil: nothing
	from plan
}

// Form implements web.MatchMaker.
func (m *matchmaker) Form() []web.Field {
	form := make([]web.Field, len(fields))
	for i, f := range fields {
		f.Value, _ = m.config.Value(f.Key)
		form[i] = f
	}
	return form
}

// Begin implements web.MatchMaker.
func (m *matchmaker) Begin(_ context.Context, values map[string]string) error {
	for key := range values {
		if !offered(key) {
			return web.FieldErrors{key: "this cannot be set from here"}
		}
	}
	next := m.from
	var err error
	if next.config, err = m.config.With(values); err == nil {
		next.settings, err = tableSettings(&next.config, matchID(time.Now()))
	}
	if err == nil {
		err = next.settings.Validate()
	}
	if err != nil {
		return byField(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.next != nil {
		return errors.New("a match is being set up already")
	}
	next.fresh = true
	m.next = &next
	m.stop(errNextMatch)
	return nil
}

func offered(key string) bool {
	for _, f := range fields {
		if f.Key == key {
			return true
		}
	}
	return false
}

// byField says which fields an error is about, as far as it tells.
func byField(err error) error {
	var problems config.Problems
	if errors.As(err, &problems) {
		wrong := web.FieldErrors{}
		for _, p := range problems {
			wrong[p.Key] = p.Why
		}
		return wrong
	}
	if key, why, ok := strings.Cut(err.Error(), ": "); ok && offered(key) {
		return web.FieldErrors{key: why}
	}
	return err
}

// chosen returns what was set up, nil when nothing was.
func (m *matchmaker) chosen() *plan {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.next
}

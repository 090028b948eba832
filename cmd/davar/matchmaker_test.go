package main

import (
	"errors"
	"strings"
	"testing"

	"davar/config"
	"davar/device/phrasebook"
	"davar/device/web"
)

func newTestMaker(t *testing.T) (*matchmaker, *[]error) {
	t.Helper()
	var stopped []error
	c := config.Default()
	return &matchmaker{config: c, from: plan{config: c}, stop: func(cause error) { stopped = append(stopped, cause) }}, &stopped
}

func TestWhatTheConsoleSetsIsPartOfTheConfigurationAndHasANameInBothLanguages(t *testing.T) {
	m, _ := newTestMaker(t)
	book, err := phrasebook.Open("")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Form() {
		if _, ok := m.config.Value(f.Key); !ok {
			t.Errorf("%s is no setting", f.Key)
		}
		labels := []string{f.Label()}
		for _, v := range f.Values {
			labels = append(labels, f.ValueLabel(v))
			if _, err := m.config.With(map[string]string{f.Key: v}); err != nil && !strings.Contains(err.Error(), "money sessions") {
				t.Errorf("%s offers %q: %v", f.Key, v, err)
			}
		}
		for _, lang := range book.Languages() {
			for _, label := range labels {
				if _, ok := book.Phrases(lang)[label]; !ok {
					t.Errorf("%s has no %s", lang, label)
				}
			}
		}
	}
}

func TestAMatchSetUpAtTheConsoleIsTheNextOneOfTheStation(t *testing.T) {
	m, stopped := newTestMaker(t)
	values := map[string]string{"match.light": "Anna", "match.length": "5", "rules.variant": "iran", "clock.preset": "club-15"}
	if err := m.Begin(t.Context(), values); err != nil {
		t.Fatal(err)
	}
	next := m.chosen()
	if next == nil || !next.fresh || next.settings.Players[0] != "Anna" || next.settings.Length != 5 || next.config.Clock.Preset != "club-15" {
		t.Errorf("next comes %+v", next)
	}
	if len(*stopped) != 1 || !errors.Is((*stopped)[0], errNextMatch) {
		t.Errorf("the match before was stopped by %v", *stopped)
	}
	if err := m.Begin(t.Context(), values); err == nil {
		t.Error("a second one is set up meanwhile")
	}
}

func TestWhatIsSetUpWronglyIsToldByField(t *testing.T) {
	for key, value := range map[string]string{
		"match.length": "100", "clock.delay": "soon", "rules.variant": "chess", "cube.jacoby": "true", "web.listen": ":1", "nothing": "",
	} {
		m, stopped := newTestMaker(t)
		var wrong web.FieldErrors
		if err := m.Begin(t.Context(), map[string]string{key: value}); !errors.As(err, &wrong) || wrong[key] == "" || len(*stopped) > 0 {
			t.Errorf("%s: %q: %v", key, value, err)
		}
	}
	m, _ := newTestMaker(t)
	var wrong web.FieldErrors
	if err := m.Begin(t.Context(), map[string]string{"match.length": "0"}); !errors.As(err, &wrong) || wrong["clock.reserve"] == "" {
		t.Errorf("a money session without a reserve: %v", err)
	}
}

func TestAnAccountIsMadeFromAPasswordTyped(t *testing.T) {
	line := strings.TrimSpace(doneWith(t, "long enough\n", "account", "sara", "--role", "table"))
	accounts, err := web.ParseAccounts([]byte(line))
	if err != nil || len(accounts) != 1 || accounts[0].Name != "sara" || accounts[0].Role != web.AtTable {
		t.Errorf("%q: %v", line, err)
	}
}

// doneWith runs a command with something typed, and returns what it prints.
func doneWith(t *testing.T, typed string, args ...string) string {
	t.Helper()
	root := newRootCommand()
	var out strings.Builder
	root.SetIn(strings.NewReader(typed))
	root.SetOut(&out)
	root.SetErr(&strings.Builder{})
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

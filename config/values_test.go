package config

import (
	"errors"
	"strings"
	"testing"
)

func TestValuesAreChangedAsAFileWouldSayThem(t *testing.T) {
	c, err := Default().With(map[string]string{"match.length": "5", "clock.delay": "10s", "cube.crawford": "false", "match.light": "Ann: \"x\""})
	if err != nil || c.Match.Length != 5 || c.Cube.Crawford || c.Match.Light != "Ann: \"x\"" {
		t.Fatalf("%+v %v", c.Match, err)
	}
	for key, want := range map[string]string{"match.length": "5", "clock.delay": "10s", "cube.crawford": "false"} {
		if got, ok := c.Value(key); !ok || got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	for _, key := range []string{"match", "match.nothing", "", "match.length.x"} {
		if _, ok := c.Value(key); ok {
			t.Errorf("%q has a value", key)
		}
	}
}

func TestEveryWrongValueIsToldAndNothingIsChanged(t *testing.T) {
	c, err := Default().With(map[string]string{"match.length": "many", "match.nothing": "1", "clock.delay": "x"})
	var ps Problems
	if !errors.As(err, &ps) || len(ps) != 3 || ps[0].Key != "clock.delay" || c != Default() {
		t.Errorf("%v", err)
	}
	if _, err := Default().With(map[string]string{"rules.variant": "chess"}); err == nil || !strings.Contains(err.Error(), "rules.variant") {
		t.Errorf("%v", err)
	}
}

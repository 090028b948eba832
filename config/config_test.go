package config

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestTheReferenceFileSaysTheDefaults(t *testing.T) {
	c, err := Parse("davar.yaml", Reference)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, Default()) {
		t.Errorf("davar.yaml reads as\n%+v, the defaults are\n%+v", c, Default())
	}
}

func TestTheReferenceFileHoldsEveryKey(t *testing.T) {
	var c Config
	d := decoder{lines: map[string]int{}}
	d.document(Reference, &c)
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, path string) {
		for i := range typ.NumField() {
			key := strings.TrimPrefix(path+"."+typ.Field(i).Tag.Get("yaml"), ".")
			if d.lines[key] == 0 {
				t.Errorf("davar.yaml does not hold %s", key)
			}
			if typ.Field(i).Type.Kind() == reflect.Struct {
				walk(typ.Field(i).Type, key)
			}
		}
	}
	walk(reflect.TypeFor[Config](), "")
}

func TestAFileHoldsOnlyWhatDiffers(t *testing.T) {
	c, err := Parse("x.yaml", []byte("match:\n  length: 11\nclock: {delay: 15s}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Match.Length, want.Clock.Delay = 11, 15*time.Second
	if c != want {
		t.Errorf("got %+v", c)
	}
}

func TestAnEmptyFileIsAllDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "match:\n"} {
		if c, err := Parse("x.yaml", []byte(text)); err != nil || c != Default() {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
}

func TestErrorsNameTheLineAndSayWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an unknown key", "club: a\nmatch:\n  lenght: 5\n", "x.yaml:3: match.lenght: there is no such key; here one may set light"},
		{"a bad number", "match:\n  length: five\n", `x.yaml:2: match.length: "five" is not a whole number`},
		{"a number out of range", "camera:\n  fps: 900\n", "x.yaml:2: camera.fps: 900 is out of range; use 1 to 60"},
		{"a bad word", "\nlanguage: de\n", `x.yaml:2: language: "de" is not known; use en, fa`},
		{"a bad time", "clock:\n  delay: 12\n", `x.yaml:2: clock.delay: "12" is not a time`},
		{"a list", "match: [1, 2]\n", "x.yaml:1: match: keys and values are expected"},
		{"a key set twice", "club: a\nclub: b\n", "x.yaml:2"},
		{"a broker without a scheme", "mqtt:\n  broker: somewhere\n", "x.yaml:2: mqtt.broker"},
		{"a variant that is not refereed", "rules:\n  variant: acey_deucey\n", `x.yaml:2: rules.variant: "acey_deucey" is not known; use standard, iran, tavla, nackgammon`},
		{"a cube of three", "cube: {max: 3}\n", "x.yaml:1: cube.max: 3 is no value of a cube"},
		{"Jacoby in a match", "cube:\n  jacoby: true\n", "x.yaml:2: cube.jacoby: this is for money sessions alone"},
		{"a third pair of dice", "dice: {sets: 3}\n", "x.yaml:1: dice.sets: 3 is out of range; use 0 to 2"},
		{"a required clock that ends no turn", "clock: {condition: required}\nturn: {end: pickup}\n", "x.yaml:2: turn.end: where clocks are required"},
		{"an unknown system", "clock: {system: sundial}\n", `x.yaml:1: clock.system: "sundial" is not known; use simple`},
		{"a display beyond the chip's addresses", "displays:\n  light: 0x20\n", `x.yaml:2: displays.light: "0x20" is not the address`},
		{"two displays at one address", "displays: {light: 0x70, dark: 0x70}\n", "displays.dark: displays.light has the address 0x70 already"},
		{"too bright", "displays: {brightness: 16}\n", "displays.brightness: 16 is out of range; use 0 to 15"},
		{"no YAML", "a: [1\nb", "x.yaml:"},
	} {
		_, err := Parse("x.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestAllErrorsAreReportedAtOnceInTheOrderOfLines(t *testing.T) {
	_, err := Parse("x.yaml", []byte("language: de\nnonsense: 1\nmatch: {length: -1, bottom: red}\n"))
	var ps Problems
	if !errors.As(err, &ps) || len(ps) != 4 {
		t.Fatalf("got %v", err)
	}
	for i, line := range []int{1, 2, 3, 3} {
		if ps[i].Line != line {
			t.Errorf("problem %d is on line %d, want %d: %v", i, ps[i].Line, line, ps[i])
		}
	}
}

func TestAMissingFileSaysSo(t *testing.T) {
	if _, err := Load("/nowhere/davar.yaml"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Reference)
	f.Add([]byte("match: {length: x}"))
	f.Add([]byte("a: &b [*b]\n? : -"))
	f.Fuzz(func(t *testing.T, text []byte) { _, _ = Parse("fuzz.yaml", text) })
}

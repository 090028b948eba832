package clock

import (
	"strings"
	"testing"
	"time"
)

func preset(t testing.TB, name string) Control {
	t.Helper()
	c, err := Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestReservesFollowTheMatch(t *testing.T) {
	for _, c := range []struct {
		sentence       string
		preset         string
		length, scored int
		want           time.Duration
	}{
		{"CLOCK-6: seven points are 14:00", "usbgf-singles", 7, 0, 14 * time.Minute},
		{"CLOCK-6: introduced at 3-2 they are 9:00", "usbgf-singles", 7, 5, 9 * time.Minute},
		{"CLOCK-6: at double match point two minutes are left", "usbgf-singles", 7, 12, 2 * time.Minute},
		{"doubles have 2:30 for each of five points", "usbgf-doubles", 5, 0, 12*time.Minute + 30*time.Second},
		{"doubles lose 1:15 for each point scored", "usbgf-doubles", 5, 2, 10 * time.Minute},
		{"nine points without delay are 54 minutes", "no-delay", 9, 0, 54 * time.Minute},
		{"and lose three minutes a point when introduced late", "no-delay", 9, 4, 42 * time.Minute},
		{"the club's delay changes no reserve", "club-15", 5, 0, 10 * time.Minute},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			got, err := preset(t, c.preset).Reserve(c.length, c.scored)
			if err != nil || got != c.want {
				t.Errorf("got %v, %v; want %v", got, err, c.want)
			}
		})
	}
	c := preset(t, "usbgf-singles")
	c.Bonus = 2 * time.Minute
	if r, err := c.Reserve(11, 0); err != nil || r != 24*time.Minute {
		t.Errorf("eleven points with a bonus of two minutes: %v, %v; want 24m", r, err)
	}
}

func TestPresetsHaveTheirDelay(t *testing.T) {
	want := map[string]time.Duration{"usbgf-singles": 12 * time.Second, "usbgf-doubles": 18 * time.Second,
		"ukbgf": 12 * time.Second, "club-15": 15 * time.Second, "no-delay": 0}
	if len(Presets()) != len(want) {
		t.Errorf("presets %v", Presets())
	}
	for _, name := range Presets() {
		c := preset(t, name)
		if c.Delay != want[name] || c.Mechanical || c.Validate() != nil {
			t.Errorf("%s: %+v, %v", name, c, c.Validate())
		}
	}
	if _, err := Preset("fide"); err == nil || !strings.Contains(err.Error(), "usbgf-singles") {
		t.Errorf("an unknown preset must list the known ones: %v", err)
	}
}

func TestImpossibleControlsAreRefused(t *testing.T) {
	good := preset(t, "usbgf-singles")
	for _, c := range []struct {
		sentence string
		change   func(*Control)
		length   int
		scored   int
		word     string
	}{
		{"an unknown system", func(c *Control) { c.System = "sundial" }, 7, 0, "sundial"},
		{"a delay that plain time has not", func(c *Control) { c.System = Plain }, 7, 0, "has no delay"},
		{"a negative delay", func(c *Control) { c.Delay = -1 }, 7, 0, "delay"},
		{"a negative match", func(*Control) {}, -1, 0, "cannot be"},
		{"a money session without a bonus", func(*Control) {}, 0, 0, "bonus"},
		{"nothing left when introduced late", func(*Control) {}, 2, 4, "is left"},
		{"more than the event's largest reserve with overtime", func(c *Control) { c.Most, c.Overtime = 14*time.Minute, time.Minute }, 7, 0, "largest"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			control := good
			c.change(&control)
			if _, err := control.Reserve(c.length, c.scored); err == nil || !strings.Contains(err.Error(), c.word) {
				t.Errorf("got %v, want an error with %q", err, c.word)
			}
		})
	}
}

package gpio

import (
	"strings"
	"testing"
	"time"
)

func TestAWiringThatContradictsItselfIsRefused(t *testing.T) {
	up := func(pin string) Input { return Input{Pin: pin, ActiveLow: true, Pull: "up"} }
	good := Wiring{Light: up("GPIO17"), Dark: up("GPIO27"), Pause: up("GPIO22"), LightLamp: Output{Pin: "GPIO5"}}
	if err := good.Validate(); err != nil {
		t.Fatalf("a good wiring: %v", err)
	}
	for _, c := range []struct {
		sentence string
		change   func(*Wiring)
		word     string
	}{
		{"one line for both players", func(w *Wiring) { w.Dark.Pin = "GPIO17" }, "line GPIO17 is both light button and dark button"},
		{"a lamp on a button's line", func(w *Wiring) { w.LightLamp.Pin = "GPIO22" }, "both pause button and light lamp"},
		{"an unknown pull", func(w *Wiring) { w.Dark.Pull = "sideways" }, `pull "sideways"`},
		{"no button at all", func(w *Wiring) { w.Light.Pin, w.Dark.Pin, w.Pause.Pin = "", "", "" }, "no button has a line"},
		{"a lock-out of minutes", func(w *Wiring) { w.LockOut = time.Minute }, "lock-out"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			w := good
			c.change(&w)
			if err := w.Validate(); err == nil || !strings.Contains(err.Error(), c.word) {
				t.Errorf("got %v, want an error with %q", err, c.word)
			}
			if _, err := Open(w); err == nil {
				t.Error("and it was opened")
			}
		})
	}
}

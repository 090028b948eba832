package doctor

import (
	"context"
	"slices"
	"time"

	"davar/device/gpio"
)

// Handset is the buttons and lamps of a table and the person who tries them.
type Handset struct {
	Open  func() (gpio.Buttons, gpio.Panel, func(), error) // the function gives the lines back
	Wired []gpio.Button                                    // those that have a line
	Lamps []gpio.Button                                    // those whose lamp has a line
	// Ask asks the person to do what the phrasebook's "doctor.KEY" says; nil: nobody is there, and the lines are
	// only taken and given back.
	Ask  func(key string, params map[string]string)
	Wait time.Duration // for one press
}

// twice is how soon a second press says that the lamp stayed dark.
const twice = 700 * time.Millisecond

// Check has the person press each button. While a button is waited for its lamp shines: one press says so, two quick
// ones say that it does not.
func (h Handset) Check() Check {
	const name = "buttons"
	return Check{Name: name, Wait: usualWait + time.Duration(len(h.Wired))*(h.Wait+2*twice), Look: func(ctx context.Context) []Finding {
		if len(h.Wired) == 0 {
			return []Finding{{Check: name, State: Skipped, Key: "buttons_none"}}
		}
		buttons, lamps, free, err := h.Open()
		if err != nil {
			return []Finding{{Check: name, State: Fault, Key: "buttons_closed", Params: params("error", err)}}
		}
		defer free()
		if h.Ask == nil {
			return []Finding{{Check: name, State: Good, Key: "buttons_open", Params: params("n", len(h.Wired))}}
		}
		var found []Finding
		for _, b := range h.Wired {
			found = append(found, h.try(ctx, b, buttons, lamps)...)
		}
		return found
	}}
}

// try waits for one button to be pressed.
func (h Handset) try(ctx context.Context, b gpio.Button, buttons gpio.Buttons, lamps gpio.Panel) []Finding {
	lit := gpio.Indication{Light: b == gpio.LightButton, Dark: b == gpio.DarkButton}
	var found []Finding
	if err := lamps.Show(lit); err != nil {
		found = append(found, Finding{Check: "lamps", State: Fault, Key: "lamps_closed", Params: params("error", err)})
	}
	defer func() { _ = lamps.Show(gpio.Indication{}) }() // told above when it cannot be
	key, hasLamp := "ask_press", slices.Contains(h.Lamps, b)
	if hasLamp {
		key = "ask_press_lamp"
	}
	h.Ask(key, params("button", b, "n", int(h.Wait.Seconds())))
	return append(found, h.await(ctx, b, hasLamp, buttons)...)
}

func (h Handset) await(ctx context.Context, b gpio.Button, hasLamp bool, buttons gpio.Buttons) []Finding {
	until, stop := context.WithTimeout(ctx, h.Wait)
	defer stop()
	tell := func(check string, s State, key string, more ...any) []Finding {
		return []Finding{{Check: check, State: s, Key: key, Params: params(append(more, "button", b)...)}}
	}
	for {
		e, err := buttons.Next(until)
		if err != nil {
			return tell("buttons", Fault, "button_silent", "n", int(h.Wait.Seconds()))
		}
		switch e.Kind {
		case gpio.Lost:
			return tell("buttons", Fault, "buttons_closed", "error", e.Err)
		case gpio.Stuck:
			return tell("buttons", Fault, "button_stuck")
		case gpio.Chatter:
			return tell("buttons", Fault, "button_chatter")
		case gpio.Press:
			if e.Button != b {
				return tell("buttons", Fault, "button_swapped", "other", e.Button)
			}
			found := tell("buttons", Good, "button_works")
			if !hasLamp {
				return found
			}
			if again(ctx, b, buttons) {
				return append(found, tell("lamps", Fault, "lamp_dark")...)
			}
			return append(found, tell("lamps", Good, "lamp_works")...)
		}
	}
}

// again tells whether the button is pressed a second time at once.
func again(ctx context.Context, b gpio.Button, buttons gpio.Buttons) bool {
	ctx, stop := context.WithTimeout(ctx, twice)
	defer stop()
	for {
		e, err := buttons.Next(ctx)
		if err != nil {
			return false
		}
		if e.Kind == gpio.Press && e.Button == b {
			return true
		}
	}
}

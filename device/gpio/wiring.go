package gpio

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

var pulls = []string{"up", "down", "none"}

// Input is how one button is wired.
type Input struct {
	Pin       string // the line's name as the kernel gives it, such as GPIO17; "" = no such button
	ActiveLow bool   // the line is low while the button is down (button to ground)
	Pull      string // resistor inside the chip: up, down or none
}

// Output is how a lamp or the buzzer is wired.
type Output struct {
	Pin       string // as of Input; "" = none
	ActiveLow bool   // the line is low while it is lit or sounds
}

// Wiring says which line is what. Lines are named, never numbered: numbers differ between kernels and models.
type Wiring struct {
	Light, Dark, Pause Input
	LightLamp          Output
	DarkLamp           Output
	Buzzer             Output
	LockOut            time.Duration // of the Debouncer; 0 = the package's LockOut
}

func (w *Wiring) inputs() [buttons]Input { return [buttons]Input{w.Light, w.Dark, w.Pause} }

func (w *Wiring) outputs() [3]Output { return [3]Output{w.LightLamp, w.DarkLamp, w.Buzzer} }

func (w *Wiring) lockOut() time.Duration {
	if w.LockOut == 0 {
		return LockOut
	}
	return w.LockOut
}

// Validate reports all that is wrong with the wiring, joined: no button at all, a line used twice, a word for a
// pull that is none.
func (w *Wiring) Validate() error {
	var errs []error
	used := map[string]string{}
	use := func(what, pin string) {
		if pin == "" {
			return
		}
		if other, ok := used[pin]; ok {
			errs = append(errs, fmt.Errorf("gpio: wiring: line %s is both %s and %s", pin, other, what))
		}
		used[pin] = what
	}
	for b, in := range w.inputs() {
		use(Button(b).String()+" button", in.Pin)
		if in.Pin != "" && !slices.Contains(pulls, in.Pull) {
			errs = append(errs, fmt.Errorf("gpio: wiring: %s button: pull %q is none of %v", Button(b), in.Pull, pulls))
		}
	}
	if len(used) == 0 {
		errs = append(errs, errors.New("gpio: wiring: no button has a line"))
	}
	for i, what := range [...]string{"light lamp", "dark lamp", "buzzer"} {
		use(what, w.outputs()[i].Pin)
	}
	if w.LockOut < 0 || w.LockOut > time.Second {
		errs = append(errs, fmt.Errorf("gpio: wiring: a lock-out of %v is outside 0 to 1s", w.LockOut))
	}
	return errors.Join(errs...)
}

package gpio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"periph.io/x/conn/v3/driver"
	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/host/v3/gpioioctl"
)

// chips guards gpioioctl's list of chips, which periph fills once and never looks at again.
var chips struct {
	sync.Mutex
	driver driver.Impl
	nodes  string // what deviceNodes said when the list was filled
	// gone keeps chips that vanished. periph holds each chip's file in two values; were they collected or
	// closed, the second close would hit whatever file has that number by then.
	gone []*gpioioctl.GPIOChip
}

// findChips makes sure that gpioioctl's list of chips is that of now: it starts periph's driver the first time and
// again when chips have come or gone since. It says what to do when there is none.
func findChips() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("gpio: look for lines: the driver failed: %v", r)
		}
	}()
	chips.Lock()
	defer chips.Unlock()
	// periph would say the same to standard error, at each attempt, and lose files of chips that it cannot ask.
	if err := openChip(); err != nil {
		return err
	}
	nodes := deviceNodes()
	switch {
	case chips.driver == nil:
		if err := startDriver(); err != nil {
			return err
		}
	case chips.nodes != nodes || len(gpioioctl.Chips) == 0: // those of before may be open to us by now
		if err := restartDriver(); err != nil {
			return err
		}
	}
	chips.nodes = nodes
	if len(gpioioctl.Chips) == 0 {
		return noLines(errors.New("no chip answers"))
	}
	return nil
}

// openChip opens a chip and closes it again; its error says what to do.
func openChip() error {
	paths, _ := filepath.Glob("/dev/gpiochip*") // the pattern is good, so there is no error
	why := noLines(errors.New("there is no /dev/gpiochip"))
	for _, p := range paths {
		f, err := os.Open(p)
		if err == nil {
			return f.Close()
		}
		why = fmt.Errorf("gpio: no GPIO lines can be opened: %w: is the user in the group gpio?", err)
	}
	return why
}

func startDriver() error {
	state, err := driverreg.Init()
	if err != nil {
		return fmt.Errorf("gpio: start the line driver: %w", err)
	}
	const name = "ioctl-gpio"
	for _, d := range state.Loaded {
		if d.String() == name {
			chips.driver = d
			return nil
		}
	}
	for _, f := range append(state.Failed, state.Skipped...) {
		if f.D.String() == name {
			chips.driver = f.D // chips may come
			return noLines(f.Err)
		}
	}
	return errors.New("gpio: this system has no GPIO driver: set buttons.enabled to false")
}

func restartDriver() error {
	for _, c := range gpioioctl.Chips {
		for _, line := range c.Lines() { // else the returning lines find their names taken
			_ = gpioreg.Unregister(line.Name())
		}
	}
	chips.gone = append(chips.gone, gpioioctl.Chips...)
	gpioioctl.Chips = nil
	if _, err := chips.driver.Init(); err != nil {
		return noLines(err)
	}
	return nil
}

func noLines(why error) error {
	return fmt.Errorf("gpio: no GPIO lines: %w: set buttons.enabled to false on a machine without them", why)
}

// deviceNodes names the GPIO devices there are; a device that vanished and came back has another name.
func deviceNodes() string {
	paths, _ := filepath.Glob("/dev/gpiochip*") // the pattern is good, so there is no error
	var names []string
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			names = append(names, fmt.Sprintf("%s@%d", p, info.ModTime().UnixNano()))
		}
	}
	return strings.Join(names, " ")
}

// chipWith returns the first chip that has all the lines, the Pi's own header before any other.
func chipWith(names []string) (*gpioioctl.GPIOChip, error) {
	chips.Lock()
	defer chips.Unlock()
	var missing []string
	for _, c := range gpioioctl.Chips {
		lack := ""
		for _, name := range names {
			if c.ByName(name) == nil {
				lack = name
				break
			}
		}
		if lack == "" {
			return c, nil
		}
		missing = append(missing, fmt.Sprintf("%s has no %s", c.Label(), lack))
	}
	return nil, fmt.Errorf("gpio: no chip has all of %s (%s): gpioinfo lists the names",
		strings.Join(names, ", "), strings.Join(missing, "; "))
}

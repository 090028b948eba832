// Package gpiosim is the hands and eyes of tests on the kernel's own simulated GPIO chip (gpio-sim): it pulls lines as a
// finger on a button does, looks at lamps, and takes the chip away. testvm.sh runs such tests in a virtual machine that
// has one.
package gpiosim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// live is the environment variable that names the file by which the chip comes and goes.
const live = "GPIOSIM_LIVE"

// Chip is the simulated chip, whose lines are called GPIO0, GPIO1 and so on. Its folder has another name each time it
// comes back.
type Chip struct {
	t   testing.TB
	dir string
}

// New returns the machine's simulated chip, or skips the test, saying so, where there is none.
func New(t testing.TB) *Chip {
	t.Helper()
	if os.Getenv(live) == "" {
		t.Skip("no gpio-sim chip here: device/gpio/testvm.sh runs this test in a virtual machine that has one")
	}
	c := &Chip{t: t}
	c.find()
	return c
}

func (c *Chip) find() {
	c.t.Helper()
	dirs, err := filepath.Glob("/sys/devices/platform/gpio-sim.*/gpiochip*")
	if err != nil || len(dirs) != 1 {
		c.t.Fatalf("gpio-sim chips %v, %v; want one", dirs, err)
	}
	c.dir = dirs[0]
}

func (c *Chip) file(pin, name string) string {
	return filepath.Join(c.dir, "sim_gpio"+strings.TrimPrefix(pin, "GPIO"), name)
}

// Hand returns what moves the line of that name up and down. It holds the line's file open, for a bouncing contact is
// quick; a chip that has come back needs new hands.
func (c *Chip) Hand(pin string) func(high bool) {
	c.t.Helper()
	f, err := os.OpenFile(c.file(pin, "pull"), os.O_WRONLY, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { f.Close() })
	return func(high bool) {
		word := "pull-down"
		if high {
			word = "pull-up"
		}
		if _, err := f.WriteAt([]byte(word), 0); err != nil {
			c.t.Error(err)
		}
	}
}

// High tells the level to which the line is driven.
func (c *Chip) High(pin string) bool {
	c.t.Helper()
	b, err := os.ReadFile(c.file(pin, "value"))
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.TrimSpace(string(b)) == "1"
}

// Vanish takes the chip away, as when its cable breaks, or brings it back.
func (c *Chip) Vanish(gone bool) {
	c.t.Helper()
	word := "1"
	if gone {
		word = "0"
	}
	if err := os.WriteFile(os.Getenv(live), []byte(word), 0); err != nil {
		c.t.Fatal(err)
	}
	if !gone {
		c.find()
	}
}

//go:build !linux

package gpio

import (
	"errors"
	"time"
)

// inputSet stands in where there is no GPIO character device, so that the package builds on any laptop.
type inputSet struct{}

type input struct {
	number    uint32
	activeLow bool
	pull      string
}

var errNotLinux = errors.New("gpio: this system has no GPIO character device")

func takeInputs(string, []input) (*inputSet, error) { return nil, errNotLinux }

func (*inputSet) wait(time.Duration) (int, bool, time.Time, bool, error) {
	return 0, false, time.Time{}, false, errNotLinux
}

func (*inputSet) values() (uint64, error) { return 0, errNotLinux }

func (*inputSet) close() error { return nil }

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// starts remembers how often the program was started in a row without having run for long, in a folder that is gone after
// the machine's own start.
type starts struct{ folder string }

const (
	longEnough  = time.Minute      // a program that ran so long did not fail at once
	longestWait = 30 * time.Second // systemd gives a start 90 s
)

// next returns how long to wait before the program is started at a moment of the machine's own clock, and remembers the
// start: nothing at first and the first time again, then twice as long each time.
func (s starts) next(now time.Duration) time.Duration {
	var row int
	var last time.Duration
	path := filepath.Join(s.folder, "starts")
	if text, err := os.ReadFile(path); err == nil {
		if _, err := fmt.Sscan(string(text), &row, &last); err == nil && now-last < longEnough && row >= 0 {
			row++
		} else {
			row = 0
		}
	}
	var wait time.Duration
	if row > 1 {
		wait = min(time.Second<<min(row-1, 10), longestWait)
	}
	// Where that cannot be remembered the program is started at once, as often as it ends.
	_ = os.WriteFile(path, fmt.Appendln(nil, row, int64(now+wait)), 0o600)
	return wait
}

// sinceBoot is a clock that nobody sets: a Pi does not know the time of day when it starts.
func sinceBoot() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) // every Linux has it
	return time.Duration(t.Nano())
}

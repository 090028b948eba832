package doctor

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Clock is the check of the machine's clock: a Pi has none that runs without power, and the time of day is a label on
// every match. Sys is "/sys" but in tests; synchronised tells whether somebody has set the clock.
func Clock(sys string, synchronised func() bool) Check {
	const name = "time"
	return Check{Name: name, Look: func(context.Context) []Finding {
		now := time.Now()
		rtc, _ := filepath.Glob(filepath.Join(sys, "class/rtc/rtc*"))
		p := params("time", now.Format("2006-01-02 15:04"))
		switch {
		case now.Year() < 2025:
			return []Finding{{Check: name, State: Fault, Key: "time_wrong", Params: p}}
		case synchronised():
			return []Finding{{Check: name, State: Good, Key: "time_set", Params: p}}
		case len(rtc) > 0:
			return []Finding{{Check: name, State: Good, Key: "time_kept", Params: p}}
		}
		return []Finding{{Check: name, State: Warning, Key: "time_unset", Params: p}}
	}}
}

// Synchronised asks the kernel, and systemd where the kernel may not be asked, whether the clock is kept in step with
// others.
func Synchronised() bool {
	if _, err := os.Stat("/run/systemd/timesync/synchronized"); err == nil {
		return true
	}
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	return err == nil && state != unix.TIME_ERROR && t.Status&unix.STA_UNSYNC == 0
}

// Limits of the processor's temperature, °C: a Pi slows down from 80 on.
const (
	warm = 75
	hot  = 82
)

// What a Pi's firmware says of its past in get_throttled, by bit.
const (
	underVoltage = 1 << 0
	capped       = 1<<1 | 1<<2 | 1<<3
	since        = 16 // the same, since the start
)

// Heat is the check of temperature and supply.
func Heat(sys string) Check {
	const name = "heat"
	return Check{Name: name, Look: func(context.Context) []Finding {
		found := []Finding{temperature(sys)}
		text := readText(filepath.Join(sys, "devices/platform/soc/soc:firmware/get_throttled"))
		bits, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 32)
		if err != nil {
			return found // no Pi, or a kernel that does not tell
		}
		tell := func(s State, key string) {
			found = append(found, Finding{Check: name, State: s, Key: key, Measured: map[string]uint64{"throttled": bits}})
		}
		switch {
		case bits&underVoltage != 0:
			tell(Fault, "supply_low")
		case bits>>since&underVoltage != 0:
			tell(Warning, "supply_was_low")
		}
		switch {
		case bits&capped != 0:
			tell(Warning, "throttled")
		case bits>>since&capped != 0:
			tell(Warning, "was_throttled")
		}
		if len(found) == 1 {
			tell(Good, "supply_good")
		}
		return found
	}}
}

func temperature(sys string) Finding {
	f := Finding{Check: "heat", State: Skipped, Key: "heat_unknown"}
	zones, _ := filepath.Glob(filepath.Join(sys, "class/thermal/thermal_zone*/temp"))
	hottest := 0
	for _, zone := range zones {
		if milli, err := strconv.Atoi(readText(zone)); err == nil {
			hottest = max(hottest, milli/1000)
		}
	}
	if hottest == 0 {
		return f
	}
	f.State, f.Key, f.Params, f.Measured = Good, "heat_good", params("n", hottest), map[string]int{"celsius": hottest}
	switch {
	case hottest >= hot:
		f.State, f.Key = Fault, "heat_hot"
	case hottest >= warm:
		f.State, f.Key = Warning, "heat_warm"
	}
	return f
}

// Versions tells what runs on what; it finds no fault. Program is davar's own version, libraries that of what reads
// pictures.
func Versions(program, libraries string) Check {
	const name = "versions"
	return Check{Name: name, Look: func(context.Context) []Finding {
		var kernel unix.Utsname
		_ = unix.Uname(&kernel) // it cannot fail with a good pointer
		model := readText("/proc/device-tree/model")
		if model == "" {
			model = runtime.GOARCH
		}
		system := "?"
		for line := range strings.Lines(readText("/etc/os-release")) {
			if value, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
				system = strings.Trim(value, "\"\n")
			}
		}
		v := map[string]string{
			"davar": program, "go": runtime.Version(), "libraries": libraries, "system": system, "model": model,
			"kernel": unix.ByteSliceToString(kernel.Release[:]),
		}
		return []Finding{{Check: name, State: Good, Key: "versions", Params: v, Measured: v}}
	}}
}

package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Disk is the check of the disk that holds the folder, which gets the match log. Sys is where the kernel tells of
// devices, "/sys" but in tests.
func Disk(folder, sys string) Check {
	const name = "disk"
	return Check{Name: name, Look: func(context.Context) []Finding {
		var fs unix.Statfs_t
		if err := unix.Statfs(folder, &fs); err != nil {
			return []Finding{{Check: name, State: Fault, Key: "disk_closed", Params: params("folder", folder, "error", err)}}
		}
		found := []Finding{space(folder, int64(fs.Bavail)*fs.Bsize, int64(fs.Blocks)*fs.Bsize)}
		found = append(found, writing(folder, fs.Flags&unix.ST_RDONLY != 0))
		if fs.Type == unix.TMPFS_MAGIC || fs.Type == unix.RAMFS_MAGIC { // a card whose data partition cannot be used
			found = append(found, Finding{Check: name, State: Fault, Key: "disk_memory", Params: params("folder", folder)})
		}
		return append(found, wear(sys)...)
	}}
}

const megabyte = 1 << 20

// Limits of free space: a season's match log takes 300 MB, its pictures what journal.pictures says.
const (
	roomFew  = 1024 * megabyte
	roomNone = 100 * megabyte
)

func space(folder string, free, whole int64) Finding {
	f := Finding{Check: "disk", State: Good, Key: "disk_room", Params: params("folder", folder, "n", free/megabyte, "m", whole/megabyte),
		Measured: map[string]int64{"free": free, "size": whole}}
	switch {
	case free < roomNone:
		f.State, f.Key = Fault, "disk_full"
	case free < roomFew:
		f.State, f.Key = Warning, "disk_low"
	}
	return f
}

// slowWrite is how long a synchronous write may take; the journal waits for one with every event.
const slowWrite = 250 * time.Millisecond

// writing tries what the journal does with every event: write a little and wait until it is safe.
func writing(folder string, readOnly bool) Finding {
	fault := Finding{Check: "disk", State: Fault, Key: "disk_read_only", Params: params("folder", folder)}
	if readOnly {
		return fault
	}
	begun := time.Now()
	if err := writeSafely(folder); err != nil {
		fault.Key, fault.Params["error"] = "disk_closed", err.Error()
		return fault
	}
	took := time.Since(begun)
	f := Finding{Check: "disk", State: Good, Key: "disk_writes", Params: params("n", took.Milliseconds()), Measured: map[string]float64{"ms": float64(took.Microseconds()) / 1000}}
	if took > slowWrite {
		f.State, f.Key = Warning, "disk_slow"
	}
	return f
}

func writeSafely(folder string) error {
	f, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = f.Write(make([]byte, 4096)); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// wear tells what cards and disks say of their age. SD cards say nothing, eMMC has life_time in tenths (JEDEC 84-B51,
// DEVICE_LIFE_TIME_EST); errors that ext4 has seen count on any.
func wear(sys string) []Finding {
	var found []Finding
	lives, _ := filepath.Glob(filepath.Join(sys, "block/*/device/life_time")) // the pattern is good, so there is no error
	for _, path := range lives {
		worst := 0
		for _, field := range strings.Fields(readText(path)) {
			if tenths, err := strconv.ParseInt(field, 0, 16); err == nil {
				worst = max(worst, int(tenths))
			}
		}
		if worst == 0 {
			continue // not defined
		}
		f := Finding{Check: "disk", State: Good, Key: "disk_wear", Params: params("n", min(100, worst*10)), Measured: map[string]int{"life_tenths": worst}}
		if worst >= 9 {
			f.State, f.Key = Warning, "disk_worn"
		}
		found = append(found, f)
	}
	counts, _ := filepath.Glob(filepath.Join(sys, "fs/ext4/*/errors_count"))
	for _, path := range counts {
		if n, err := strconv.Atoi(readText(path)); err == nil && n > 0 {
			device := filepath.Base(filepath.Dir(path))
			found = append(found, Finding{Check: "disk", State: Fault, Key: "disk_errors", Params: params("device", device, "n", n)})
		}
	}
	return found
}

// readText returns a small file's text without spaces around it; empty when it cannot be read.
func readText(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.Trim(string(text), " \n\x00")
}

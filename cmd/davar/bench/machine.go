package main

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Machine is where figures were measured. The load averages tell whether it had other work.
type Machine struct {
	Processor  string  `json:"processor"`
	Cores      int     `json:"cores"`
	MemoryMB   int     `json:"memory_mb"`
	System     string  `json:"system"`
	Kernel     string  `json:"kernel"`
	LoadBefore float64 `json:"load_before"`
	LoadAfter  float64 `json:"load_after"`
}

// thisMachine tells what it can find out; the rest stays empty.
func thisMachine() Machine {
	m := Machine{
		Processor: field("/proc/cpuinfo", "model name", ":"), Cores: runtime.NumCPU(),
		System: strings.Trim(field("/etc/os-release", "PRETTY_NAME", "="), `"`), LoadBefore: load(),
	}
	if board, err := os.ReadFile("/proc/device-tree/model"); err == nil { // such as Raspberry Pi 5 Model B Rev 1.0
		m.Processor = strings.TrimRight(string(board), "\x00")
	}
	if m.Processor == "" {
		m.Processor = runtime.GOARCH
	}
	if kb, _, ok := strings.Cut(field("/proc/meminfo", "MemTotal", ":"), " "); ok {
		n, _ := strconv.Atoi(kb)
		m.MemoryMB = n / 1024
	}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		m.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	return m
}

// busy tells whether the machine had so much to do at a load that times say more of the other work than of the program:
// some of what is measured keeps all cores at work itself.
func (m *Machine) busy(load float64) bool { return load > 2*float64(m.Cores)+1 }

// field returns what stands in the file after the name, "" when it does not.
func field(file, name, separator string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, separator); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// load returns the load average of the last minute, 0 where the system tells none.
func load() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	x, _ := strconv.ParseFloat(first, 64)
	return x
}

// versionOrder is the order in which versions are printed.
var versionOrder = []string{"davar", "go", "opencv", "gocv", "sqlite", "mochi", "paho"}

// versions returns what is measured, as far as it can be found out.
func versions(ctx context.Context, davar string) map[string]string {
	v := map[string]string{
		"davar":  said(ctx, davar, "--version"),
		"go":     runtime.Version(),
		"opencv": said(ctx, "pkg-config", "--modversion", "opencv4"),
	}
	for name, module := range map[string]string{
		"gocv": "gocv.io/x/gocv", "sqlite": "modernc.org/sqlite", "mochi": "github.com/mochi-mqtt/server/v2",
		"paho": "github.com/eclipse/paho.mqtt.golang",
	} {
		v[name] = said(ctx, "go", "list", "-m", "-f", "{{.Version}}", module)
	}
	v["davar"] = strings.TrimPrefix(v["davar"], "davar version ")
	if strings.HasSuffix(v["davar"], "unknown") { // go build was told to leave it out
		v["davar"] = "from commit " + said(ctx, "git", "describe", "--always", "--dirty")
	}
	return v
}

// said returns what a command prints, "" when it fails.
func said(ctx context.Context, name string, args ...string) string {
	out, err := command(ctx, name, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

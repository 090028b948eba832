// Package cameratest is the hands of tests on the kernel's own video drivers: it plugs cameras in and feeds one with
// pictures. testvm.sh and testfilm.sh run such tests in a virtual machine; what is loaded and unloaded belongs to nobody
// there.
package cameratest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// modules is the environment variable that names the folder of the drivers.
const modules = "DAVAR_CAMERA_MODULES"

// Device is the only camera of the machine, once one is plugged in.
const Device = "/dev/video0"

// InMachine skips the test outside the virtual machine, saying so.
func InMachine(t testing.TB) {
	t.Helper()
	if os.Getenv(modules) == "" {
		t.Skip("SKIPPED: it plugs cameras of the kernel in and out: make test-cameras has a virtual machine for it")
	}
}

// PlugIn loads a camera's driver, and with it the camera.
func PlugIn(t testing.TB, driver string, params ...string) {
	t.Helper()
	command(t, "insmod", append([]string{filepath.Join(os.Getenv(modules), driver+".ko")}, params...)...)
}

// Unplug unloads a camera's driver, which nobody may use any more.
func Unplug(t testing.TB, driver string) {
	t.Helper()
	command(t, "rmmod", driver)
}

func command(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

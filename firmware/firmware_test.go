package firmware

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"davar/config"
	"davar/firmware/firstboot"
)

// tool returns a program's path or skips the test.
func tool(t *testing.T, name, where string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED: %s is not installed here (package %s)", name, where)
	}
	return path
}

func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestOverlaysMergeIntoAPisTree compiles each overlay and lays it over a tree that has what a Pi's has of it.
func TestOverlaysMergeIntoAPisTree(t *testing.T) {
	dtc, fdtoverlay := tool(t, "dtc", "device-tree-compiler"), tool(t, "fdtoverlay", "device-tree-compiler")
	folder := t.TempDir()
	base := filepath.Join(folder, "pi.dtb")
	run(t, nil, dtc, "-@", "-q", "-I", "dts", "-O", "dtb", "-o", base, "testdata/pi.dts")
	for name, want := range map[string][]string{
		"davar-buttons": {"davar-buttons {", "linux,code = <0x1e>", "linux,code = <0x26>", "brcm,pull = <0x02 0x02>", "debounce-interval = <0x0a>"},
		"davar-clock":   {"rtc@68", "maxim,ds3231", `status = "okay"`},
	} {
		overlay, merged := filepath.Join(folder, name+".dtbo"), filepath.Join(folder, name+".dtb")
		run(t, nil, dtc, "-@", "-q", "-I", "dts", "-O", "dtb", "-o", overlay, "overlay/"+name+".dts")
		run(t, nil, fdtoverlay, "-i", base, "-o", merged, overlay)
		tree := run(t, nil, dtc, "-q", "-I", "dtb", "-O", "dts", merged)
		for _, text := range want {
			if !strings.Contains(tree, text) {
				t.Errorf("%s: the merged tree lacks %s", name, text)
			}
		}
	}
}

// TestThePackageHoldsTheApplianceAndItsUnitsAreRight packs programs that do nothing and has systemd look at the units.
func TestThePackageHoldsTheApplianceAndItsUnitsAreRight(t *testing.T) {
	tool(t, "dtc", "device-tree-compiler")
	dpkg := tool(t, "dpkg-deb", "dpkg")
	folder := t.TempDir()
	for _, name := range []string{"davar", "davar-launch", "davar-firstboot"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	deb, root := filepath.Join(folder, "d.deb"), filepath.Join(folder, "root")
	run(t, nil, "deb/build.sh", folder, "1.2.3", "arm64", deb)
	run(t, nil, dpkg, "-x", deb, root)
	for _, path := range []string{"usr/lib/davar/davar-launch", "usr/lib/davar/davar-firstboot", "usr/lib/davar/davar-grow", "usr/bin/davar", "etc/avahi/services/davar.service",
		"lib/systemd/system/davar-kiosk.service", "usr/share/davar/overlays/davar-clock.dtbo", "usr/lib/systemd/journald.conf.d/davar.conf", "usr/lib/udev/rules.d/60-davar.rules",
		"usr/share/doc/davar/hardware.fa.md", "usr/share/doc/davar/wiring.svg"} {
		if _, err := os.Stat(filepath.Join(root, path)); err != nil {
			t.Errorf("the package lacks %s", path)
		}
	}
	if info := run(t, nil, dpkg, "-f", deb); !strings.Contains(info, "Version: 1.2.3") || !strings.Contains(info, "Architecture: arm64") {
		t.Errorf("the package says\n%s", info)
	}
	settings, err := os.ReadFile(filepath.Join(root, "etc/davar/davar.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := config.Parse("davar.yaml", settings); err != nil {
		t.Error(err)
	}
	setup, err := os.ReadFile(filepath.Join(root, "usr/share/davar/davar-setup.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := firstboot.Parse(setup); err != nil || s != firstboot.Default() {
		t.Errorf("the file to fill in says %+v, %v", s, err)
	}
	for _, script := range []string{"deb/postinst", "deb/prerm", "deb/postrm", "systemd/davar-grow", "build/init"} {
		run(t, nil, "sh", "-n", script)
	}
}

func TestTheServiceHasNoMoreRightsThanItNeeds(t *testing.T) {
	analyze := tool(t, "systemd-analyze", "systemd")
	out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=40", "systemd/davar.service").CombinedOutput()
	if err != nil && strings.Contains(string(out), "exposure level") || strings.Contains(string(out), "UNSAFE") {
		t.Errorf("systemd says of the unit\n%s", out)
	}
	unit, err := os.ReadFile("systemd/davar.service")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"User=davar", "WatchdogSec=30", "Restart=always", "NoNewPrivileges=true", "SupplementaryGroups=video gpio i2c", "StandardOutput=null"} {
		if !strings.Contains(string(unit), want+"\n") {
			t.Errorf("the unit lacks %s", want)
		}
	}
}

// TestTheServiceMayOpenDevicesThatComeLater looks at how the unit names them: systemd allows what /proc/devices lists when
// the service starts, so a driver that is a module must have been loaded before, and a folder is no device at all.
func TestTheServiceMayOpenDevicesThatComeLater(t *testing.T) {
	unit, err := os.ReadFile("systemd/davar.service")
	if err != nil {
		t.Fatal(err)
	}
	module := map[string]string{ // by the device's name in /proc/devices; "": part of every kernel
		"char-video4linux": "videodev", "char-media": "videodev", "char-i2c": "i2c_dev", "char-gpiochip": "", "char-dma_heap": "",
	}
	for line := range strings.Lines(string(unit)) {
		device, ok := strings.CutPrefix(strings.TrimSuffix(line, " rw\n"), "DeviceAllow=")
		if !ok {
			continue
		}
		driver, known := module[device]
		if !known {
			t.Errorf("%q is no kind of device that the kernel knows by that name", device)
		}
		for _, key := range []string{"\nAfter=", "\nWants="} {
			_, rest, _ := strings.Cut(string(unit), key)
			if list, _, _ := strings.Cut(rest, "\n"); driver != "" && !strings.Contains(list, "modprobe@"+driver+".service") {
				t.Errorf("%s: %s%q does not load %s", device, strings.TrimSpace(key), list, driver)
			}
		}
		delete(module, device)
	}
	if len(module) > 0 {
		t.Errorf("the service may not open %v", module)
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"davar/device/mqtt"
)

// tree describes the Pi to its kernel.
const tree = "bcm2837-rpi-3-b.dtb"

// piParts are those of QEMU's Raspberry Pi 3. It does not run the Pi's firmware: what that would load is given to it, from
// the card. The network hangs on the USB, since the one on the board is not emulated; the kernel's console is the
// second serial port. Its watchdog is left alone: QEMU takes the setting of it for a reset.
func (m machine) piParts(console string) []string {
	line, _ := os.ReadFile(filepath.Join(m.folder, "cmdline.txt")) // onAPi has copied it
	return []string{"-M", "raspi3b", "-dtb", filepath.Join(m.folder, tree),
		"-append", strings.TrimSpace(string(line)) + telling + " module_blacklist=bcm2835_wdt console=ttyS1,115200",
		"-drive", "file=" + m.card.path + ",if=sd,format=raw", "-device", "usb-net,netdev=net",
		"-serial", "null", "-serial", "file:" + console}
}

// onAPi starts the card in an emulated Raspberry Pi 3 with the kernel, device tree and command line that are on it. The Pi
// must find its card by its own driver, start the service, run a clock that a director starts, and keep the match when the
// plug is pulled.
func onAPi(ctx context.Context, image, folder string, m machine) error {
	card, err := newCard(image, folder, 0) // an emulated one must be as large as a power of two
	if err != nil {
		return err
	}
	for _, name := range []string{"vmlinuz", "initrd.img", tree, "cmdline.txt"} {
		if err := card.copyBoot(name, folder); err != nil {
			return err
		}
	}
	if err := card.fillIn(settings); err != nil {
		return err
	}
	m.card, m.folder, m.kernel, m.initrds, m.pi = card, folder, filepath.Join(folder, "vmlinuz"), []string{filepath.Join(folder, "initrd.img")}, true
	before, err := m.firstStart(ctx)
	if err != nil {
		return fmt.Errorf("first start: %w", err)
	}
	s, err := m.plugIn(ctx, "Pi 3 again")
	if err != nil {
		return err
	}
	defer s.pullPlug()
	w, err := s.playsOn(ctx, before)
	if err != nil {
		return fmt.Errorf("start after the plug was pulled: %w", err)
	}
	w.client.Disconnect(0)
	say("%s: the clock of %s runs again", s.name, before.Clock.Running)
	return nil
}

// firstStart plays on the Pi until the plug is pulled and returns what was seen last.
func (m machine) firstStart(ctx context.Context) (last mqtt.StatePayload, err error) {
	s, err := m.plugIn(ctx, "Pi 3")
	if err != nil {
		return last, err
	}
	defer s.pullPlug()
	if err := s.comesUp(ctx); err != nil {
		return last, err
	}
	w, err := s.live(ctx)
	if err != nil {
		return last, err
	}
	defer w.client.Disconnect(0)
	last, err = w.begins(ctx, s)
	if err == nil {
		say("%s: the director starts the clock of light, and it is seen to run over MQTT; the plug is pulled", s.name)
	}
	return last, err
}

// comesUp follows the console until the service has been started.
func (s *started) comesUp(ctx context.Context) error {
	for _, step := range []struct{ what, line string }{
		{"the kernel knows the Pi", "Machine model: Raspberry Pi 3"},
		{"the system is mounted for reading", "p2): mounted filesystem"},
		{"the data partition is mounted", "p3): mounted filesystem"},
		{"systemd runs", "Welcome to"},
		{"the settings of the card are applied", "Finished davar-firstboot"},
		{"the service is started", "Started davar.service"},
	} {
		err := s.await(ctx, step.what, func() error {
			for _, line := range s.lines() {
				if strings.Contains(line, step.line) {
					return nil
				}
			}
			return errors.New("the console does not say so")
		})
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		say("%s: %s", s.name, step.what)
	}
	return nil
}

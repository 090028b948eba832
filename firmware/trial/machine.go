package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// machine is the emulated machine, off.
type machine struct {
	card     *card
	kernel   string
	initrds  []string // one behind the other
	folder   string
	patience time.Duration
	pi       bool // a Raspberry Pi 3, which has no buttons that could be pressed from outside
}

// started is the machine, on.
type started struct {
	machine
	name    string
	process *exec.Cmd
	over    chan struct{} // closed when the process has ended
	buttons net.Conn
	web     string
	broker  string
	console string
	since   time.Time
}

// plugIn starts the machine with the card in it. Emulation alone is asked for: nested virtual machines do not start
// everywhere, and what a Pi does is no faster.
func (m machine) plugIn(ctx context.Context, name string) (*started, error) {
	initrd := filepath.Join(m.folder, "initrd")
	if err := concatenate(initrd, m.initrds); err != nil {
		return nil, err
	}
	s := &started{machine: m, name: name, over: make(chan struct{}), console: m.card.path + "." + name + ".log", since: time.Now()}
	webPort, brokerPort := freePort(), freePort()
	s.web, s.broker = "http://127.0.0.1:"+webPort, "tcp://127.0.0.1:"+brokerPort
	args := []string{"-accel", "tcg,thread=multi,tb-size=512", "-kernel", m.kernel, "-initrd", initrd, "-display", "none", "-monitor", "none", "-no-reboot",
		"-netdev", "user,id=net,hostfwd=tcp:127.0.0.1:" + webPort + "-:8080,hostfwd=tcp:127.0.0.1:" + brokerPort + "-:1883"}
	var socket string
	if m.pi {
		args = append(args, m.piParts(s.console)...)
	} else {
		socket = filepath.Join(m.folder, "buttons")
		args = append(args, m.virtParts(s.console, socket)...)
	}
	s.process = exec.CommandContext(ctx, "qemu-system-aarch64", args...)
	s.process.Stdout, s.process.Stderr = os.Stderr, os.Stderr
	if err := s.process.Start(); err != nil {
		return nil, fmt.Errorf("start qemu-system-aarch64 (package qemu-system-arm): %w", err)
	}
	go func() { _ = s.process.Wait(); close(s.over) }()
	if m.pi {
		return s, nil
	}
	err := s.await(ctx, "the port of the buttons", func() (err error) {
		s.buttons, err = net.Dial("unix", socket)
		return err
	})
	if err != nil {
		s.pullPlug()
		return nil, err
	}
	return s, nil
}

// telling has the kernel's command line say on the console which unit fails and why.
const telling = " systemd.show_status=1 systemd.journald.forward_to_console=1 systemd.journald.max_level_console=info"

// virtParts are those of QEMU's own kind of machine, with a port for the buttons.
func (m machine) virtParts(console, socket string) []string {
	return []string{"-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024", "-append", "console=ttyAMA0 root=LABEL=DAVARROOT ro quiet" + telling,
		"-drive", "file=" + m.card.path + ",if=none,id=card,format=raw", "-device", "virtio-blk-pci,drive=card", "-device", "virtio-net-pci,netdev=net",
		"-chardev", "socket,id=buttons,path=" + socket + ",server=on,wait=on", "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=buttons,name=buttons",
		"-serial", "file:" + console}
}

// pullPlug ends the machine as a pulled plug does: it is told nothing.
func (s *started) pullPlug() {
	_ = s.process.Process.Kill()
	<-s.over
	if s.buttons != nil {
		s.buttons.Close()
	}
}

// await tries until what it waits for is so, the machine has ended or patience is at its end.
func (s *started) await(ctx context.Context, what string, try func() error) error {
	ctx, stop := context.WithTimeoutCause(ctx, s.patience, fmt.Errorf("nothing in %v", s.patience))
	defer stop()
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-again.C:
		case <-s.over:
			return fmt.Errorf("%s: the machine ended by itself\n%s", what, s.lastLines(30))
		case <-ctx.Done():
			return fmt.Errorf("%s: %w: %w\n%s", what, context.Cause(ctx), err, s.lastLines(30))
		}
	}
}

// healthy waits until the service says that it is well.
func (s *started) healthy(ctx context.Context) error {
	client := http.Client{Timeout: 10 * time.Second}
	err := s.await(ctx, "the table's page", func() error {
		r, err := client.Get(s.web + "/healthz")
		if err != nil {
			return err
		}
		defer r.Body.Close()
		if body, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusOK || !strings.HasPrefix(string(body), "ok") {
			return fmt.Errorf("it answers %s", r.Status)
		}
		return nil
	})
	if err != nil {
		return err
	}
	say("%s: the service is healthy %.0f s after the plug", s.name, time.Since(s.since).Seconds())
	if failed := s.failedUnits(); len(failed) > 0 {
		return fmt.Errorf("units failed: %s", strings.Join(failed, "; "))
	}
	return nil
}

// press presses the button on a line of the header and lets it go.
func (s *started) press(line int) error {
	_, down := fmt.Fprintf(s.buttons, "%d pull-down\n", line)
	time.Sleep(150 * time.Millisecond) // a finger, in the machine's time no longer than in ours
	_, up := fmt.Fprintf(s.buttons, "%d pull-up\n", line)
	return errors.Join(down, up)
}

// failedUnits returns what systemd says on the console of units that failed, and of what it does not find for them.
func (s *started) failedUnits() (failed []string) {
	for _, line := range s.lines() {
		if strings.Contains(line, "FAILED") || strings.Contains(line, "Couldn't stat device") {
			failed = append(failed, line)
		}
	}
	return failed
}

// colours are what systemd puts between its words.
var colours = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

func (s *started) lines() (lines []string) {
	f, err := os.Open(s.console)
	if err != nil {
		return nil
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		lines = append(lines, strings.TrimSpace(colours.ReplaceAllString(in.Text(), "")))
	}
	return lines
}

// lastLines returns the end of what stands on the console.
func (s *started) lastLines(n int) string {
	lines := s.lines()
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func concatenate(to string, parts []string) error {
	var all []byte
	for _, part := range parts {
		data, err := os.ReadFile(part)
		if err != nil {
			return err
		}
		all = append(all, data...)
		for len(all)%4 != 0 { // the kernel wants each archive at a multiple of four
			all = append(all, 0)
		}
	}
	return os.WriteFile(to, all, 0o600)
}

func freePort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "0"
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

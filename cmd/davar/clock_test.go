package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"davar/device/doctor"
)

// kills is how often the clock is killed. go test ./cmd/davar -run Killed -kills 1000 -timeout 2h
var kills = flag.Int("kills", 8, "how often davar clock is killed at a random moment")

// clockProgram is a running davar clock, a process of its own, whose keys a test presses.
type clockProgram struct {
	cmd  *exec.Cmd
	keys io.WriteCloser
	page string
}

func startClock(ctx context.Context, folder string, args ...string) (*clockProgram, error) {
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{"clock", "--web", "127.0.0.1:0", "--mqtt", "none",
		"--journal", filepath.Join(folder, "clock.db")}, args...)...)
	cmd.Env = append(os.Environ(), "DAVAR_TEST_PROGRAM=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &clockProgram{cmd: cmd}
	if p.keys, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	says := bufio.NewReader(out)
	line, err := says.ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		return nil, fmt.Errorf("davar clock did not start: %w: %s", err, complaints.String())
	}
	p.page = regexp.MustCompile(`http://\S+`).FindString(line)
	go func() { _, _ = io.Copy(io.Discard, says) }() // ends with the program
	return p, nil
}

// kill ends the program at once, as a power cut does.
func (p *clockProgram) kill() error {
	err := p.cmd.Process.Kill()
	_ = p.cmd.Wait() // says that it was killed
	return err
}

// look is what the page shows, and when.
type look struct {
	at        time.Time
	turn      string
	running   string
	paused    string
	remaining [2]time.Duration
	faults    []string
}

func (p *clockProgram) look() (look, error) {
	answer, err := http.Get(p.page + "/state.json?at=table")
	if err != nil {
		return look{}, err
	}
	defer answer.Body.Close()
	var m struct {
		Age   int64 `json:"age_ms"`
		State struct {
			Turn   string
			Faults []string
			Clock  struct {
				Remaining [2]int64 `json:"remaining_ms"`
				Running   string
				Paused    string
			}
		}
	}
	if answer.StatusCode != http.StatusOK {
		return look{at: time.Now()}, nil // nothing is shown yet
	}
	if err := json.NewDecoder(answer.Body).Decode(&m); err != nil {
		return look{}, err
	}
	l := look{at: time.Now().Add(-time.Duration(m.Age) * time.Millisecond), faults: m.State.Faults, turn: m.State.Turn,
		running: m.State.Clock.Running, paused: m.State.Clock.Paused}
	for side, ms := range m.State.Clock.Remaining {
		l.remaining[side] = time.Duration(ms) * time.Millisecond
	}
	return l, nil
}

// until looks until what is shown is right.
func (p *clockProgram) until(right func(look) bool) (look, error) {
	for over := time.Now().Add(30 * time.Second); time.Now().Before(over); {
		l, err := p.look()
		if err != nil || right(l) {
			return l, err
		}
		<-time.After(2 * time.Millisecond)
	}
	return look{}, errors.New("the page never showed it")
}

var sideNames = []string{"light", "dark"}

// victim is one clock that is killed again and again.
type victim struct {
	folder string
	rand   *rand.Rand
	known  bool
	was    look      // the last thing shown before the kill: nothing else was pressed since, except
	inAir  string    // side that was pressed just before the kill; the press may have been taken or not
	killed time.Time // when
	worst  time.Duration
}

// live starts the clock, checks what came back, lets it be pressed and kills it at a random moment.
func (v *victim) live(ctx context.Context) error {
	p, err := startClock(ctx, v.folder, "--preset", "no-delay", "--length", "99")
	if err != nil {
		return err
	}
	defer func() { _ = p.kill() }()
	l, err := p.until(func(l look) bool { return l.paused != "" })
	if err != nil {
		return err
	}
	key := byte('l') // the opening roll
	if v.known {
		if err := v.check(l); err != nil {
			return err
		}
		key = ' '
	}
	l, err = v.pressed(p, key, func(l look) bool { return l.running != "" })
	for n := v.rand.IntN(3); n > 0 && err == nil; n-- {
		v.pause(400 * time.Millisecond)
		side := slices.Index(sideNames, l.running)
		l, err = v.pressed(p, "al"[side], func(l look) bool { return l.running == sideNames[1-side] })
	}
	if err != nil {
		return err
	}
	v.pause(1500 * time.Millisecond)
	v.was, v.inAir, v.known = l, "", true
	if v.rand.IntN(4) == 0 {
		v.inAir = l.running
		if _, err := p.keys.Write([]byte{"al"[slices.Index(sideNames, l.running)]}); err != nil {
			return err
		}
		v.pause(20 * time.Millisecond)
	}
	v.killed = time.Now()
	return p.kill()
}

func (v *victim) pause(most time.Duration) {
	<-time.After(time.Duration(v.rand.Int64N(int64(most))))
}

func (v *victim) pressed(p *clockProgram, key byte, right func(look) bool) (look, error) {
	if _, err := p.keys.Write([]byte{key}); err != nil {
		return look{}, err
	}
	return p.until(right)
}

// check compares what came back with what had been: nobody runs, the same side is on move, and no more than a second
// of anybody's time is lost or gained.
func (v *victim) check(l look) error {
	if l.running != "" || l.paused != "restart" {
		return fmt.Errorf("it came back running %q, paused %q", l.running, l.paused)
	}
	other := map[string]string{"light": "dark", "dark": "light"}
	if l.turn != v.was.running && (v.inAir == "" || l.turn != other[v.was.running]) {
		return fmt.Errorf("%s was on move, now it is %s", v.was.running, l.turn)
	}
	side := slices.Index(sideNames, v.was.running)
	want := v.was.remaining
	want[side] -= v.killed.Sub(v.was.at)
	for s := range want {
		off := (l.remaining[s] - want[s]).Abs()
		v.worst = max(v.worst, off)
		if off > time.Second {
			return fmt.Errorf("%s had %v at the kill and has %v now", sideNames[s], want[s], l.remaining[s])
		}
	}
	return nil
}

func TestKilledAtAnyMomentTheClockLosesAtMostASecondAndNeverRunsTheWrongSide(t *testing.T) {
	const tables = 4
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(*kills)*10*time.Second+time.Minute)
	defer cancel()
	worst := make([]time.Duration, tables)
	var all sync.WaitGroup
	for i := range tables {
		v := &victim{folder: t.TempDir(), rand: rand.New(rand.NewPCG(uint64(i), 6))}
		all.Go(func() {
			for n := range *kills/tables + 1 { // the last life only looks back
				if err := v.live(ctx); err != nil {
					t.Errorf("table %d, life %d: %v", i+1, n+1, err)
					return
				}
			}
			worst[i] = v.worst
		})
	}
	all.Wait()
	t.Logf("%d kills; at most %v of a side's time was lost or gained", *kills/tables*tables, slices.Max(worst))
}

func TestTheClockAloneStartsWithoutCameraAndIsPressedByKeys(t *testing.T) {
	begun := time.Now()
	p, err := startClock(t.Context(), t.TempDir(), "--score", "3-2")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("started in %v", time.Since(begun))
	defer func() { _ = p.kill() }()
	if l, err := p.until(func(l look) bool { return l.paused == "opening" }); err != nil || l.remaining != [2]time.Duration{9 * time.Minute, 9 * time.Minute} {
		t.Fatalf("introduced at 3-2 (CLOCK-6): %+v, %v", l, err)
	}
	for _, c := range []struct{ keys, running string }{{"l", "light"}, {"a", "dark"}, {"a", "dark"}, {"L", "light"}, {" ", ""}, {" ", "light"}} {
		if _, err := p.keys.Write([]byte(c.keys)); err != nil {
			t.Fatal(err)
		}
		if _, err := p.until(func(l look) bool { return l.running == c.running }); err != nil {
			t.Fatalf("after %q: %v", c.keys, err)
		}
	}
	if _, err := p.keys.Write([]byte("xyz\n")); err != nil {
		t.Fatal(err)
	}
	p.keys.Close() // a service has no keyboard
	if l, err := p.look(); err != nil || l.running != "light" {
		t.Errorf("without a keyboard: %+v, %v", l, err)
	}
}

func TestTheClockRunsWithoutItsLinesAndDisplaysAndTellsSo(t *testing.T) {
	chips, _ := filepath.Glob("/dev/gpiochip*")
	for _, c := range []struct {
		name, settings string
		faults         []string // told to the page
		check, says    string   // told by the doctor
		lines          bool     // this machine must have no lines of its own
	}{
		{"buttons and lamps", "buttons: {enabled: true, leds: {light: GPIO23}}", []string{"buttons", "lamps"}, "buttons", "no GPIO lines", true},
		{"displays", "displays: {bus: 250, light: 0x70, dark: 0x71}", []string{"display_bus"}, "displays", "dtparam=i2c_arm=on", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.lines && len(chips) > 0 {
				t.Skip("SKIPPED: this machine has lines of its own")
			}
			status := freePort(t)
			p, err := startClock(t.Context(), t.TempDir(), "--config", write(t, "davar.yaml", c.settings+"\nmetrics: {listen: "+status+"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = p.kill() }()
			for _, c := range []struct{ key, running string }{{"l", "light"}, {"a", "dark"}} {
				if _, err := p.keys.Write([]byte(c.key)); err != nil {
					t.Fatal(err)
				}
				if _, err := p.until(func(l look) bool { return l.running == c.running }); err != nil {
					t.Fatalf("after %q: %v", c.key, err)
				}
			}
			l, err := p.until(func(l look) bool { return len(l.faults) == len(c.faults) })
			if err != nil || !slices.Equal(l.faults, c.faults) {
				t.Errorf("the page tells of %v, %v", l.faults, err)
			}
			report, running := askRunning(t.Context(), status)
			told := slices.ContainsFunc(report.Findings, func(f doctor.Finding) bool {
				return f.Check == c.check && f.State == doctor.Fault && strings.Contains(f.Params["error"], c.says)
			})
			if !running || !told {
				t.Errorf("the doctor says %+v", report)
			}
		})
	}
}

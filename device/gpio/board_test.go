package gpio

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "periph.io/x/host/v3/sysfs" // as in the program, where the displays bring it along: it must not be in the way
)

var presses = flag.Int("presses", 1000, "how often the virtual machine's two buttons are pressed")

// simulatedChip is the folder of a kernel's gpio-sim chip, which has another name each time the chip comes back,
// or the test is skipped: testvm.sh provides one.
func simulatedChip(t testing.TB) string {
	if os.Getenv("GPIOSIM_LIVE") == "" {
		t.Skip("no gpio-sim chip here: device/gpio/testvm.sh runs this test in a virtual machine that has one")
	}
	dirs, err := filepath.Glob("/sys/devices/platform/gpio-sim.*/gpiochip*")
	if err != nil || len(dirs) != 1 {
		t.Fatalf("gpio-sim chips %v, %v; want one", dirs, err)
	}
	return dirs[0]
}

// simLine is one line of the kernel's simulated chip, seen from the outside.
type simLine struct {
	t    testing.TB
	path string
}

// hand returns what moves the line up and down; the file stays open, for a bouncing contact is quick.
func (l simLine) hand() func(word string) {
	f, err := os.OpenFile(filepath.Join(l.path, "pull"), os.O_WRONLY, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { f.Close() })
	return func(word string) {
		if _, err := f.WriteAt([]byte(word), 0); err != nil {
			l.t.Error(err)
		}
	}
}

func (l simLine) high() bool {
	b, err := os.ReadFile(filepath.Join(l.path, "value"))
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.TrimSpace(string(b)) == "1"
}

// boardRig is a Board on the simulated chip: light and pause low when pressed, dark high, the buzzer low when it
// sounds, so that both polarities are proved.
func boardRig(t testing.TB) (rig, *Board) {
	dir := simulatedChip(t)
	line := func(pin string) simLine {
		return simLine{t, filepath.Join(dir, "sim_gpio"+strings.TrimPrefix(pin, "GPIO"))}
	}
	w := Wiring{
		Light:     Input{Pin: "GPIO17", ActiveLow: true, Pull: "up"},
		Dark:      Input{Pin: "GPIO27", Pull: "down"},
		Pause:     Input{Pin: "GPIO22", ActiveLow: true, Pull: "up"},
		LightLamp: Output{Pin: "GPIO23"}, DarkLamp: Output{Pin: "GPIO24"}, Buzzer: Output{Pin: "GPIO25", ActiveLow: true},
	}
	var hands [buttons]func(string)
	set := func(b Button, down bool) {
		word := "pull-up"
		if down == w.inputs()[b].ActiveLow {
			word = "pull-down"
		}
		hands[b](word)
	}
	release := func() {
		for b, in := range w.inputs() {
			hands[b] = line(in.Pin).hand()
			set(Button(b), false)
		}
	}
	release()
	board, err := Open(w)
	if err != nil {
		t.Fatal(err)
	}
	r := rig{
		Buttons: board, Panel: board,
		down: func(b Button) { set(b, true) },
		up:   func(b Button) { set(b, false) },
		shown: func() Indication {
			return Indication{Light: line("GPIO23").high(), Dark: line("GPIO24").high(), Buzzer: !line("GPIO25").high()}
		},
		vanish: func(gone bool) {
			live := "1"
			if gone {
				live = "0"
			}
			if err := os.WriteFile(os.Getenv("GPIOSIM_LIVE"), []byte(live), 0); err != nil {
				t.Fatal(err)
			}
			if !gone {
				dir = simulatedChip(t)
				release()
			}
		},
		close: func() {
			if err := board.Close(); err != nil {
				t.Error(err)
			}
		},
	}
	return r, board
}

func TestRealButtonsConform(t *testing.T) {
	simulatedChip(t)
	real := func(t *testing.T, test func(*testing.T)) { test(t) }
	conformance(t, real, func(t *testing.T) rig {
		r, _ := boardRig(t)
		return r
	})
}

func TestALineThatIsTakenOrUnknownIsNamed(t *testing.T) {
	r, _ := boardRig(t)
	defer r.close()
	if _, err := Open(Wiring{Light: Input{Pin: "GPIO17", Pull: "up"}}); err == nil || !strings.Contains(err.Error(), "GPIO17") {
		t.Errorf("a line in use: %v", err)
	}
	if _, err := Open(Wiring{Light: Input{Pin: "GPIO99", Pull: "up"}}); err == nil || !strings.Contains(err.Error(), "GPIO99") {
		t.Errorf("an unknown line: %v", err)
	}
}

// tapped tells of each edge that passes.
type tapped struct {
	lines
	edges chan edge
}

func (l tapped) wait(timeout time.Duration) (edge, bool, error) {
	e, ok, err := l.lines.wait(timeout)
	if ok {
		l.edges <- e
	}
	return e, ok, err
}

// TestEveryPressIsRecordedOnceInOrder presses two buttons in turn, 5 ms from edge to edge, against a driver that
// takes every edge at its word. The hand waits until an edge was read before it makes the next: a virtual machine
// may stand still so long that its kernel takes two opposite edges for none.
func TestEveryPressIsRecordedOnceInOrder(t *testing.T) {
	r, board := boardRig(t)
	defer r.close()
	tap := tapped{board.wires, make(chan edge, 1)}
	buttons, err := newReader(tap, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Buttons = buttons
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute+time.Duration(*presses)*50*time.Millisecond)
	var pressed []time.Time
	done := make(chan struct{})
	go func() {
		defer close(done)
		pressed = r.alternate(ctx, *presses/2, tap.edges)
	}()
	defer func() { cancel(); <-done }()
	byLevel := 0
	var stamped, heard []time.Time
	for i := range *presses / 2 * 2 {
		e, err := r.Next(ctx)
		if err != nil {
			t.Fatalf("press %d of %d never came", i+1, *presses)
		}
		if e.Kind != Press || e.Button != Button(i%2) {
			t.Fatalf("press %d: got %+v", i+1, e)
		}
		if e.Late {
			byLevel++
		}
		stamped, heard = append(stamped, e.At), append(heard, time.Now())
	}
	r.quiet(t, 2*poll)
	<-done
	t.Logf("%d presses, each once and in order (%d by their level, their edge being late by more than %v)", len(heard), byLevel, Confirm)
	t.Log("from the contact to the time of the press: " + spread(pressed, stamped))
	t.Log("from the contact to the event: " + spread(pressed, heard))
}

// spread describes how long after each of from its counterpart of to came.
func spread(from, to []time.Time) string {
	d := make([]time.Duration, len(to))
	for i := range d {
		d[i] = to[i].Sub(from[i])
	}
	slices.Sort(d)
	share := func(p float64) time.Duration { return d[int(p*float64(len(d)-1))].Round(time.Microsecond) }
	return fmt.Sprintf("median %v, 95 %% %v, 99 %% %v, longest %v", share(.5), share(.95), share(.99), share(1))
}

// alternate presses and releases both buttons n times in turn, each when the edge before was read and 5 ms have
// passed, and returns the moments of the presses.
func (r rig) alternate(ctx context.Context, n int, edges <-chan edge) (pressed []time.Time) {
	acts := []func(){
		func() { pressed = append(pressed, time.Now()); r.down(LightButton) },
		func() { pressed = append(pressed, time.Now()); r.down(DarkButton) },
		func() { r.up(LightButton) },
		func() { r.up(DarkButton) },
	}
	for range n {
		for _, act := range acts {
			start := time.Now()
			act()
			select {
			case <-edges:
			case <-ctx.Done():
				return pressed
			}
			hold(5*time.Millisecond - time.Since(start))
		}
	}
	return pressed
}

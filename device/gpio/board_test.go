package gpio

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"davar/clock"
	"davar/device/gpio/gpiosim"

	_ "periph.io/x/host/v3/sysfs" // as in the program, where the displays bring it along: it must not be in the way
)

// wiring is one in which light and pause are low when pressed, dark high, and the buzzer low when it sounds, so that
// both polarities are proved.
var wiring = Wiring{
	Light:     Input{Pin: "GPIO17", ActiveLow: true, Pull: "up"},
	Dark:      Input{Pin: "GPIO27", Pull: "down"},
	Pause:     Input{Pin: "GPIO22", ActiveLow: true, Pull: "up"},
	LightLamp: Output{Pin: "GPIO23"}, DarkLamp: Output{Pin: "GPIO24"}, Buzzer: Output{Pin: "GPIO25", ActiveLow: true},
}

// boardRig is a Board on the kernel's simulated chip.
func boardRig(t testing.TB) (rig, *Board) {
	chip := gpiosim.New(t)
	var hands [buttons]func(high bool)
	set := func(b Button, down bool) { hands[b](down != wiring.inputs()[b].ActiveLow) }
	release := func() {
		for b, in := range wiring.inputs() {
			hands[b] = chip.Hand(in.Pin)
			set(Button(b), false)
		}
	}
	release()
	board, err := Open(wiring)
	if err != nil {
		t.Fatal(err)
	}
	r := rig{
		Buttons: board, Panel: board,
		down: func(b Button) { set(b, true) },
		up:   func(b Button) { set(b, false) },
		shown: func() Indication {
			return Indication{Light: chip.High("GPIO23"), Dark: chip.High("GPIO24"), Buzzer: !chip.High("GPIO25")}
		},
		vanish: func(gone bool) {
			chip.Vanish(gone)
			if !gone {
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
	gpiosim.New(t)
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

// presses is how often the virtual machine's two buttons are pressed.
func presses(t testing.TB) int {
	text := os.Getenv("DAVAR_PRESSES")
	if text == "" {
		return 1000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 {
		t.Fatalf("DAVAR_PRESSES is %q, want a number", text)
	}
	return n / 2 * 2
}

// TestEveryPressSwitchesTheClockOnceInOrder presses two buttons in turn, 5 ms from edge to edge, against a driver that
// takes every edge at its word, and lets each switch a clock and its lamps. The hand waits until an edge was read before
// it makes the next: a virtual machine may stand still so long that its kernel takes two opposite edges for none.
func TestEveryPressSwitchesTheClockOnceInOrder(t *testing.T) {
	r, board := boardRig(t)
	defer r.close()
	tap := tapped{board.wires, make(chan edge, 1)}
	buttons, err := newReader(tap, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Buttons = buttons
	n, begin := presses(t), time.Now()
	c, err := clock.New(clock.Control{System: clock.Simple, Delay: 12 * time.Second}, [2]time.Duration{time.Hour, time.Hour}, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute+time.Duration(n)*50*time.Millisecond)
	var pressed []time.Time
	done := make(chan struct{})
	go func() {
		defer close(done)
		pressed = r.alternate(ctx, n/2, tap.edges)
	}()
	defer func() { cancel(); <-done }()
	byLevel, dark := 0, 0
	var stamped, switched, lit []time.Time
	for i := range n {
		e, err := r.Next(ctx)
		if err != nil {
			t.Fatalf("press %d of %d never came", i+1, n)
		}
		if e.Kind != Press || e.Button != Button(i%2) {
			t.Fatalf("press %d: got %+v", i+1, e)
		}
		if e.Late {
			byLevel++
		}
		if _, err := c.Press(e.At.Sub(begin), clock.Side(e.Button)); err != nil {
			t.Fatalf("press %d: %v", i+1, err)
		}
		stamped, switched = append(stamped, e.At), append(switched, time.Now())
		if err := r.Show(Indicate(c.View(e.At.Sub(begin)))); err != nil {
			t.Fatal(err)
		}
		lit = append(lit, time.Now())
		if shown := r.shown(); shown != (Indication{Light: i%2 == 1, Dark: i%2 == 0}) {
			dark++
		}
	}
	r.quiet(t, 2*poll)
	<-done
	if dark > 0 {
		t.Errorf("the lamps did not follow %d presses of %d", dark, n)
	}
	t.Logf("%d presses, each once and in order, the lamps after each (%d by their level, their edge being late by more than %v)",
		n, byLevel, Confirm)
	t.Log("from the contact to the time of the press: " + spread(pressed, stamped))
	t.Log("from the contact to the clock switched: " + spread(pressed, switched))
	t.Log("from the contact to the lamp lit: " + spread(pressed, lit))
	t.Logf("the clock's turns add up to %v, the contacts to %v", stamped[n-1].Sub(stamped[0]), pressed[n-1].Sub(pressed[0]))
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

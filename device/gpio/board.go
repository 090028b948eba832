package gpio

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	periph "periph.io/x/conn/v3/gpio"
	"periph.io/x/host/v3/gpioioctl"
)

// Board is the real set of buttons and lamps. Use Open, and Close when the last Next has returned. Show may be
// called from any goroutine.
type Board struct {
	*reader
	wires *boardWires
}

// Open takes the lines of the wiring from the kernel. Its errors say what to do: the wiring contradicts itself,
// there are no lines, a name is unknown, a line is in use by another program.
func Open(w Wiring) (*Board, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	wires := &boardWires{wiring: w}
	if err := wires.open(); err != nil {
		return nil, err
	}
	lockOut := w.LockOut
	if lockOut == 0 {
		lockOut = LockOut
	}
	r, err := newReader(wires, lockOut)
	if err != nil {
		return nil, errors.Join(err, wires.close())
	}
	return &Board{reader: r, wires: wires}, nil
}

// Show implements Panel.
func (b *Board) Show(in Indication) error { return b.wires.show(in) }

// Close darkens the lamps and gives the lines back. It must not be called while Next runs.
func (b *Board) Close() error {
	dark := b.wires.show(Indication{})
	return errors.Join(dark, b.wires.close())
}

// boardWires is the lines of a Board: one set of inputs and one of outputs, so that a lamp never waits for a
// button.
type boardWires struct {
	wiring Wiring
	byLine map[int]Button // line number on its chip to button
	in     *gpioioctl.LineSet
	bit    [buttons]int // of each button in the set of inputs; -1 = not wired

	mu   sync.Mutex // guards out
	out  *gpioioctl.LineSet
	outs []func(Indication) bool // level of each output line, in the set's order
}

func (w *boardWires) open() error {
	if err := findChips(); err != nil {
		return err
	}
	var in gpioioctl.LineSetConfig
	in.DefaultDirection, in.DefaultEdge = gpioioctl.LineInput, periph.BothEdges
	var out []string
	var outs []func(Indication) bool
	for b, input := range w.wiring.inputs() {
		w.bit[b] = -1
		if input.Pin == "" {
			continue
		}
		pull, err := pullOf(input.Pull)
		if err != nil {
			return err
		}
		w.bit[b] = len(in.Lines)
		if err := in.AddOverrides(gpioioctl.LineInput, periph.BothEdges, pull, input.Pin); err != nil {
			return fmt.Errorf("gpio: %s button: %w", Button(b), err)
		}
	}
	for i, output := range w.wiring.outputs() {
		if output.Pin == "" {
			continue
		}
		out = append(out, output.Pin)
		outs = append(outs, func(in Indication) bool {
			return [...]bool{in.Light, in.Dark, in.Buzzer}[i] != output.ActiveLow
		})
	}
	chip, err := chipWith(append(append([]string{}, in.Lines...), out...))
	if err != nil {
		return err
	}
	return w.take(chip, &in, out, outs)
}

func (w *boardWires) take(chip *gpioioctl.GPIOChip, in *gpioioctl.LineSetConfig, out []string, outs []func(Indication) bool) error {
	set, err := chip.LineSetFromConfig(in)
	if err != nil {
		return inUse("buttons", in.Lines, err)
	}
	w.byLine = map[int]Button{}
	for b, bit := range w.bit {
		if bit >= 0 {
			w.byLine[set.Lines()[bit].Number()] = Button(b)
		}
	}
	w.in = set
	if len(out) == 0 {
		return nil
	}
	lamps, err := chip.LineSet(gpioioctl.LineOutput, periph.NoEdge, periph.PullNoChange, out...)
	if err != nil {
		return errors.Join(inUse("lamps and buzzer", out, err), set.Close())
	}
	w.mu.Lock()
	w.out, w.outs = lamps, outs
	w.mu.Unlock()
	return w.show(Indication{})
}

func inUse(what string, names []string, err error) error {
	return fmt.Errorf("gpio: take the lines of the %s %v: %w: if they are in use, gpioinfo names the program, or "+
		"config.txt has an overlay on them", what, names, err)
}

func (w *boardWires) wait(timeout time.Duration) (edge, bool, error) {
	number, kind, err := w.in.WaitForEdge(timeout)
	at := time.Now() // before anything else: this is the time of the press
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return edge{}, false, nil
	}
	if err != nil {
		return edge{}, false, fmt.Errorf("gpio: wait for a button: %w", err)
	}
	b, ok := w.byLine[number]
	if !ok || kind == periph.NoEdge {
		return edge{}, false, nil
	}
	low := kind == periph.FallingEdge
	return edge{button: b, down: low == w.wiring.inputs()[b].ActiveLow, at: at}, true, nil
}

func (w *boardWires) down() (down [buttons]bool, err error) {
	levels, err := w.in.Read(0)
	if err != nil {
		return down, fmt.Errorf("gpio: read the buttons: %w", err)
	}
	for b, input := range w.wiring.inputs() {
		if bit := w.bit[b]; bit >= 0 {
			high := levels&(1<<bit) != 0
			down[b] = high != input.ActiveLow
		}
	}
	return down, nil
}

func (w *boardWires) show(in Indication) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.out == nil {
		return nil
	}
	var bits periph.GPIOValue
	for i, level := range w.outs {
		if level(in) {
			bits |= 1 << i
		}
	}
	if err := w.out.Out(bits, 0); err != nil {
		return fmt.Errorf("gpio: lamps: %w", err)
	}
	return nil
}

func (w *boardWires) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	if w.in != nil {
		errs = append(errs, w.in.Close())
	}
	if w.out != nil {
		errs = append(errs, w.out.Close())
	}
	w.in, w.out = nil, nil
	return errors.Join(errs...)
}

// reopen gives up the dead lines and looks for the chip anew.
func (w *boardWires) reopen() error {
	_ = w.close() // the lines of a vanished chip cannot be given back properly
	return w.open()
}

func (w *boardWires) now() time.Time { return time.Now() }

var (
	_ Buttons = (*Board)(nil)
	_ Panel   = (*Board)(nil)
	_ lines   = (*boardWires)(nil)
)

package gpio

import (
	"errors"
	"fmt"
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
	r, err := newReader(wires, w.lockOut())
	if err != nil {
		return nil, errors.Join(err, wires.close())
	}
	return &Board{reader: r, wires: wires}, nil
}

// OpenPatiently is Open for a table that plays all the same: lines that cannot be taken now are told by Next (Lost), with
// what Open says of them, and tried again until they come (Back). Its error is that of a wiring that contradicts itself.
func OpenPatiently(w Wiring) (*Board, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	wires := &boardWires{wiring: w}
	err := wires.open()
	if err != nil {
		return &Board{reader: newLostReader(wires, w.lockOut(), err), wires: wires}, nil
	}
	r, err := newReader(wires, w.lockOut())
	if err != nil {
		r = newLostReader(wires, w.lockOut(), err)
	}
	return &Board{reader: r, wires: wires}, nil
}

// Show implements Panel.
func (b *Board) Show(in Indication) error { return b.wires.show(in) }

// Close darkens the lamps and gives the lines back. It must not be called while Next runs.
func (b *Board) Close() error {
	if b.wires.in == nil { // they could not be taken
		return b.wires.close()
	}
	dark := b.wires.show(Indication{})
	return errors.Join(dark, b.wires.close())
}

// boardWires is the lines of a Board: one set of inputs and one of outputs, so that a lamp never waits for a
// button.
type boardWires struct {
	wiring Wiring
	wired  []Button // those that have a line, in the order of in
	in     *inputSet

	mu   sync.Mutex // guards what follows
	out  *gpioioctl.LineSet
	outs []func(Indication) bool // level of each output line, in the set's order
}

func (w *boardWires) open() error {
	var ins, outs []string
	var levels []func(Indication) bool
	w.wired = nil
	for b, in := range w.wiring.inputs() {
		if in.Pin != "" {
			w.wired = append(w.wired, Button(b))
			ins = append(ins, in.Pin)
		}
	}
	for i, out := range w.wiring.outputs() {
		if out.Pin != "" {
			outs = append(outs, out.Pin)
			levels = append(levels, func(in Indication) bool {
				return [...]bool{in.Light, in.Dark, in.Buzzer}[i] != out.ActiveLow
			})
		}
	}
	w.mu.Lock()
	w.outs = levels
	w.mu.Unlock()
	if err := findChips(); err != nil {
		return err
	}
	chip, err := chipWith(append(append([]string{}, ins...), outs...))
	if err != nil {
		return err
	}
	if err := w.takeButtons(chip, ins); err != nil {
		return inUse("buttons", ins, err)
	}
	if err := w.takeLamps(chip, outs); err != nil {
		return errors.Join(inUse("lamps and buzzer", outs, err), w.close())
	}
	return nil
}

func (w *boardWires) takeButtons(chip *gpioioctl.GPIOChip, names []string) (err error) {
	lines := make([]input, len(names))
	for i, name := range names {
		in := w.wiring.inputs()[w.wired[i]]
		lines[i] = input{number: uint32(chip.ByName(name).Number()), activeLow: in.ActiveLow, pull: in.Pull}
	}
	w.in, err = takeInputs(chip.Path(), lines)
	return err
}

func (w *boardWires) takeLamps(chip *gpioioctl.GPIOChip, names []string) error {
	if len(names) == 0 {
		return nil
	}
	lamps, err := chip.LineSet(gpioioctl.LineOutput, periph.NoEdge, periph.PullNoChange, names...)
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.out = lamps
	w.mu.Unlock()
	return w.show(Indication{})
}

func inUse(what string, names []string, err error) error {
	return fmt.Errorf("gpio: take the lines of the %s %v: %w: if they are in use, gpioinfo names the program, or "+
		"config.txt has an overlay on them", what, names, err)
}

func (w *boardWires) wait(timeout time.Duration) (edge, bool, error) {
	i, down, at, ok, err := w.in.wait(timeout)
	if err != nil {
		return edge{}, false, fmt.Errorf("gpio: wait for a button: %w", err)
	}
	if !ok {
		return edge{}, false, nil
	}
	return edge{button: w.wired[i], down: down, at: at}, true, nil
}

func (w *boardWires) down() (down [buttons]bool, err error) {
	bits, err := w.in.values()
	if err != nil {
		return down, fmt.Errorf("gpio: read the buttons: %w", err)
	}
	for i, b := range w.wired {
		down[b] = bits&(1<<i) != 0
	}
	return down, nil
}

func (w *boardWires) show(in Indication) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.outs) == 0 {
		return nil
	}
	if w.out == nil {
		return errors.New("gpio: lamps: their lines are not there")
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
		errs = append(errs, w.in.close())
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

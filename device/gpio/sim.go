package gpio

import (
	"errors"
	"sync"
	"time"
)

// Sim is a simulated set of buttons and lamps: code presses the buttons, for a page, a filmed game's inputs or a
// test. It is a Buttons and a Panel and may be used by several goroutines, Next by one at a time.
type Sim struct {
	*reader
	wires simWires
}

// NewSim returns a simulated set with all buttons released and all lamps dark.
func NewSim() *Sim {
	s := &Sim{}
	s.wires.changed = make(chan struct{}, 1)
	s.reader, _ = newReader(&s.wires, LockOut) // reading the levels of whole wires cannot fail
	return s
}

// Down closes the contact of b at moment at; Up opens it. Like a real contact they may bounce: the Debouncer
// decides what a press is.
func (s *Sim) Down(b Button, at time.Time) { s.wires.set(b, true, at) }

// Up opens the contact of b at moment at.
func (s *Sim) Up(b Button, at time.Time) { s.wires.set(b, false, at) }

// Tap presses b at moment at and releases it at once, as a click on a page does. Taps of one button within two
// lock-outs are one press.
func (s *Sim) Tap(b Button, at time.Time) {
	s.Down(b, at)
	s.Up(b, at)
}

// Break makes every read of the wires fail, as when the hardware vanishes, until it is called with false.
func (s *Sim) Break(broken bool) { s.wires.breakAll(broken) }

// Show implements Panel.
func (s *Sim) Show(in Indication) error {
	s.wires.mu.Lock()
	defer s.wires.mu.Unlock()
	if s.wires.broken {
		return errBroken
	}
	s.wires.shown = in
	return nil
}

// Shown returns what lamps and buzzer do now.
func (s *Sim) Shown() Indication {
	s.wires.mu.Lock()
	defer s.wires.mu.Unlock()
	return s.wires.shown
}

var errBroken = errors.New("gpio: simulated wires: broken")

// simWires is the lines of a Sim.
type simWires struct {
	mu      sync.Mutex
	changed chan struct{} // holds one token when there is something new to look at
	edges   []edge
	level   [buttons]bool
	broken  bool
	shown   Indication
}

func (w *simWires) set(b Button, down bool, at time.Time) {
	if int(b) >= buttons {
		return
	}
	w.mu.Lock()
	if w.level[b] != down && !w.broken {
		w.edges = append(w.edges, edge{button: b, down: down, at: at})
	}
	w.level[b] = down
	w.mu.Unlock()
	w.wake()
}

func (w *simWires) breakAll(broken bool) {
	w.mu.Lock()
	w.broken, w.edges = broken, nil
	w.mu.Unlock()
	w.wake()
}

func (w *simWires) wake() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

func (w *simWires) take() (e edge, ok bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken {
		return edge{}, false, errBroken
	}
	if len(w.edges) == 0 {
		return edge{}, false, nil
	}
	e = w.edges[0]
	w.edges = w.edges[1:]
	return e, true, nil
}

func (w *simWires) wait(timeout time.Duration) (edge, bool, error) {
	over := time.NewTimer(timeout)
	defer over.Stop()
	for {
		if e, ok, err := w.take(); ok || err != nil {
			return e, ok, err
		}
		select {
		case <-w.changed:
		case <-over.C:
			return w.take()
		}
	}
}

func (w *simWires) down() ([buttons]bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken {
		return [buttons]bool{}, errBroken
	}
	return w.level, nil
}

func (w *simWires) reopen() error {
	_, err := w.down()
	return err
}

func (w *simWires) now() time.Time { return time.Now() }

var (
	_ Buttons = (*Sim)(nil)
	_ Panel   = (*Sim)(nil)
	_ lines   = (*simWires)(nil)
)

package gpio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"davar/device/gpio/gpiosim"
)

// late are lines that can be taken at the attempt numbered from only.
type late struct {
	simWires
	from     int
	attempts []time.Time
}

func (l *late) reopen() error {
	l.attempts = append(l.attempts, time.Now())
	if len(l.attempts) < l.from {
		return errors.New("not yet")
	}
	return nil
}

func TestLinesThatCannotBeTakenAreTriedAgainAtLongerAndLongerIntervals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, wires := time.Now(), &late{from: 7}
		r := newLostReader(wires, LockOut, errors.New("no chip"))
		for _, want := range []Kind{Lost, Back} {
			if e, err := r.Next(t.Context()); err != nil || e.Kind != want {
				t.Fatalf("got %+v, %v; want %s", e, err, want)
			}
		}
		var after []time.Duration
		for _, at := range wires.attempts {
			after = append(after, at.Sub(begun))
		}
		const s = time.Second
		if want := []time.Duration{0, 1 * s, 3 * s, 7 * s, 15 * s, 30 * s, 45 * s}; !slices.Equal(after, want) {
			t.Errorf("tried after %v, want %v", after, want)
		}
	})
}

func TestATableWithoutLinesOpensAndSaysWhatToDo(t *testing.T) {
	if chips, _ := filepath.Glob("/dev/gpiochip*"); len(chips) > 0 {
		t.Skip("SKIPPED: this machine has lines of its own")
	}
	const want = "buttons.enabled"
	if _, err := Open(wiring); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Open says %v", err)
	}
	board, err := OpenPatiently(wiring)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := board.Next(t.Context()); err != nil || e.Kind != Lost || !strings.Contains(e.Err.Error(), want) {
		t.Errorf("got %+v, %v", e, err)
	}
	if board.Show(Indication{Light: true}) == nil {
		t.Error("lamps that are not there must say so")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := board.Next(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that ended: %v", err)
	}
	if err := board.Close(); err != nil {
		t.Error(err)
	}
	if _, err := OpenPatiently(Wiring{Light: wiring.Light, Dark: wiring.Light}); err == nil {
		t.Error("one line for both buttons is no fault of the moment")
	}
}

func TestRealLinesThatAreNotThereYetAreTakenWhenTheyCome(t *testing.T) {
	chip := gpiosim.New(t)
	for _, c := range []struct {
		name     string
		inTheWay func() (free func())
	}{
		{"the chip comes later", func() func() {
			chip.Vanish(true)
			return func() { chip.Vanish(false) }
		}},
		{"another program has the lines", func() func() {
			other, err := Open(wiring)
			if err != nil {
				t.Fatal(err)
			}
			return func() {
				if err := other.Close(); err != nil {
					t.Error(err)
				}
			}
		}},
		{"nobody may open the chip", func() func() {
			chips, _ := filepath.Glob("/dev/gpiochip*")
			hidden := func(path string) string { return filepath.Join(filepath.Dir(path), "hidden-"+filepath.Base(path)) } // by no name a driver looks for
			for _, path := range chips {
				if err := os.Rename(path, hidden(path)); err != nil {
					t.Fatal(err)
				}
			}
			return func() {
				for _, path := range chips {
					if err := os.Rename(hidden(path), path); err != nil {
						t.Error(err)
					}
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			free := c.inTheWay()
			board, err := OpenPatiently(wiring)
			if err != nil {
				t.Fatal(err)
			}
			defer board.Close()
			r := rig{Buttons: board}
			if e := r.next(t); e.Kind != Lost || e.Err == nil {
				t.Fatalf("got %+v, want the loss", e)
			}
			if board.Show(Indication{Light: true}) == nil {
				t.Error("lamps that are not there must say so")
			}
			r.quiet(t, poll)
			free()
			if e := r.next(t); e.Kind != Back {
				t.Fatalf("got %+v, want that they are there", e)
			}
			hand := chip.Hand(wiring.Light.Pin)
			hand(false)
			if e := r.next(t); e.Kind != Press || e.Button != LightButton {
				t.Errorf("got %+v, want a press", e)
			}
			hand(true)
			if err := board.Show(Indication{Light: true}); err != nil || !chip.High(wiring.LightLamp.Pin) {
				t.Errorf("the lamp stays dark: %v", err)
			}
		})
	}
}

package display

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"davar/clock"
)

// plugged is a bus with a node of its own that comes and goes.
type plugged struct {
	t       *testing.T
	node    string
	buses   []*looseBus // each that was opened
	refused error
}

func newPlugged(t *testing.T) (*plugged, *PatientBus) {
	p := &plugged{t: t, node: filepath.Join(t.TempDir(), "i2c-1")}
	return p, &PatientBus{node: p.node, open: p.open}
}

func (p *plugged) open() (i2c.BusCloser, error) {
	if _, err := os.Stat(p.node); err != nil {
		return nil, closedBus{err}
	}
	if p.refused != nil {
		return nil, closedBus{p.refused}
	}
	p.buses = append(p.buses, &looseBus{})
	return p.buses[len(p.buses)-1], nil
}

// plug makes the node anew, as the kernel does when an adapter is plugged in.
func (p *plugged) plug() {
	p.t.Helper()
	if err := os.WriteFile(p.node+".new", nil, 0o600); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Rename(p.node+".new", p.node); err != nil {
		p.t.Fatal(err)
	}
}

func (p *plugged) pull() {
	p.t.Helper()
	if err := os.Remove(p.node); err != nil {
		p.t.Fatal(err)
	}
}

func TestABusThatIsNotThereIsOpenedOnceItIs(t *testing.T) {
	p, bus := newPlugged(t)
	d, err := NewHT16K33(bus, FirstAddress, 0)
	if err != nil {
		t.Fatal(err)
	}
	shows := func(when string, reached bool) {
		t.Helper()
		err := d.Show(Face{Digits: write("1400"), Blink: Blink(len(p.buses) % 2)})
		if reached != (err == nil) || !reached && (!errors.Is(err, ErrBus) || strings.Contains(err.Error(), "does not answer")) {
			t.Errorf("%s: %v", when, err)
		}
	}
	shows("without a bus", false)
	p.plug()
	p.refused = os.ErrPermission
	shows("with one that nobody may open", false)
	p.refused = nil
	shows("with a bus", true)
	if err := bus.SetSpeed(physic.KiloHertz); err != nil {
		t.Error(err)
	}
	if len(p.buses) != 1 {
		t.Fatalf("opened %d times, want once", len(p.buses))
	}

	p.buses[0].pulled = true
	if err := d.Show(Face{}); err == nil || errors.Is(err, ErrBus) || len(p.buses) != 1 || p.buses[0].closed {
		t.Errorf("a display that does not answer closes the bus: %v", err)
	}
	p.pull()
	if err := d.Show(Face{}); err == nil || !p.buses[0].closed {
		t.Errorf("a bus that has gone is kept open: %v", err)
	}
	shows("after it has gone", false)
	p.plug()
	shows("when another has come", true)
	p.buses[1].pulled = true
	p.plug()
	if err := d.Show(Face{}); err == nil || !p.buses[1].closed {
		t.Errorf("a bus whose node is another's is kept open: %v", err)
	}
	shows("after one took another's place", true)
	for range 2 {
		if err := bus.Close(); err != nil || !p.buses[2].closed {
			t.Errorf("close: %v", err)
		}
	}
}

func TestABusThatCannotBeOpenedIsSaidOnceAndHowToSwitchItOn(t *testing.T) {
	const none = 9999
	var screens [3]Screen
	bus := OpenBusPatiently(none)
	for i := range screens {
		d, err := NewHT16K33(bus, FirstAddress+uint16(i), 0)
		if err != nil {
			t.Fatal(err)
		}
		screens[i] = d
	}
	err := (&Table{Light: screens[0], Between: screens[2]}).Show(running(time.Minute, time.Minute, whole), whole)
	if !errors.Is(err, ErrBus) || strings.Count(err.Error(), "dtparam=i2c_arm=on") != 1 {
		t.Errorf("it says %v", err)
	}
	if _, eager := OpenBus(none); !errors.Is(eager, os.ErrNotExist) || eager.Error() != err.Error() {
		t.Errorf("OpenBus says %v", eager)
	}
	if err := (&Table{Light: screens[0], Dark: &glass{}}).Show(clock.View{}, whole); !errors.Is(err, ErrBus) {
		t.Errorf("with a display elsewhere: %v", err)
	}
	if err := bus.Close(); err != nil {
		t.Error(err)
	}
}

package display

import (
	"errors"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/physic"

	"davar/clock"
)

func TestTheChipIsSentTheBytesOfItsDataSheet(t *testing.T) {
	bus := &i2ctest.Playback{DontPanic: true, Ops: []i2ctest.IO{
		{Addr: 0x71, W: []byte{0x21}}, // system set-up: oscillator on
		{Addr: 0x71, W: []byte{0xa0}}, // ROW/INT set: rows
		{Addr: 0x71, W: []byte{0xe7}}, // dimming: 8/16
		// display memory from 0: "1", "4" on commons 0 and 1, the colon on 2, "0", "5." on 3 and 4
		{Addr: 0x71, W: []byte{0x00, 0x06, 0, 0x66, 0, 0x02, 0, 0x3f, 0, 0xed, 0}},
		{Addr: 0x71, W: []byte{0x81}}, // display set-up: on, no blinking
		{Addr: 0x71, W: []byte{0x21}},
		{Addr: 0x71, W: []byte{0xa0}},
		{Addr: 0x71, W: []byte{0xe7}},
		{Addr: 0x71, W: []byte{0x00, 0x00, 0, 0x6f, 0, 0x02, 0, 0x5b, 0, 0x07, 0}},
		{Addr: 0x71, W: []byte{0x85}}, // on, blinking at 1 Hz
		{Addr: 0x71, W: []byte{0x80}}, // display off
		{Addr: 0x71, W: []byte{0x20}}, // standby
	}}
	d, err := NewHT16K33(bus, 0x71, 7)
	if err != nil {
		t.Fatal(err)
	}
	first := Face{Digits: write("1405"), Colon: true}
	first.Digits[3] |= point
	for _, f := range []Face{first, first, {Digits: write(" 927"), Colon: true, Blink: Once}} {
		if err := d.Show(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Off(); err != nil {
		t.Fatal(err)
	}
	if err := bus.Close(); err != nil {
		t.Error(err)
	}
}

func TestADisplayThatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct {
		address    uint16
		brightness int
	}{{0x6f, 0}, {0x78, 0}, {0x70, -1}, {0x70, 16}} {
		if _, err := NewHT16K33(&i2ctest.Record{}, c.address, c.brightness); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	if _, err := OpenBus(9999); err == nil {
		t.Error("a bus that is not there was opened")
	}
}

// looseBus is a bus whose plug can be pulled.
type looseBus struct {
	i2ctest.Record
	pulled bool
	closed bool
}

func (b *looseBus) Tx(address uint16, w, r []byte) error {
	if b.pulled {
		return errors.New("no acknowledge")
	}
	return b.Record.Tx(address, w, r)
}

func (b *looseBus) Close() error { b.closed = true; return nil }

func (b *looseBus) SetSpeed(physic.Frequency) error { return nil }
func (b *looseBus) SCL() gpio.PinIO                 { return gpio.INVALID }

func TestADisplayPluggedInAgainIsSetUpAnew(t *testing.T) {
	bus := &looseBus{}
	d, err := NewHT16K33(bus, 0x70, MaxBrightness)
	if err != nil {
		t.Fatal(err)
	}
	f := Face{Digits: write("1400"), Colon: true}
	if err := d.Show(f); err != nil || len(bus.Ops) != 5 {
		t.Fatalf("%v after %d commands", err, len(bus.Ops))
	}
	bus.pulled = true
	if err := d.Show(Face{}); err == nil {
		t.Fatal("a display without a plug shows nothing")
	}
	bus.pulled, bus.Ops = false, nil
	if err := d.Show(f); err != nil || len(bus.Ops) != 5 || bus.Ops[0].W[0] != 0x21 {
		t.Errorf("%v, sent %v", err, bus.Ops)
	}
}

func BenchmarkShow(b *testing.B) {
	d, err := NewHT16K33(&looseBus{}, 0x70, 0)
	if err != nil {
		b.Fatal(err)
	}
	v := running(14*time.Minute, 14*time.Minute, whole)
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Show(Reserve(v, clock.Light, whole)); err != nil {
			b.Fatal(err)
		}
	}
}

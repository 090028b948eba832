package display

import (
	"errors"
	"fmt"

	"periph.io/x/conn/v3/i2c"
)

// Addresses a HT16K33 can have, by its three solder bridges.
const (
	FirstAddress = 0x70
	LastAddress  = 0x77
)

// MaxBrightness is the brightest of sixteen levels, 0 the darkest (which still shines).
const MaxBrightness = 15

// Commands of the HT16K33 (Holtek's data sheet, rev. 1.10, command summary).
const (
	cmdMemory     = 0x00 // | address: what follows is written from there on
	cmdOscillator = 0x20 // | 1: run
	cmdDisplay    = 0x80 // | blink rate << 1 | 1: on
	cmdRows       = 0xa0 // all row pins drive segments, none is an interrupt
	cmdDim        = 0xe0 // | brightness
)

// The usual four-digit display on the chip: digits are its commons 0, 1, 3 and 4, each two bytes apart in memory;
// common 2 is the colon.
const (
	colonCommon = 2
	colonBit    = 0x02
	commons     = 5
)

var digitCommon = [4]int{0, 1, 3, 4}

// HT16K33 is one display. It is not safe for concurrent use.
type HT16K33 struct {
	dev        i2c.Dev
	brightness byte
	shown      Face
	known      bool // shown is on the glass
}

// NewHT16K33 returns the display with the given address on the bus. Nothing is sent before the first Show. It is
// an error when address or brightness is out of range.
func NewHT16K33(bus i2c.Bus, address uint16, brightness int) (*HT16K33, error) {
	if address < FirstAddress || address > LastAddress {
		return nil, fmt.Errorf("display: address %#x is outside %#x to %#x", address, FirstAddress, LastAddress)
	}
	if brightness < 0 || brightness > MaxBrightness {
		return nil, fmt.Errorf("display: brightness %d is outside 0 to %d", brightness, MaxBrightness)
	}
	return &HT16K33{dev: i2c.Dev{Bus: bus, Addr: address}, brightness: byte(brightness)}, nil
}

// Show implements Screen. A face that is shown already costs nothing. Any other is sent with all settings, so
// that a display whose plug was pulled and put back is right again with the next digit that changes.
func (d *HT16K33) Show(f Face) error {
	if d.known && f == d.shown {
		return nil
	}
	d.known = false
	memory := [1 + 2*commons]byte{cmdMemory}
	for i, segments := range f.Digits {
		memory[1+2*digitCommon[i]] = segments
	}
	if f.Colon {
		memory[1+2*colonCommon] = colonBit
	}
	for _, w := range [][]byte{
		{cmdOscillator | 1},
		{cmdRows},
		{cmdDim | d.brightness},
		memory[:],
		{cmdDisplay | byte(f.Blink)<<1 | 1},
	} {
		if err := d.send(w); err != nil {
			return err
		}
	}
	d.shown, d.known = f, true
	return nil
}

// Off implements Screen: the display goes dark and its oscillator stops.
func (d *HT16K33) Off() error {
	d.known = false
	if err := d.send([]byte{cmdDisplay}); err != nil {
		return err
	}
	return d.send([]byte{cmdOscillator})
}

func (d *HT16K33) send(w []byte) error {
	err := d.dev.Tx(w, nil)
	if errors.Is(err, ErrBus) { // which says what to do; this display is not to blame
		return err
	} else if err != nil {
		return fmt.Errorf("display: address %#x does not answer: %w: check its plug and address (i2cdetect shows who answers)", d.dev.Addr, err)
	}
	return nil
}

var _ Screen = (*HT16K33)(nil)

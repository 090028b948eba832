package display

import (
	"errors"
	"fmt"
	"os"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/host/v3/sysfs"
)

// ErrBus is what errors of a bus that cannot be opened are: no display on it can be reached.
var ErrBus = errors.New("display: the bus cannot be opened")

// closedBus is an ErrBus that says what is wrong with which bus.
type closedBus struct{ error }

// Is makes it an ErrBus.
func (closedBus) Is(target error) bool { return target == ErrBus }

// Unwrap returns what is wrong.
func (b closedBus) Unwrap() error { return b.error }

// OpenBus opens the machine's I²C bus of that number, /dev/i2c-1 on the header of a Raspberry Pi. Its error is ErrBus
// and says how to switch the bus on.
func OpenBus(number int) (i2c.BusCloser, error) {
	node := busNode(number)
	if _, err := os.Stat(node); err != nil {
		return nil, closedBus{fmt.Errorf("display: open I²C bus %d: %w: switch it on with dtparam=i2c_arm=on in config.txt and "+
			"load the module i2c-dev", number, err)}
	}
	bus, err := sysfs.NewI2C(number) // not by the registry, which would start every driver there is
	if err != nil {
		return nil, closedBus{fmt.Errorf("display: open I²C bus %d: %w: the user must be able to write %s (group i2c)", number, err, node)}
	}
	return bus, nil
}

func busNode(number int) string { return fmt.Sprintf("/dev/i2c-%d", number) }

// PatientBus is an I²C bus for a table that plays without its displays: it is opened by what is sent to it, again and
// again until it is there, and anew when it has gone. Make it by OpenBusPatiently. It is not safe for concurrent use.
type PatientBus struct {
	node string
	open func() (i2c.BusCloser, error)
	bus  i2c.BusCloser // nil while it is closed
	file os.FileInfo   // of the node when it was opened
}

// OpenBusPatiently returns the bus of that number, which need not be there yet. Tx says with the error of OpenBus that
// it cannot be opened.
func OpenBusPatiently(number int) *PatientBus {
	return &PatientBus{node: busNode(number), open: func() (i2c.BusCloser, error) { return OpenBus(number) }}
}

// String implements i2c.Bus.
func (b *PatientBus) String() string { return b.node }

// Tx implements i2c.Bus.
func (b *PatientBus) Tx(address uint16, w, r []byte) error {
	if err := b.ready(); err != nil {
		return err
	}
	err := b.bus.Tx(address, w, r)
	if err != nil && b.gone() {
		err = errors.Join(err, b.Close()) // the next opens what has taken its place
	}
	return err
}

// SetSpeed implements i2c.Bus.
func (b *PatientBus) SetSpeed(f physic.Frequency) error {
	if err := b.ready(); err != nil {
		return err
	}
	return b.bus.SetSpeed(f)
}

// Close implements i2c.BusCloser. A bus that is used afterwards is opened anew.
func (b *PatientBus) Close() error {
	if b.bus == nil {
		return nil
	}
	bus := b.bus
	b.bus = nil
	return bus.Close()
}

// ready opens the bus if it is not open.
func (b *PatientBus) ready() (err error) {
	if b.bus != nil {
		return nil
	}
	file, _ := os.Stat(b.node) // before: a node that changes while it is opened is noticed at the first fault
	b.bus, err = b.open()
	b.file = file
	return err
}

// gone tells whether the node is no longer that which was opened.
func (b *PatientBus) gone() bool {
	file, err := os.Stat(b.node)
	return err != nil || b.file == nil || !os.SameFile(file, b.file)
}

var _ i2c.BusCloser = (*PatientBus)(nil)

package camera

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A camera's controls by the kernel's interface, linux/v4l2-controls.h and linux/videodev2.h. They belong to the device
// and not to who reads its pictures: a second opening may set them meanwhile.
const (
	autoWhiteBalance = 0x0098090c
	redBalance       = 0x0098090e
	blueBalance      = 0x0098090f
	autoGain         = 0x00980912
	gain             = 0x00980913
	whiteTemperature = 0x0098091a
	exposureAuto     = 0x009a0901
	exposureAbsolute = 0x009a0902
	focusAbsolute    = 0x009a090a
	focusAuto        = 0x009a090c

	exposureManual = 1 // of exposureAuto's menu; of the others 0 is by hand

	flagDisabled = 1
	flagReadOnly = 4

	queryControl = 0xc0445624
	getControl   = 0xc008561b
	setControl   = 0xc008561c
)

// automatics are what a camera changes by itself, and what it changes by each.
var automatics = []struct {
	auto   uint32
	manual int32
	values []uint32
}{
	{exposureAuto, exposureManual, []uint32{exposureAbsolute}},
	{autoGain, 0, []uint32{gain}},
	{autoWhiteBalance, 0, []uint32{whiteTemperature, redBalance, blueBalance}},
	{focusAuto, 0, []uint32{focusAbsolute}},
}

// controls is a device whose controls are read and set.
type controls struct{ fd int }

func openControls(path string) (controls, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	return controls{fd}, err
}

func (c controls) close() { _ = unix.Close(c.fd) } // nothing was written that could be lost

func (c controls) ask(request uint, about unsafe.Pointer) error {
	for {
		_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(c.fd), uintptr(request), uintptr(about))
		switch e {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return e
		}
	}
}

// name returns a control's name, empty when the camera has none that can be set.
func (c controls) name(id uint32) string {
	var q struct {
		id, kind           uint32
		name               [32]byte
		low, high, step, d int32
		flags              uint32
		reserved           [2]uint32
	}
	q.id = id
	if c.ask(queryControl, unsafe.Pointer(&q)) != nil || q.flags&(flagDisabled|flagReadOnly) != 0 {
		return ""
	}
	name, _, _ := strings.Cut(string(q.name[:]), "\x00")
	return name
}

type control struct {
	id    uint32
	value int32
}

func (c controls) get(id uint32) (int32, error) {
	x := control{id: id}
	err := c.ask(getControl, unsafe.Pointer(&x))
	return x.value, err
}

func (c controls) set(x control) error { return c.ask(setControl, unsafe.Pointer(&x)) }

// stop stops all that the camera changes by itself, where it is now. It returns what was set, for set, in order.
func (c controls) stop() (set []control, held []Held, err error) {
	var errs []error
	for _, a := range automatics {
		if c.name(a.auto) == "" {
			continue
		}
		steps := []control{{a.auto, a.manual}}
		for _, id := range a.values {
			name := c.name(id)
			if name == "" {
				continue
			}
			if value, err := c.get(id); err == nil {
				steps = append(steps, control{id, value})
				held = append(held, Held{name, float64(value)})
			}
		}
		// By hand first: what is automatic takes no value.
		for _, step := range steps {
			if err := c.set(step); err != nil {
				errs = append(errs, fmt.Errorf("set %s to %d: %w", c.name(step.id), step.value, err))
			}
		}
		set = append(set, steps...)
	}
	return set, held, errors.Join(errs...)
}

// start lets the camera change again what stop stopped.
func (c controls) start(stopped []control) error {
	var errs []error
	for _, a := range automatics {
		for _, x := range stopped {
			if x.id != a.auto {
				continue
			}
			err := c.set(control{a.auto, 1 - a.manual}) // 0 is automatic of exposure, 1 of the others
			if err != nil && a.auto == exposureAuto {
				err = c.set(control{a.auto, 3}) // USB cameras know aperture priority in its place
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("set %s: %w", c.name(x.id), err))
			}
		}
	}
	return errors.Join(errs...)
}

package gpio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// inputSet is some lines of one chip taken for input with both edges, over the kernel's GPIO character device
// (linux/gpio.h, version 2 of its interface). periph's LineSet would do but for one thing: it throws the
// kernel's time stamps away. Stamped when read instead, a press was measured to be up to 0.6 s late on a loaded
// machine, and a release and a press that waited together could not be told from a bounce.
type inputSet struct {
	file *os.File
	line map[uint32]int // number on the chip to index in the set
}

// input is one line of an inputSet.
type input struct {
	number    uint32 // on the chip
	activeLow bool   // turned by the kernel: active is true however it is wired
	pull      string // up, down or none
}

// Flags, identifiers and request numbers of linux/gpio.h.
const (
	flagActiveLow   = 1 << 1
	flagInput       = 1 << 2
	flagEdgeRising  = 1 << 4
	flagEdgeFalling = 1 << 5
	flagPullUp      = 1 << 8
	flagPullDown    = 1 << 9
	flagNoPull      = 1 << 10

	queueSize = 1024 // edges the kernel keeps until they are read

	attributeFlags = 1
	eventRising    = 1
	eventSize      = 48

	requestLines  = 3<<30 | unsafe.Sizeof(lineRequest{})<<16 | 0xb4<<8 | 0x07
	requestValues = 3<<30 | unsafe.Sizeof(lineValues{})<<16 | 0xb4<<8 | 0x0e
)

// lineRequest is struct gpio_v2_line_request.
type lineRequest struct {
	offsets    [64]uint32
	consumer   [32]byte
	flags      uint64
	attributes uint32
	_          [5]uint32
	attribute  [10]lineAttribute
	lines      uint32
	buffer     uint32
	_          [5]uint32
	fd         int32
}

// lineAttribute is struct gpio_v2_line_config_attribute: flags for the lines in mask.
type lineAttribute struct {
	id    uint32
	_     uint32
	value uint64
	mask  uint64
}

// lineValues is struct gpio_v2_line_values.
type lineValues struct{ bits, mask uint64 }

// The kernel would refuse a structure of any other size.
var _ = [1]struct{}{}[unsafe.Sizeof(lineRequest{})-592]

// takeInputs takes the lines of the chip at path, at most ten.
func takeInputs(path string, lines []input) (*inputSet, error) {
	chip, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer chip.Close() // the lines outlive it
	req := lineRequest{lines: uint32(len(lines)), attributes: uint32(len(lines)), flags: flagInput, buffer: queueSize}
	if len(lines) > len(req.attribute) {
		return nil, fmt.Errorf("%d lines are more than %d", len(lines), len(req.attribute))
	}
	set := &inputSet{line: map[uint32]int{}}
	copy(req.consumer[:len(req.consumer)-1], "davar")
	for i, l := range lines {
		req.offsets[i] = l.number
		req.attribute[i] = lineAttribute{id: attributeFlags, value: l.flags(), mask: 1 << i}
		set.line[l.number] = i
	}
	if err := ioctl(chip, requestLines, unsafe.Pointer(&req)); err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(int(req.fd), true); err != nil {
		return nil, errors.Join(err, unix.Close(int(req.fd)))
	}
	set.file = os.NewFile(uintptr(req.fd), path)
	return set, nil
}

func (l input) flags() uint64 {
	flags := uint64(flagInput | flagEdgeRising | flagEdgeFalling)
	if l.activeLow {
		flags |= flagActiveLow
	}
	switch l.pull {
	case "up":
		flags |= flagPullUp
	case "down":
		flags |= flagPullDown
	case "none":
		flags |= flagNoPull
	}
	return flags
}

// wait waits at most timeout, which is positive, for the next edge: of which line, to active or not, and when by
// the kernel's own stamp. ok is false when none came.
func (s *inputSet) wait(timeout time.Duration) (line int, active bool, at time.Time, ok bool, err error) {
	if err := s.file.SetReadDeadline(time.Now().Add(timeout)); err != nil {
		return 0, false, at, false, err
	}
	var event [eventSize]byte
	n, err := s.file.Read(event[:])
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, false, at, false, nil
	case err != nil:
		return 0, false, at, false, err
	case n != eventSize:
		return 0, false, at, false, fmt.Errorf("an event of %d bytes", n)
	}
	line, ok = s.line[binary.NativeEndian.Uint32(event[12:])]
	active = binary.NativeEndian.Uint32(event[8:]) == eventRising
	return line, active, stamp(binary.NativeEndian.Uint64(event[:])), ok, nil
}

// stamp turns the kernel's time, nanoseconds of CLOCK_MONOTONIC, into Go's, which runs on the same clock.
func stamp(ns uint64) time.Time {
	now := time.Now()
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return now
	}
	ago := time.Duration(ts.Nano() - int64(ns))
	if ago < 0 || ago > time.Minute { // a driver with a clock of its own
		return now
	}
	return now.Add(-ago)
}

// values reads all lines: bit i tells whether line i is active.
func (s *inputSet) values() (uint64, error) {
	v := lineValues{mask: 1<<len(s.line) - 1}
	err := ioctl(s.file, requestValues, unsafe.Pointer(&v))
	return v.bits, err
}

func (s *inputSet) close() error { return s.file.Close() }

// ioctl goes through SyscallConn, which unlike Fd leaves the file's deadlines in force.
func ioctl(f *os.File, request uintptr, arg unsafe.Pointer) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var errno unix.Errno
	if err := conn.Control(func(fd uintptr) {
		_, _, errno = unix.Syscall(unix.SYS_IOCTL, fd, request, uintptr(arg))
	}); err != nil {
		return err
	}
	if errno != 0 {
		return errno
	}
	return nil
}

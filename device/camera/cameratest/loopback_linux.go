package cameratest

import (
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Loopback is a camera (v4l2loopback) that shows what a test has it show.
type Loopback struct {
	file          *os.File
	width, height int
}

// NewLoopback plugs in a camera whose pictures have that size; it is unplugged when the test ends, and nobody may have it
// open then.
func NewLoopback(t testing.TB, width, height int) *Loopback {
	t.Helper()
	PlugIn(t, "v4l2loopback", "video_nr=0", "exclusive_caps=0")
	f, err := os.OpenFile(Device, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = f.Close()
		Unplug(t, "v4l2loopback")
	})
	format := struct { // struct v4l2_format of linux/videodev2.h, of something that gives pictures
		kind, _                                                        uint32
		width, height, pixels, field, perLine, size, colours, priv, fl uint32
		_                                                              [164]byte
	}{kind: 2, width: uint32(width), height: uint32(height), pixels: 'Y' | 'U'<<8 | 'Y'<<16 | 'V'<<24, field: 1, perLine: uint32(2 * width), size: uint32(2 * width * height), colours: 8}
	if _, _, e := unix.Syscall(unix.SYS_IOCTL, f.Fd(), 0xc0d05605, uintptr(unsafe.Pointer(&format))); e != 0 {
		t.Fatalf("the loopback does not take the format: %v", e)
	}
	l := &Loopback{file: f, width: width, height: height}
	l.ShowShade(0) // without a picture it is no camera yet
	return l
}

// Show shows a picture (YUYV, as YUYV makes it). A camera that cannot take it shows nothing: who reads it tells.
func (l *Loopback) Show(picture []byte) { _, _ = l.file.Write(picture) }

// ShowShade shows a picture of one shade.
func (l *Loopback) ShowShade(shade byte) {
	picture := make([]byte, 2*l.width*l.height)
	for i := range picture {
		picture[i] = 128 // no colour
		if i%2 == 0 {
			picture[i] = shade
		}
	}
	l.Show(picture)
}

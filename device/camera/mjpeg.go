package camera

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"gocv.io/x/gocv"
)

// jpegs takes single pictures out of a stream of JPEG files, with or without anything between them (MJPEG as rpicam-vid
// writes it, multipart/x-mixed-replace as cameras on the network do).
type jpegs struct {
	in   *bufio.Reader
	data []byte // of one picture, reused
}

// maxJPEG is larger than any picture a camera sends; what is longer is passed over.
const maxJPEG = 32 << 20

var errTooLong = errors.New("camera: read a stream: a picture has no end")

func newJPEGs(in io.Reader) *jpegs { return &jpegs{in: bufio.NewReaderSize(in, 64<<10)} }

// Markers of a JPEG file (ITU-T T.81, table B.1).
const (
	markStart = 0xd8 // SOI
	markEnd   = 0xd9 // EOI
	markScan  = 0xda // SOS: coded data follows its segment
)

// next returns the next picture, which is overwritten by the one after it.
func (j *jpegs) next() ([]byte, error) {
	if err := j.seek(); err != nil {
		return nil, err
	}
	j.data = append(j.data[:0], 0xff, markStart)
	for {
		mark, err := j.marker()
		switch {
		case err != nil:
			return nil, err
		case mark == markEnd:
			return j.data, nil
		case mark == 0x00 || mark == 0x01 || mark >= 0xd0 && mark <= markStart:
			continue // without a segment: a stuffed byte, a restart
		}
		if err := j.segment(); err != nil {
			return nil, err
		}
		if len(j.data) > maxJPEG {
			return nil, errTooLong
		}
	}
}

// seek passes over everything up to the beginning of a picture.
func (j *jpegs) seek() error {
	for before := byte(0); ; {
		b, err := j.in.ReadByte()
		if err != nil {
			return err
		}
		if before == 0xff && b == markStart {
			return nil
		}
		before = b
	}
}

// marker takes bytes over up to and including the next marker.
func (j *jpegs) marker() (byte, error) {
	for marked := false; ; {
		b, err := j.in.ReadByte()
		if err != nil {
			return 0, err
		}
		j.data = append(j.data, b)
		if marked && b != 0xff {
			return b, nil
		}
		marked = b == 0xff
		if len(j.data) > maxJPEG {
			return 0, errTooLong
		}
	}
}

// segment takes a segment over: two bytes of length, which count themselves. A marker in it is none, so that a small
// picture inside a picture does not end it.
func (j *jpegs) segment() error {
	var head [2]byte
	if _, err := io.ReadFull(j.in, head[:]); err != nil {
		return err
	}
	j.data = append(j.data, head[:]...)
	length := int(head[0])<<8 | int(head[1])
	if length < 2 {
		return nil // not a JPEG; the decoder will say so
	}
	at := len(j.data)
	j.data = append(j.data, make([]byte, length-2)...)
	_, err := io.ReadFull(j.in, j.data[at:])
	return err
}

// decode puts a JPEG file into img; false when it is none.
func decode(file []byte, img *gocv.Mat) bool {
	if bytes.Equal(file[len(file)-2:], []byte{0xff, markEnd}) {
		picture, err := gocv.IMDecode(file, gocv.IMReadColor)
		if err != nil {
			return false
		}
		defer picture.Close()
		if picture.Empty() {
			return false
		}
		picture.CopyTo(img)
		return true
	}
	return false
}

// stream is an eye that reads JPEG files from anywhere.
type stream struct {
	pictures *jpegs
	end      func() // makes a read that waits return
}

func (s *stream) read(img *gocv.Mat) bool {
	file, err := s.pictures.next()
	return err == nil && decode(file, img)
}

func (s *stream) close() { s.end() }

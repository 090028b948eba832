package cameratest

import (
	"bytes"
	"testing"
)

func TestPicturesAreSentAsUSBCamerasSendThem(t *testing.T) {
	for _, c := range []struct {
		name      string
		bgr, want []byte
	}{
		{"black", []byte{0, 0, 0, 0, 0, 0}, []byte{16, 128, 16, 128}},
		{"white", []byte{255, 255, 255, 255, 255, 255}, []byte{235, 128, 235, 128}},
		{"black beside white", []byte{0, 0, 0, 255, 255, 255}, []byte{16, 128, 235, 128}},
		{"red", []byte{0, 0, 255, 0, 0, 255}, []byte{82, 90, 82, 240}},
		{"blue", []byte{255, 0, 0, 255, 0, 0}, []byte{41, 240, 41, 110}},
	} {
		if got := YUYV(c.bgr); !bytes.Equal(got, c.want) {
			t.Errorf("%s is sent as %v, want %v", c.name, got, c.want)
		}
	}
}

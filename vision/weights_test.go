package vision

import (
	"bytes"
	"math"
	"testing"
)

func TestHalfPrecisionNumbersWidenExactly(t *testing.T) {
	for h, want := range map[uint16]float32{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x7bff: 65504, 0x0001: 5.9604645e-08, 0x0400: 6.1035156e-05,
	} {
		if got := float32FromHalf(h); got != want {
			t.Errorf("%#04x widens to %v, want %v", h, got, want)
		}
	}
	if !math.IsInf(float64(float32FromHalf(0xfc00)), -1) || !math.IsNaN(float64(float32FromHalf(0x7e00))) {
		t.Error("the infinite and the undefined do not stay what they are")
	}
}

// smallModel is a model whose graph holds one initializer of two half-precision numbers, 1 and -2.
func smallModel() []byte {
	tensor := []byte{0x08, 2, 0x10, tensorHalf}
	tensor = appendBytes(tensor, fieldRawData, []byte{0x00, 0x3c, 0x00, 0xc0})
	graph := appendBytes(nil, fieldInitializer, tensor)
	return append([]byte{0x08, 7}, appendBytes(nil, fieldGraph, graph)...)
}

func TestWideningAModelRewritesItsInitializersOnly(t *testing.T) {
	tensor := []byte{0x08, 2, 0x10, tensorFloat}
	tensor = appendBytes(tensor, fieldRawData, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0})
	want := append([]byte{0x08, 7}, appendBytes(nil, fieldGraph, appendBytes(nil, fieldInitializer, tensor))...)
	got, err := widen(smallModel())
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("widened to % x (%v), want % x", got, err, want)
	}
	again, err := widen(got)
	if err != nil || !bytes.Equal(again, want) {
		t.Errorf("a wide model does not stay as it is: % x (%v)", again, err)
	}
}

func FuzzWidenTakesAnyBytes(f *testing.F) {
	f.Add(smallModel())
	f.Add([]byte{0x3a, 0xff})
	f.Fuzz(func(t *testing.T, model []byte) {
		if out, err := widen(model); err == nil && len(model) > 0 && len(out) == 0 {
			t.Error("a model vanished")
		}
	})
}

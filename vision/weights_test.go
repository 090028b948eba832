package vision

import (
	"bytes"
	"math"
	"testing"

	"gocv.io/x/gocv"
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

// bytesModel is a model of one initializer w of four bytes in two channels, with its scales: (2, -4) and (0.5, 0).
func bytesModel(scales ...float32) []byte {
	w := appendBytes([]byte{0x08, 2, 0x08, 2, 0x10, tensorInt8}, fieldName, []byte("w"))
	w = appendBytes(w, fieldRawData, []byte{1, 0xfe, 1, 0})
	s := appendBytes([]byte{0x08, byte(len(scales)), 0x10, tensorFloat}, fieldName, []byte("w"+scaleSuffix))
	s = appendBytes(s, fieldRawData, littleEndian(scales))
	return appendBytes(nil, fieldGraph, appendBytes(appendBytes(nil, fieldInitializer, w), fieldInitializer, s))
}

func TestBytesWidenByTheScaleOfTheirChannel(t *testing.T) {
	w := appendBytes([]byte{0x08, 2, 0x08, 2, 0x10, tensorFloat}, fieldName, []byte("w"))
	w = appendBytes(w, fieldRawData, littleEndian([]float32{2, -4, 0.5, 0}))
	want := appendBytes(nil, fieldGraph, appendBytes(nil, fieldInitializer, w))
	got, err := widen(bytesModel(2, 0.5))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("widened to % x (%v), want % x", got, err, want)
	}
	for _, scales := range [][]float32{{}, {1, 2, 3}} {
		if _, err := widen(bytesModel(scales...)); err == nil {
			t.Errorf("four bytes in %d channels are taken", len(scales))
		}
	}
}

func FuzzWidenTakesAnyBytes(f *testing.F) {
	f.Add(smallModel())
	f.Add(bytesModel(2, 0.5))
	f.Add([]byte{0x3a, 0xff})
	f.Fuzz(func(t *testing.T, model []byte) {
		if out, err := widen(model); err == nil && len(model) > 0 && len(out) == 0 {
			t.Error("a model vanished")
		}
	})
}

func TestTheNetworksTakeNoMoreThanTwoMegabytesTogether(t *testing.T) {
	sum := 0
	for _, packed := range [][]byte{cornersWeights, edgesWeights, pinpointWeights, frameWeights, pointsWeights, diceFindWeights, diceReadWeights, diceLeanWeights, traysWeights} {
		sum += len(packed)
	}
	if sum > 2_000_000 {
		t.Errorf("%d bytes", sum)
	}
}

func TestANetworkThatGivesAnotherNumberOfAnswersIsReported(t *testing.T) {
	net, err := newNetwork("test", trayLogits+1, traysWeights)
	if err != nil {
		t.Fatal(err)
	}
	defer net.close()
	view := gocv.NewMatWithSize(trayDown, trayAcross, gocv.MatTypeCV8UC3)
	defer view.Close()
	if err := net.run(view, func([]float32) { t.Error("its answer was used") }); err == nil {
		t.Error("a wrong number of answers was taken")
	}
}

func TestWeightsThatAreNotPackedAreRefused(t *testing.T) {
	if _, err := newNetwork("test", 1, smallModel()); err == nil {
		t.Error("a model that gzip did not pack was taken")
	}
	if _, err := newNetwork("test", 1, pointsWeights[:len(pointsWeights)/2]); err == nil {
		t.Error("half a packed model was taken")
	}
}

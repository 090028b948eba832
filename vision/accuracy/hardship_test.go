package accuracy

import (
	"crypto/sha256"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// patterned returns a picture with something in it everywhere.
func patterned(t *testing.T) gocv.Mat {
	t.Helper()
	img := gocv.NewMatWithSize(180, 320, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { img.Close() })
	px, err := img.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	for i := range px {
		px[i] = uint8(40 + i*i/97%170)
	}
	return img
}

func TestEveryHardshipSpoilsTheSamePicturesTheSameWayEachTime(t *testing.T) {
	whole := patterned(t)
	names, about := Hardships()
	if len(names) == 0 || len(names) != len(about) {
		t.Fatalf("got %d names and %d descriptions", len(names), len(about))
	}
	for _, name := range names {
		var runs [2][sha256.Size]byte
		for run := range runs {
			h, err := NewHardship(name, 7)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.New()
			touched := false
			for n := range 40 {
				img := whole.Clone()
				if h.Spoil(&img, time.Duration(n)*time.Second, n) {
					touched = true
				} else {
					sum.Write(img.ToBytes())
				}
				touched = touched || string(img.ToBytes()) != string(whole.ToBytes())
				if img.Cols() != whole.Cols() || img.Rows() != whole.Rows() || img.Type() != whole.Type() {
					t.Fatalf("%s: the picture has another size or type now", name)
				}
				img.Close()
			}
			if !touched {
				t.Errorf("%s: no picture of forty was changed or lost", name)
			}
			sum.Sum(runs[run][:0])
			h.Close()
		}
		if runs[0] != runs[1] {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

func TestAnUnknownHardshipIsRefusedWithThoseThereAre(t *testing.T) {
	if _, err := NewHardship("earthquake", 1); err == nil {
		t.Error("earthquake is known")
	}
}

//go:build matprofile

package vision

import (
	"testing"

	"gocv.io/x/gocv"
)

func TestFindingDiceKeepsNoMat(t *testing.T) {
	img, g := drawnBoard(t)
	defer img.Close()
	before := gocv.MatProfile.Count()
	f, err := NewFinder()
	if err != nil {
		t.Fatal(err)
	}
	steady := 0
	for i := range 200 {
		if _, _, err := f.Find(img, g); err != nil {
			t.Fatal(err)
		}
		if i%20 == 0 {
			if _, _, err := f.Find(img, nil); err != nil {
				t.Fatal(err)
			}
		}
		if n := gocv.MatProfile.Count(); i == 0 {
			steady = n
		} else if n != steady {
			t.Fatalf("picture %d: %d Mats are open, %d after the first", i, n, steady)
		}
	}
	f.Close()
	if n := gocv.MatProfile.Count(); n != before {
		t.Errorf("%d Mats are open after Close, %d before", n, before)
	}
}

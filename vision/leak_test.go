//go:build matprofile

package vision

import (
	"image"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

func TestWatchingKeepsNoMat(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	other := gocv.NewMat()
	defer other.Close()
	gocv.GaussianBlur(img, &other, image.Pt(3, 3), 0, 0, gocv.BorderDefault)
	before := gocv.MatProfile.Count()
	w, err := NewWatcher(WatcherSettings{Layout: Layout{"light", "right"}, Corners: &bundledCorners})
	if err != nil {
		t.Fatal(err)
	}
	const settled = 10 // frames after which everything has been done once
	steady := 0
	for n := range 100 {
		frame := img
		if n%7 == 0 {
			frame = other
			w.forget()
		}
		if _, err := w.Watch(frame, time.Duration(n)*time.Second, n); err != nil {
			t.Fatal(err)
		}
		if count := gocv.MatProfile.Count(); n <= settled {
			steady = count
		} else if count != steady {
			t.Fatalf("frame %d: %d Mats are open, %d when everything had been done once", n, count, steady)
		}
	}
	w.Close()
	if n := gocv.MatProfile.Count(); n != before {
		t.Errorf("%d Mats are open after Close, %d before", n, before)
	}
}

func TestReadingKeepsNoMat(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	before := gocv.MatProfile.Count()
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := r.ReadAt(img, bundledCorners); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Read(img); err != nil && err != ErrNoBoard {
			t.Fatal(err)
		}
	}
	r.Close()
	if n := gocv.MatProfile.Count(); n != before {
		t.Errorf("%d Mats are open after Close, %d before", n, before)
	}
}

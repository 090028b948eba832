package vision

import (
	"image"
	"image/color"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// steps is a finder that finds nothing, in two steps, and counts them.
type steps struct{ begun, taken int }

func (s *steps) Begin() { s.begun++; s.taken = 0 }

func (s *steps) Step(gocv.Mat, *Geometry) ([]Die, *Cube, bool, error) {
	s.taken++
	return nil, nil, s.taken == 2, nil
}

func (s *steps) Close() error { return nil }

func TestWhatChangesWhileDiceAreSoughtIsLookedAtFromTheBeginning(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	w := bundledWatcher(t, WatcherSettings{})
	if err := w.dice.Close(); err != nil {
		t.Fatal(err)
	}
	s := &steps{}
	w.dice = s
	n := 0
	see := func(frame gocv.Mat) (hidden bool) {
		seen, err := w.Watch(frame, time.Duration(n)*40*time.Millisecond, n)
		if err != nil {
			t.Fatal(err)
		}
		n++
		return seen.DiceHidden
	}
	if hidden := see(img); s.begun != 1 || s.taken != 2 || !hidden { // the first frame takes its time
		t.Fatalf("begun %d times, %d steps taken, dice hidden %v", s.begun, s.taken, hidden)
	}
	thrown, more := img.Clone(), img.Clone()
	defer thrown.Close()
	defer more.Close()
	gocv.Rectangle(&thrown, image.Rect(480, 260, 620, 400), color.RGBA{255, 255, 255, 0}, -1)
	gocv.Rectangle(&more, image.Rect(480, 260, 620, 500), color.RGBA{255, 255, 255, 0}, -1)
	until := func(begun, taken int, frame gocv.Mat) (hidden bool) {
		for range 5 { // the points come between the steps
			hidden = see(frame)
			if s.begun == begun && s.taken == taken {
				return hidden
			}
		}
		t.Fatalf("begun %d times, %d steps taken, not %d and %d", s.begun, s.taken, begun, taken)
		return false
	}
	if hidden := until(2, 1, thrown); !hidden {
		t.Fatal("the dice are shown when half of the steps to find them are done")
	}
	until(3, 1, more)
	if hidden := until(3, 2, more); hidden {
		t.Fatal("the dice are hidden when they were found")
	}
}

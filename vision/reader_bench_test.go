package vision

import (
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// bundledCorners are the corners of testdata/oblique.jpg, a rendered picture of 1280×720.
var bundledCorners = [4]Pixel{{295.4, 126.9}, {924.3, 89.5}, {1034.4, 600.0}, {193.6, 616.5}}

func bundledPicture(tb testing.TB) gocv.Mat {
	tb.Helper()
	img := gocv.IMRead("testdata/oblique.jpg", gocv.IMReadColor)
	if img.Empty() {
		tb.Fatal("testdata/oblique.jpg cannot be read")
	}
	return img
}

func BenchmarkReadPointsOfAFrame(b *testing.B) {
	img := bundledPicture(b)
	defer img.Close()
	p, err := newPointReader()
	if err != nil {
		b.Fatal(err)
	}
	defer p.close()
	g, err := NewGeometry(bundledCorners, 0.466, 0.534)
	if err != nil {
		b.Fatal(err)
	}
	var r Reading
	for b.Loop() {
		if err := p.read(img, g, &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRectifyAFrame(b *testing.B) {
	img := bundledPicture(b)
	defer img.Close()
	r := newRectifier(1)
	defer r.close()
	g, err := NewGeometry(bundledCorners, 0.466, 0.534)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r.rectify(img, g)
	}
}

func BenchmarkFindTheBoard(b *testing.B) {
	img := bundledPicture(b)
	defer img.Close()
	f, err := newBoardFinder()
	if err != nil {
		b.Fatal(err)
	}
	defer f.close()
	for b.Loop() {
		if _, err := f.find(img); err != nil && err != ErrNoBoard {
			b.Fatal(err)
		}
	}
}

// BenchmarkWatchAStillFrame is the usual case, a frame on which nothing happens; BenchmarkWatchAChangedFrame reads
// points, dice and cube each time.
func BenchmarkWatchAStillFrame(b *testing.B) { benchmarkWatch(b, false) }

func BenchmarkWatchAChangedFrame(b *testing.B) { benchmarkWatch(b, true) }

func benchmarkWatch(b *testing.B, changed bool) {
	img := bundledPicture(b)
	defer img.Close()
	w, err := NewWatcher(WatcherSettings{Layout: Layout{"light", "right"}, Corners: &bundledCorners})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for n := 0; b.Loop(); n++ {
		if changed {
			w.forget()
		}
		if _, err := w.Watch(img, time.Duration(n)*40*time.Millisecond, n); err != nil {
			b.Fatal(err)
		}
	}
}

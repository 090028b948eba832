package vision

import (
	"os"
	"slices"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// bundledCorners are the corners of testdata/oblique.jpg, a rendered picture of 1280×720.
var bundledCorners = [4]Pixel{{295.4, 126.9}, {924.3, 89.5}, {1034.4, 600.0}, {193.6, 616.5}}

// bundledCounts is what stands on its points.
var bundledCounts = [2][12]int{{0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 2}, {0, 1, 0, 0, 0, 1, -6, 0, -3, -2, -2, -2}}

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
		if err := p.read(img, g, everyAspect[:1], &r); err != nil {
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

// BenchmarkDecodeAFrame is what every frame of a camera costs before anybody looks at it: the measure for the others.
func BenchmarkDecodeAFrame(b *testing.B) {
	text, err := os.ReadFile("testdata/oblique.jpg")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		img, err := gocv.IMDecode(text, gocv.IMReadColor)
		if err != nil {
			b.Fatal(err)
		}
		img.Close()
	}
}

// BenchmarkWatchAStillFrame is the usual case, a frame on which nothing happens; in BenchmarkWatchAChangedFrame
// points, dice and cube are read all the time, in turns; BenchmarkWatchAThrow is a frame of what happens at a table,
// one frame in five of which shows something new.
func BenchmarkWatchAStillFrame(b *testing.B) { benchmarkWatch(b, 0) }

func BenchmarkWatchAChangedFrame(b *testing.B) { benchmarkWatch(b, 1) }

func BenchmarkWatchAThrow(b *testing.B) { benchmarkWatch(b, 5) }

// benchmarkWatch watches a calibrated board that is read anew every so many frames, 0: never. It reports the median and
// the 95th percentile beside the mean.
func benchmarkWatch(b *testing.B, every int) {
	img := bundledPicture(b)
	defer img.Close()
	w, err := NewWatcher(WatcherSettings{Layout: Layout{"light", "right"}, Corners: &bundledCorners, Looks: bundledLooks(b, img)})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for n := range 2 * averaged { // until everything was read
		if _, err := w.Watch(img, time.Duration(n)*40*time.Millisecond, n); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		if every > 0 && n%every == 0 {
			w.pointsAt.taken, w.diceAt.taken = false, false
		}
		began := time.Now()
		if _, err := w.Watch(img, time.Duration(n)*40*time.Millisecond, n); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1e3, "ms-median")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1e3, "ms-p95")
}

// bundledLooks are the looks of the bundled picture's board.
func bundledLooks(tb testing.TB, img gocv.Mat) *Appearance {
	tb.Helper()
	l := newLooker()
	defer l.close()
	g, err := NewGeometry(bundledCorners, 0.466, 0.534)
	if err != nil {
		tb.Fatal(err)
	}
	looks, err := l.learn(img, g, &bundledCounts)
	if err != nil {
		tb.Fatal(err)
	}
	return looks
}

func BenchmarkWeighTheReadingOfAFrame(b *testing.B) {
	img := bundledPicture(b)
	defer img.Close()
	looks := bundledLooks(b, img)
	l := newLooker()
	defer l.close()
	g, err := NewGeometry(bundledCorners, 0.466, 0.534)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := l.weigh(img, g, looks, unsure(&bundledCounts)); err != nil {
			b.Fatal(err)
		}
	}
}

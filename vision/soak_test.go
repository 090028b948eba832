package vision

import (
	"bytes"
	"flag"
	"image"
	"os"
	"strconv"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

var soak = flag.Int("soak", 120, "frames that the watcher watches without needing more memory; 10000 take minutes")

// resident returns how much memory the process holds, native memory included, in bytes; 0 where Linux does not tell.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	pages, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func TestWatchingForLongNeedsNoMoreMemory(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	other := gocv.NewMat()
	defer other.Close()
	gocv.GaussianBlur(img, &other, image.Pt(3, 3), 0, 0, gocv.BorderDefault)
	w := bundledWatcher(t, WatcherSettings{Looks: bundledLooks(t, img)})
	const settled = 60 // frames after which everything has been done once
	before := 0
	for n := range settled + *soak {
		frame := img
		if n/3%2 == 1 {
			frame = other
		}
		if n%5 == 0 {
			w.pointsAt.taken, w.diceAt.taken = false, false
		}
		if _, err := w.Watch(frame, time.Duration(n)*100*time.Millisecond, n); err != nil {
			t.Fatal(err)
		}
		if n == settled {
			before = resident(t)
		}
	}
	after := resident(t)
	t.Logf("%.1f MB after %d frames, %.1f MB after %d more", float64(before)/1e6, settled, float64(after)/1e6, *soak)
	const slack = 12e6 // what Go's heap and OpenCV's pools may breathe
	if float64(after-before) > slack {
		t.Errorf("the memory grew by %.1f MB", float64(after-before)/1e6)
	}
}

package vision

import (
	"image"
	"math"
	"testing"
	"time"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// shifted returns img turned by degrees and zoomed round its middle, then shifted.
func shifted(t *testing.T, img gocv.Mat, degrees, zoom, dx, dy float64) (gocv.Mat, affine) {
	t.Helper()
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	cx, cy := float64(img.Cols())/2, float64(img.Rows())/2
	m := affine{a: zoom * cos, b: -zoom * sin, d: zoom * sin, e: zoom * cos}
	m.c, m.f = cx-m.a*cx-m.b*cy+dx, cy-m.d*cx-m.e*cy+dy
	matrix := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
	defer matrix.Close()
	for i, v := range [6]float64{m.a, m.b, m.c, m.d, m.e, m.f} {
		matrix.SetDoubleAt(i/3, i%3, v)
	}
	moved := gocv.NewMat()
	t.Cleanup(func() { moved.Close() })
	gocv.WarpAffineWithParams(img, &moved, matrix, image.Pt(img.Cols(), img.Rows()), gocv.InterpolationLinear, gocv.BorderReplicate, black)
	return moved, m
}

// lies fails unless the watcher sees the bundled board's corners where m takes them.
func lies(t *testing.T, w *Watcher, m affine) {
	t.Helper()
	if w.Geometry() == nil {
		t.Fatal("the board is lost")
	}
	for i, p := range w.Geometry().Corners {
		want := m.apply(bundledCorners[i])
		if d := distance(p, want) / w.Geometry().Diagonal(); d > 0.012 {
			t.Errorf("corner %d is followed to %.0f, want %.0f: off by %.3f of the diagonal", i, p, want, d)
		}
	}
}

func TestABoardThatIsBumpedTurnedOrZoomedIsFollowed(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	for name, c := range map[string]struct{ degrees, zoom, dx, dy float64 }{
		"bumped":           {0, 1, 18, -12},
		"turned":           {2, 1, 0, 0},
		"zoomed in":        {0, 1.04, 0, 0},
		"zoomed out":       {0, 0.95, 0, 0},
		"all of it":        {-1.5, 0.97, -15, 10},
		"bumped by a hand": {0, 1, 110, 20},
	} {
		t.Run(name, func(t *testing.T) {
			moved, m := shifted(t, img, c.degrees, c.zoom, c.dx, c.dy)
			clock := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{})}
			clock.see(img)
			clock.see(img)
			bumped := false
			for range checkEvery + 20 {
				scene := clock.see(moved).Scene
				bumped = bumped || scene == sighting.SceneBumped
			}
			if !bumped {
				t.Error("nobody noticed")
			}
			lies(t, clock.w, m)
			if s := clock.see(moved); s.Scene != sighting.SceneClear {
				t.Errorf("afterwards the scene is %v", s.Scene)
			}
		})
	}
}

func TestADriftingBoardIsFollowed(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	clock := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{})}
	clock.see(img)
	var m affine
	for step := range 8 {
		var moved gocv.Mat
		moved, m = shifted(t, img, 0, 1, 3*float64(step+1), -2*float64(step+1))
		for range checkEvery + 4 {
			clock.see(moved)
		}
	}
	lies(t, clock.w, m)
}

func TestOtherLightIsNoOtherScene(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	for name, gain := range map[string]float64{"dimmer": 0.6, "brighter": 1.15} {
		lit := gocv.NewMat()
		defer lit.Close()
		img.ConvertToWithParams(&lit, gocv.MatTypeCV8U, float32(gain), 0)
		clock := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{})}
		clock.see(img)
		clock.see(img)
		var s *sighting.Sighting
		for range 6 {
			s = clock.see(lit)
		}
		if s.Scene != sighting.SceneClear || !s.Still {
			t.Errorf("%s: scene %v, still %v", name, s.Scene, s.Still)
		}
	}
}

func TestACameraThatComesBackAfterItWasLostShowsTheBoardAgain(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	empty := gocv.NewMat()
	defer empty.Close()
	clock := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{FrozenAfter: 10 * time.Second})}
	clock.see(img)
	clock.see(img)
	for range 30 {
		if s := clock.see(empty); s.Scene != sighting.SceneLost {
			t.Fatalf("without a picture the scene is %v", s.Scene)
		}
	}
	if s := clock.see(img); s.Scene != sighting.SceneClear || !s.Still {
		t.Errorf("back again: scene %v, still %v", s.Scene, s.Still)
	}
}

func TestWhatLiesOverSomePointsHidesThoseAlone(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	clock := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{})}
	clock.see(img)
	clock.see(img)
	moving := img.Clone()
	defer moving.Close()
	for step := range 4 { // something dark passes over the top left corner
		gocv.Rectangle(&moving, image.Rect(300+10*step, 130, 420+10*step, 260), black, -1)
		s := clock.see(moving)
		if s.Scene != sighting.SceneClear || s.Still || !s.DiceHidden {
			t.Fatalf("scene %v, still %v, dice hidden %v", s.Scene, s.Still, s.DiceHidden)
		}
		hidden := 0
		for p := range s.Points {
			if s.Points[p].Hidden {
				hidden++
			}
		}
		if hidden == 0 || hidden > 8 {
			t.Errorf("%d points are hidden by what covers two or three", hidden)
		}
		if s.Points[5].Hidden || s.Points[0].Hidden {
			t.Error("points far away are hidden")
		}
	}
}

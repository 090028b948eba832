package vision

import (
	"image"
	"image/color"
	"testing"
	"time"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// bundledWatcher watches the board of the bundled picture.
func bundledWatcher(t *testing.T, s WatcherSettings) *Watcher {
	t.Helper()
	s.Layout = Layout{"light", "right"}
	s.Corners = &bundledCorners
	w, err := NewWatcher(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// watcherClock hands a watcher frames, ten in a second.
type watcherClock struct {
	t *testing.T
	w *Watcher
	n int
}

func (c *watcherClock) see(img gocv.Mat) *sighting.Sighting {
	c.t.Helper()
	s, err := c.w.Watch(img, time.Duration(c.n)*100*time.Millisecond, c.n)
	if err != nil {
		c.t.Fatal(err)
	}
	if s.Frame != c.n || s.T != time.Duration(c.n)*100*time.Millisecond {
		c.t.Fatalf("frame %d came back as %d at %v", c.n, s.Frame, s.T)
	}
	c.n++
	return s
}

func TestAStillBoardIsReadWithEveryPointShown(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	c := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{})}
	c.see(img)
	s := c.see(img)
	if s.Scene != sighting.SceneClear || !s.Still || s.DiceHidden {
		t.Fatalf("scene %v, still %v, dice hidden %v", s.Scene, s.Still, s.DiceHidden)
	}
	wrong := 0
	for p, want := range [24]int{-2, -2, -2, -3, 0, -6, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 2} {
		if n, _ := s.Points[p].Counts.Best(); s.Points[p].Hidden || n != want {
			wrong++
			t.Logf("point %d: %d, hidden %v, want %d", p+1, n, s.Points[p].Hidden, want)
		}
	}
	if wrong > 0 {
		t.Errorf("%d points are read wrong", wrong)
	}
}

func TestWhatMovesOverOneCornerHidesOnlyThatCorner(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	c := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{})}
	c.see(img)
	c.see(img)
	arm := img.Clone()
	defer arm.Close()
	gocv.Rectangle(&arm, image.Rect(880, 380, 1280, 560), color.RGBA{205, 160, 130, 0}, -1) // over light's 1 to 3 points
	s := c.see(arm)
	if s.Scene != sighting.SceneClear || s.Still || !s.DiceHidden {
		t.Errorf("scene %v, still %v, dice hidden %v", s.Scene, s.Still, s.DiceHidden)
	}
	if !s.Points[0].Hidden {
		t.Error("the point under the arm is not hidden")
	}
	for _, p := range []int{8, 12, 13, 18} {
		if s.Points[p-1].Hidden {
			t.Errorf("point %d, far from the arm, is hidden", p)
		}
	}
}

func TestPicturesThatShowNothingAreToldApart(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	dark := gocv.NewMatWithSize(img.Rows(), img.Cols(), gocv.MatTypeCV8UC3)
	defer dark.Close()
	dark.SetTo(gocv.NewScalar(3, 3, 3, 0))
	blurred := gocv.NewMat()
	defer blurred.Close()
	gocv.GaussianBlur(img, &blurred, image.Pt(0, 0), 9, 9, gocv.BorderDefault)
	turned := gocv.NewMat()
	defer turned.Close()
	gocv.Flip(img, &turned, -1)
	empty := gocv.NewMat()
	defer empty.Close()
	c := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{})}
	c.see(img)
	c.see(img)
	for _, step := range []struct {
		img  gocv.Mat
		want sighting.Scene
	}{
		{empty, sighting.SceneLost}, {dark, sighting.SceneDark}, {dark, sighting.SceneDark},
		{blurred, sighting.SceneMoving}, {blurred, sighting.SceneBlurred}, {img, sighting.SceneClear},
	} {
		s := c.see(step.img)
		if s.Scene != step.want && !(step.want == sighting.SceneMoving && s.Scene == sighting.SceneBlurred) {
			t.Errorf("frame %d: scene %v, want %v", s.Frame, s.Scene, step.want)
		}
		if s.Scene != sighting.SceneClear && (s.Still || !s.Points[5].Hidden || !s.DiceHidden) {
			t.Errorf("frame %d (%v) shows something", s.Frame, s.Scene)
		}
	}
}

func TestACameraThatRepeatsOnePictureIsFrozen(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	c := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{FrozenAfter: time.Second})}
	for range 10 {
		if s := c.see(img); s.Scene != sighting.SceneClear {
			t.Fatalf("frame %d: scene %v", s.Frame, s.Scene)
		}
	}
	if s := c.see(img); s.Scene != sighting.SceneFrozen {
		t.Errorf("after a second: scene %v, want frozen", s.Scene)
	}
}

func TestABumpedBoardIsFollowed(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	moved := gocv.NewMat()
	defer moved.Close()
	m := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
	defer m.Close()
	for i, v := range [6]float64{1, 0, 18, 0, 1, -12} {
		m.SetDoubleAt(i/3, i%3, v)
	}
	gocv.WarpAffineWithParams(img, &moved, m, image.Pt(img.Cols(), img.Rows()), gocv.InterpolationLinear, gocv.BorderReplicate, black)
	c := &watcherClock{t: t, w: bundledWatcher(t, WatcherSettings{})}
	c.see(img)
	bumped := false
	for range 4 * checkEvery {
		bumped = c.see(moved).Scene == sighting.SceneBumped || bumped
	}
	if !bumped {
		t.Error("nobody noticed")
	}
	for i, p := range c.w.Geometry().Corners {
		want := Pixel{bundledCorners[i].X + 18, bundledCorners[i].Y - 12}
		if d := distance(p, want); d > 0.005*c.w.Geometry().Diagonal() {
			t.Errorf("corner %d is followed to %.0f, want %.0f", i, p, want)
		}
	}
}

func TestSettingsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, s := range map[string]WatcherSettings{
		"no layout":       {},
		"crossed corners": {Layout: Layout{"light", "right"}, Corners: &[4]Pixel{{0, 0}, {0, 10}, {10, 10}, {10, 0}}},
	} {
		if w, err := NewWatcher(s); err == nil {
			w.Close()
			t.Errorf("%s: taken", name)
		}
	}
}

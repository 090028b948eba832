package vision

import (
	"image"
	"image/color"
	"math"
	"testing"

	"gocv.io/x/gocv"
)

func TestTheCanvasShowsTheBoardUprightInItsMiddle(t *testing.T) {
	for name, c := range map[string][4]Pixel{
		"as filmed":         {{300, 100}, {900, 100}, {900, 600}, {300, 600}},
		"a quarter turned":  {{300, 600}, {300, 100}, {900, 100}, {900, 600}},
		"half turned":       {{900, 600}, {300, 600}, {300, 100}, {900, 100}},
		"from the long end": {{400, 100}, {800, 120}, {1000, 600}, {200, 620}},
	} {
		t.Run(name, func(t *testing.T) {
			m := canvasOf(c)
			var lo, hi Pixel
			lo = Pixel{math.Inf(1), math.Inf(1)}
			hi = Pixel{math.Inf(-1), math.Inf(-1)}
			for _, p := range c {
				q := m.apply(p)
				lo.X, lo.Y, hi.X, hi.Y = min(lo.X, q.X), min(lo.Y, q.Y), max(hi.X, q.X), max(hi.Y, q.Y)
				if b := m.inverse().apply(q); math.Hypot(b.X-p.X, b.Y-p.Y) > 1e-6 {
					t.Errorf("%v comes back as %v", p, b)
				}
			}
			if hi.X-lo.X > boardWidth+1e-6 || hi.Y-lo.Y > boardHeight+1e-6 {
				t.Errorf("the board is %.1f by %.1f", hi.X-lo.X, hi.Y-lo.Y)
			}
			if x, y := (lo.X+hi.X)/2, (lo.Y+hi.Y)/2; math.Abs(x-canvasWidth/2) > 1e-6 || math.Abs(y-canvasHeight/2) > 1e-6 {
				t.Errorf("its middle lies at %.1f, %.1f", x, y)
			}
			if tl, tr := m.apply(c[0]), m.apply(c[1]); tr.X <= tl.X {
				t.Errorf("its top left corner %v lies right of the top right one %v", tl, tr)
			}
		})
	}
}

// drawnBoard returns a plain board with one large white die of five pips at 500, 360, and its geometry.
func drawnBoard(tb testing.TB) (gocv.Mat, *Geometry) {
	tb.Helper()
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(40, 70, 30, 0), 720, 1280, gocv.MatTypeCV8UC3)
	gocv.Rectangle(&img, image.Rect(300, 100, 980, 640), color.RGBA{60, 110, 70, 0}, -1)
	gocv.Rectangle(&img, image.Rect(625, 100, 655, 640), color.RGBA{70, 40, 20, 0}, -1)
	gocv.Rectangle(&img, image.Rect(489, 349, 511, 371), color.RGBA{240, 240, 235, 0}, -1)
	for _, p := range []image.Point{{494, 354}, {506, 354}, {500, 360}, {494, 366}, {506, 366}} {
		gocv.Circle(&img, p, 2, color.RGBA{10, 10, 10, 0}, -1)
	}
	g, err := NewGeometry([4]Pixel{{300, 100}, {980, 100}, {980, 640}, {300, 640}}, 0.478, 0.522)
	if err != nil {
		tb.Fatal(err)
	}
	return img, g
}

func TestAPictureThatCannotBeReadIsRefused(t *testing.T) {
	f := newFinder(t)
	_, g := drawnBoard(t)
	empty := gocv.NewMat()
	defer empty.Close()
	if _, _, err := f.Find(empty, g); err == nil {
		t.Error("an empty picture was taken")
	}
	for _, kind := range []gocv.MatType{gocv.MatTypeCV8UC1, gocv.MatTypeCV16UC3, gocv.MatTypeCV8UC4} {
		m := gocv.NewMatWithSize(100, 100, kind)
		if _, _, err := f.Find(m, g); err == nil {
			t.Errorf("a picture of type %d was taken", kind)
		}
		m.Close()
	}
	tiny := gocv.NewMatWithSize(1, 1, gocv.MatTypeCV8UC3)
	defer tiny.Close()
	for _, geometry := range []*Geometry{g, nil} {
		if _, _, err := f.Find(tiny, geometry); err != nil {
			t.Errorf("one pixel: %v", err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	f := newFinder(b)
	rows := sharedRows(b, "stills/dev/truth.jsonl")
	img := gocv.IMRead("../../shared/data/stills/dev/"+rows[0].Image, gocv.IMReadColor)
	defer img.Close()
	g := rows[0].geometry(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := f.Find(img, g); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLocate(b *testing.B) {
	f := newFinder(b)
	img, g := drawnBoard(b)
	defer img.Close()
	for b.Loop() {
		if _, err := f.locator.locate(img, canvasOf(g.Corners)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadOneDie(b *testing.B) {
	f := newFinder(b)
	img, _ := drawnBoard(b)
	defer img.Close()
	for b.Loop() {
		if _, err := f.reader.read(img, Pixel{500, 360}, 22, affine{a: 1, e: 1}, [4]float32{}); err != nil {
			b.Fatal(err)
		}
	}
}

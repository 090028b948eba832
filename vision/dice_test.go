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
		f.locator.begin()
		if err := f.locator.look(img, canvasOf(g.Corners), everyWay[0]); err != nil {
			b.Fatal(err)
		}
		f.locator.hottest(canvasOf(g.Corners))
	}
}

func BenchmarkReadOneDie(b *testing.B) {
	f := newFinder(b)
	img, _ := drawnBoard(b)
	defer img.Close()
	for b.Loop() {
		if _, err := f.reader.read(img, Pixel{500, 360}, 22, affine{a: 1, e: 1}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestTheStanceTellsWhereUpPoints(t *testing.T) {
	size := image.Pt(1280, 720)
	for name, lean := range map[string]float64{"from above": 0, "leaning": 25, "oblique": 45} {
		t.Run(name, func(t *testing.T) {
			// A board of 1.1 by 1 before a camera of the usual focal length, 2 away, that leans towards the viewer.
			f, s, c := usualFocus*1280, math.Sin(lean*math.Pi/180), math.Cos(lean*math.Pi/180)
			see := func(x, y, z float64) Pixel {
				z, y = 2-s*y-c*z, c*y-s*z
				return Pixel{640 + f*x/z, 360 + f*y/z}
			}
			g, err := NewGeometry([4]Pixel{see(-0.55, -0.5, 0), see(0.55, -0.5, 0), see(0.55, 0.5, 0), see(-0.55, 0.5, 0)}, 0.5, 0.5)
			if err != nil {
				t.Fatal(err)
			}
			st := stanceOf(g, size)
			for _, p := range [][2]float64{{0, 0}, {0.5, 0.4}, {-0.3, -0.4}} {
				const e = 0.001
				foot, top, side := see(p[0], p[1], 0), see(p[0], p[1], e), see(p[0]+e, p[1], 0)
				width := math.Hypot(side.X-foot.X, side.Y-foot.Y)
				want := Pixel{(top.X - foot.X) / width, (top.Y - foot.Y) / width}
				if got := st.up(foot); math.Hypot(got.X-want.X, got.Y-want.Y) > 0.08 {
					t.Errorf("at %v up points to %.3f, want %.3f", p, got, want)
				}
			}
		})
	}
}

package vision

import (
	"image"
	"math"
	"testing"

	"davar/rules"

	"gocv.io/x/gocv"
)

// throughLens returns img as a lens that bends by so much would have taken it, and where it shows what img shows at a place.
func throughLens(t *testing.T, img gocv.Mat, bend float64) (gocv.Mat, func(Pixel) Pixel) {
	t.Helper()
	w, h := float64(img.Cols()), float64(img.Rows())
	l := &lens{bend: bend, middle: Pixel{w / 2, h / 2}, radius: math.Hypot(w, h) / 2}
	wide := 1 / (1 + bend) // the corners of the picture stay where they are
	x, y := gocv.NewMatWithSize(img.Rows(), img.Cols(), gocv.MatTypeCV32F), gocv.NewMatWithSize(img.Rows(), img.Cols(), gocv.MatTypeCV32F)
	defer x.Close()
	defer y.Close()
	for row := range img.Rows() {
		for col := range img.Cols() {
			p := l.straight(Pixel{float64(col), float64(row)})
			x.SetFloatAt(row, col, float32(w/2+(p.X-w/2)/wide))
			y.SetFloatAt(row, col, float32(h/2+(p.Y-h/2)/wide))
		}
	}
	out := gocv.NewMat()
	t.Cleanup(func() { out.Close() })
	gocv.Remap(img, &out, &x, &y, gocv.InterpolationLinear, gocv.BorderReplicate, black)
	return out, func(p Pixel) Pixel { return l.bent(Pixel{w/2 + (p.X-w/2)*wide, h/2 + (p.Y-h/2)*wide}) }
}

func TestALensIsUndoneWhereItBends(t *testing.T) {
	corners := [4]Pixel{{300, 80}, {1000, 90}, {1150, 650}, {120, 640}}
	size := image.Pt(1280, 720)
	for _, bend := range bends {
		g, err := NewGeometry(corners, 0.47, 0.53)
		if err != nil {
			t.Fatal(err)
		}
		g = g.through(bend, size)
		if g.Bend() != bend {
			t.Fatalf("bend %g, want %g", g.Bend(), bend)
		}
		for i, c := range unitSquare {
			if p := g.ToPicture(c[0], c[1]); distance(p, corners[i]) > 1e-6 {
				t.Errorf("bend %g: corner %d is shown at %v, want %v", bend, i, p, corners[i])
			}
		}
		for _, uv := range [][2]float64{{0.5, 0}, {0.1, 0.4}, {0.77, 0.9}} {
			u, v := g.ToBoard(g.ToPicture(uv[0], uv[1]))
			if math.Hypot(u-uv[0], v-uv[1]) > 1e-9 {
				t.Errorf("bend %g: %v comes back as %g, %g", bend, uv, u, v)
			}
		}
		// A wide lens makes the edges bulge outwards.
		flat, top := (corners[0].Y+corners[1].Y)/2, g.ToPicture(0.5, 0).Y
		if bulges := top < flat-1; bulges != (bend < 0) {
			t.Errorf("bend %g: the middle of the upper edge is shown at %g, between corners at %g", bend, top, flat)
		}
	}
}

func TestABoardSeenThroughAWideLensIsReadAsWellAsThroughAStraightOne(t *testing.T) {
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	img := bundledPicture(t)
	defer img.Close()
	want, err := r.ReadAt(img, bundledCorners)
	if err != nil {
		t.Fatal(err)
	}
	bent, at := throughLens(t, img, -0.28)
	var corners [4]Pixel
	for i, c := range bundledCorners {
		corners[i] = at(c)
	}
	got, err := r.ReadAt(bent, corners)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range triangles {
		n, _ := got.point(p).Counts.Best()
		if m, _ := want.point(p).Counts.Best(); n != m {
			t.Errorf("%v holds %d, seen through the lens %d", p, m, n)
		}
	}
}

func TestTheLensIsLearnedFromTheStartingPosition(t *testing.T) {
	film, err := gocv.VideoCaptureFile("../../shared/data/seq/dev1/video.mp4")
	if err != nil {
		t.Skip("the shared films are not here")
	}
	defer film.Close()
	img := gocv.NewMat()
	defer img.Close()
	if !film.Read(&img) {
		t.Skip("the shared films are not here")
	}
	rows := sharedRows(t, "seq/dev1/truth.jsonl")
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, bend := range []float64{0, -0.4} {
		bent, at := throughLens(t, img, bend)
		var corners [4]Pixel
		for i, c := range rows[0].Corners {
			corners[i] = at(Pixel{c[0], c[1]})
		}
		c, _, err := r.Calibrate(bent, &corners, Layout{"light", "right"})
		if err != nil {
			t.Fatalf("bend %g: %v", bend, err)
		}
		if math.Abs(c.Bend-bend) > 0.15 {
			t.Errorf("a lens that bends by %g is taken for one that bends by %g", bend, c.Bend)
		}
		reading, err := r.ReadCalibrated(bent, c)
		if err != nil {
			t.Fatal(err)
		}
		start := rules.Start(rules.Standard)
		if pos, err := Layout(c.Layout).Position(reading); err != nil || pos.Checkers != start.Checkers {
			t.Errorf("bend %g: read %v, %v", bend, pos, err)
		}
	}
}

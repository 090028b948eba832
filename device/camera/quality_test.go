package camera

import (
	"context"
	"image"
	"image/color"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// chequers draws a sharp pattern of two shades.
func chequers(dark, light uint8) gocv.Mat {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(float64(dark), float64(dark), float64(dark), 0), 720, 1280, gocv.MatTypeCV8UC3)
	for y := 0; y < 720; y += 60 {
		for x := (y / 60 % 2) * 60; x < 1280; x += 120 {
			gocv.Rectangle(&img, image.Rect(x, y, x+60, y+60), color.RGBA{light, light, light, 0}, -1)
		}
	}
	return img
}

func TestAPictureIsToldByLightGlareAndSharpness(t *testing.T) {
	for _, c := range []struct {
		name        string
		dark, light uint8
		blur        float64
		wrong       string
	}{
		{"a good one", 60, 180, 0, ""},
		{"taken at night", 2, 30, 0, "dark"},
		{"looking at a lamp", 90, 255, 0, "glare"},
		{"out of focus", 60, 180, 12, "blurred"},
	} {
		t.Run(c.name, func(t *testing.T) {
			img := chequers(c.dark, c.light)
			defer img.Close()
			if c.blur > 0 {
				gocv.GaussianBlur(img, &img, image.Pt(0, 0), c.blur, c.blur, gocv.BorderDefault)
			}
			q := Measure(img)
			wrong := map[string]bool{"dark": q.Light < Dark, "bright": q.Light > Bright, "glare": q.Glare > Glaring, "blurred": q.Sharpness < Blurred}
			for what, is := range wrong {
				if is != (what == c.wrong) {
					t.Errorf("%s is %v in %+v", what, is, q)
				}
			}
		})
	}
	empty := gocv.NewMat()
	defer empty.Close()
	if q := Measure(empty); q != (Quality{}) {
		t.Errorf("no picture is like %+v", q)
	}
}

func TestACameraIsObservedForAWhile(t *testing.T) {
	seen := false
	o, err := observe(context.Background(), &Fake{Pictures: shades(t)}, 0, time.Hour, func(img gocv.Mat) { seen = !img.Empty() })
	if err != nil || !seen {
		t.Fatal(err, seen)
	}
	if o.Pictures != 3 || o.Size != [2]int{64, 48} || o.Rate < 9.9 || o.Rate > 10.1 || o.Frozen {
		t.Errorf("three pictures a tenth of a second apart are told as %+v", o)
	}
	one := grey(t, 90)
	o, err = observe(context.Background(), &Fake{Pictures: []*gocv.Mat{one, one, one, one}}, 0, time.Hour, nil)
	if err != nil || !o.Frozen {
		t.Errorf("a camera that repeats itself is told as %+v, %v", o, err)
	}
	if _, err := observe(context.Background(), &Fake{Pictures: []*gocv.Mat{nil}}, 0, time.Hour, nil); err == nil {
		t.Error("a camera that gives nothing is not told")
	}
}

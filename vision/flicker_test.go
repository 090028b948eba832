package vision

import (
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"
)

// bandedPicture is a still scene under light whose bands are k brighter and darker, with noise, in the n-th picture. cover is how
// many columns from the left something dark covers.
func bandedPicture(t *testing.T, k float64, n, cover int) gocv.Mat {
	t.Helper()
	const cols, rows = 320, 240
	img := gocv.NewMatWithSize(rows, cols, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { img.Close() })
	px, err := img.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	scene, noise := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(2, uint64(n)))
	for y := range rows {
		light := 1 + k*math.Sin(2*math.Pi*(float64(y)/rows+0.292*float64(n)))
		for x := range cols {
			level := 60 + 100*scene.Float64()
			if x < cover {
				level = 25
			}
			for c := range 3 {
				px[3*(y*cols+x)+c] = uint8(level*light + 2*noise.NormFloat64() + 0.5)
			}
		}
	}
	return img
}

// distanceOf is the mean difference of two pictures in grey levels.
func distanceOf(t *testing.T, a, b gocv.Mat) float64 {
	t.Helper()
	d := gocv.NewMat()
	defer d.Close()
	gocv.AbsDiff(a, b, &d)
	m := d.Mean()
	return (m.Val1 + m.Val2 + m.Val3) / 3
}

func TestBandsOfFlickeringLightAreTakenOutOfThePicture(t *testing.T) {
	for name, c := range map[string]struct {
		bands float64
		cover int
	}{
		"strong bands":                      {0.15, 0},
		"weak bands":                        {0.06, 0},
		"strong bands, a third covered":     {0.15, 107},
		"steady light":                      {0, 0},
		"steady light and a hand that came": {0, 107},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFlicker()
			defer f.close()
			for n := range 80 {
				if _, _, err := f.take(bandedPicture(t, c.bands, n, 0)); err != nil {
					t.Fatal(err)
				}
			}
			img := bandedPicture(t, c.bands, 80, c.cover)
			got, _, err := f.take(img)
			if err != nil {
				t.Fatal(err)
			}
			clean := bandedPicture(t, 0, 80, c.cover)
			before, after := distanceOf(t, img, clean), distanceOf(t, got, clean)
			if c.bands == 0 {
				if got.Ptr() != img.Ptr() {
					t.Errorf("a picture in steady light was changed, by %.1f grey levels", after)
				}
				return
			}
			if after > 2.5 || after > 0.6*before {
				t.Errorf("%.1f grey levels off, before %.1f", after, before)
			}
		})
	}
}

func TestACameraThatMovesIsNotTakenForFlicker(t *testing.T) {
	f := newFlicker()
	defer f.close()
	for n := range 60 {
		if _, _, err := f.take(bandedPicture(t, 0, n, 0)); err != nil {
			t.Fatal(err)
		}
	}
	turned := gocv.NewMat()
	defer turned.Close()
	gocv.Flip(bandedPicture(t, 0, 60, 0), &turned, 1)
	for range 60 {
		if got, _, err := f.take(turned); err != nil || got.Ptr() != turned.Ptr() {
			t.Fatalf("the picture was changed, or %v", err)
		}
	}
}

func BenchmarkFlicker(b *testing.B) {
	f := newFlicker()
	defer f.close()
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(90, 120, 100, 0), 720, 1280, gocv.MatTypeCV8UC3)
	defer img.Close()
	for b.Loop() {
		if _, _, err := f.take(img); err != nil {
			b.Fatal(err)
		}
	}
}

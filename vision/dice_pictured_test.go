package vision

import (
	"image"
	"image/color"
	"testing"

	"gocv.io/x/gocv"
)

func TestDiceWithAPictureForANumber(t *testing.T) {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(60, 90, 120, 0), 200, 600, gocv.MatTypeCV8UC3)
	defer img.Close()
	blue, white := color.RGBA{B: 200, R: 30, G: 60}, color.RGBA{R: 240, G: 240, B: 240}
	body := func(x int, c, picture color.RGBA) {
		gocv.Rectangle(&img, image.Rect(x-20, 80, x+20, 120), c, -1)
		gocv.Circle(&img, image.Pt(x, 100), 12, picture, -1)
	}
	body(100, blue, blue)
	body(200, blue, blue)
	body(300, blue, white)                     // of the set, its picture up
	body(400, white, color.RGBA{R: 20, G: 20}) // print on a label
	thing := func(x float64) look { return look{at: Pixel{x, 100}, size: 40, real: 0.8, kind: [3]float32{2: 1}} }
	showing := func(x float64, n int) look {
		l := look{at: Pixel{x, 100}, size: 40, real: 0.99, kind: [3]float32{1: 1}}
		l.value[n] = 1
		return l
	}
	f := newFinder(t)
	s := scene{img: img, upright: affine{a: 1, e: 1}}
	for _, c := range []struct {
		name   string
		dice   []look
		things []look
		values []int
	}{
		{"where others show a six in pips it stands for the one", []look{showing(100, 6), showing(200, 3)}, []look{thing(300)}, []int{1}},
		{"where others show a one in pips it stands for the six", []look{showing(100, 1), showing(200, 3)}, []look{thing(300)}, []int{6}},
		{"what is not of the dice's material is none", []look{showing(100, 6), showing(200, 3)}, []look{thing(400)}, nil},
		{"what lies where a die lies is none", []look{showing(100, 6), showing(200, 3)}, []look{thing(203)}, nil},
		{"without a die with pips it is not known for a die", nil, []look{thing(300)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := f.pictured(&s, c.dice, c.things)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(c.values) {
				t.Fatalf("%d dice, not %d", len(got), len(c.values))
			}
			for i, v := range c.values {
				if got[i].value[v] < 0.8 {
					t.Errorf("a %d is given %.2f: %v", v, got[i].value[v], got[i].value)
				}
			}
		})
	}
}

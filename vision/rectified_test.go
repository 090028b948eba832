package vision

import (
	"image/color"
	"math"
	"testing"

	"gocv.io/x/gocv"
)

func TestARectifiedBoardHasItsCornersInTheCorners(t *testing.T) {
	img := gocv.NewMatWithSize(400, 600, gocv.MatTypeCV8UC3)
	defer img.Close()
	corners := [4]Pixel{{X: 120, Y: 60}, {X: 500, Y: 90}, {X: 560, Y: 350}, {X: 60, Y: 330}}
	for _, c := range corners {
		gocv.Circle(&img, pixelAt(c), 6, color.RGBA{R: 255}, -1)
	}
	g, err := NewGeometry(corners, 0.48, 0.52)
	if err != nil {
		t.Fatal(err)
	}
	view := gocv.NewMat()
	defer view.Close()
	Rectify(img, g, 500, &view)
	if view.Cols() != 500 {
		t.Fatalf("%d pixels wide", view.Cols())
	}
	for _, at := range [][2]int{{30, 30}, {30, 469}, {view.Rows() - 31, 30}, {view.Rows() - 31, 469}} {
		if red := view.GetVecbAt(at[0], at[1])[2]; math.Abs(float64(red)-255) > 40 {
			t.Errorf("at row %d, column %d the red is %d: no corner lies there", at[0], at[1], red)
		}
	}
}

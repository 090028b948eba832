package vision

import (
	"encoding/json"
	"testing"
	"time"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

func describedReading(t *testing.T) *Reading {
	t.Helper()
	r := startReading()
	var err error
	if r.Geometry, err = NewGeometry(bundledCorners, 0.46, 0.54); err != nil {
		t.Fatal(err)
	}
	r.Top[3].Hidden = true
	r.Took = 12345 * time.Microsecond
	r.Dice = []Die{{Die: sighting.Die{Values: [7]float32{5: 0.9, 2: 0.1}, Place: sighting.OnBar, Real: 1}, Center: Pixel{400, 300}, Size: 20}}
	r.Cube = &Cube{Center: Pixel{600, 350}, Values: map[int]float32{64: 0.8, 2: 0.2}, Real: 1, U: 0.5, V: 0.5}
	return r
}

func TestADescriptionHasTheFieldsOfATruthFile(t *testing.T) {
	d := Describe(describedReading(t), "a.jpg", [2]int{1280, 720}, Layout{"light", "right"})
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"image": `"a.jpg"`, "size": `[1280,720]`, "top": `[5,0,0,0,-3,0,-5,0,0,0,0,2]`, "ms": `12.3`,
		"bar":  `{"light":0,"dark":0}`,
		"dice": `[{"value":5,"center":[400,300],"on":"bar","cocked":false,"confidence":0.9}]`,
		"cube": `{"value":64,"center":[600,350],"where":"middle","confidence":0.8}`,
	} {
		if string(fields[name]) != want {
			t.Errorf("%s is %s, want %s", name, fields[name], want)
		}
	}
	if !d.Hidden.Top[3] || d.Confidence.Top[0] != 1 {
		t.Errorf("hidden %v, confidence %v", d.Hidden.Top[3], d.Confidence.Top[0])
	}
}

func TestTheCubeIsHisWhoseSideItLiesOn(t *testing.T) {
	g, err := NewGeometry(bundledCorners, 0.46, 0.54)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		u, v   float64
		bottom string
		want   sighting.CubePlace
	}{
		{0.5, 0.5, "light", sighting.CubeMiddle},
		{-0.08, 0.5, "light", sighting.CubeMiddle},
		{0.5, 0.95, "light", sighting.CubeLight},
		{1.05, 0.9, "dark", sighting.CubeDark},
		{-0.05, 0.05, "light", sighting.CubeDark},
		{0.5, 0.02, "dark", sighting.CubeLight},
		{0.2, 0.5, "light", sighting.CubeOfferedLeft},
		{0.8, 0.45, "light", sighting.CubeOfferedRight},
	} {
		if got := (Layout{c.bottom, "right"}).cube(&Cube{U: c.u, V: c.v}, g); got != c.want {
			t.Errorf("cube at %.2f, %.2f with %s at the bottom: %v, want %v", c.u, c.v, c.bottom, got, c.want)
		}
	}
}

func TestAnOverlayMarksThePictureAndNothingBeyondIt(t *testing.T) {
	img := gocv.NewMatWithSize(720, 1280, gocv.MatTypeCV8UC3)
	defer img.Close()
	Overlay(&img, describedReading(t))
	if img.Cols() != 1280 || img.Rows() != 720 {
		t.Fatalf("the picture became %d×%d", img.Cols(), img.Rows())
	}
	if sum := img.Sum(); sum.Val1+sum.Val2+sum.Val3 == 0 {
		t.Error("nothing was drawn")
	}
}

package vision

import (
	"errors"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"gocv.io/x/gocv"
)

// scaled returns the corners in a picture k times as large, then moved.
func scaled(corners [4]Pixel, k, dx, dy float64) (c [4]Pixel) {
	for i, p := range corners {
		c[i] = Pixel{p.X*k + dx, p.Y*k + dy}
	}
	return c
}

// pictures returns the bundled picture in every shape that cameras and telephones give, with its corners in each.
func pictures(t *testing.T) map[string]struct {
	img     gocv.Mat
	corners [4]Pixel
} {
	t.Helper()
	img := bundledPicture(t)
	t.Cleanup(func() { img.Close() })
	made := func(draw func(to *gocv.Mat)) gocv.Mat {
		m := gocv.NewMat()
		t.Cleanup(func() { m.Close() })
		draw(&m)
		return m
	}
	pad := func(left, right, top, bottom int) func(*gocv.Mat) {
		return func(to *gocv.Mat) {
			gocv.CopyMakeBorder(img, to, top, bottom, left, right, gocv.BorderConstant, black)
		}
	}
	c := bundledCorners
	return map[string]struct {
		img     gocv.Mat
		corners [4]Pixel
	}{
		"grey":                 {made(func(to *gocv.Mat) { gocv.CvtColor(img, to, gocv.ColorBGRToGray) }), c},
		"of 16 bits a channel": {made(func(to *gocv.Mat) { img.ConvertToWithParams(to, gocv.MatTypeCV16UC3, 257, 0) }), c},
		"four to three":        {made(pad(0, 0, 120, 120)), scaled(c, 1, 0, 120)},
		"portrait":             {made(pad(0, 0, 700, 860)), scaled(c, 1, 0, 700)},
		"very wide":            {made(pad(900, 400, 0, 0)), scaled(c, 1, 900, 0)},
		"8K":                   {made(func(to *gocv.Mat) { gocv.Resize(img, to, image.Pt(7680, 4320), 0, 0, gocv.InterpolationLinear) }), scaled(c, 6, 2.5, 2.5)},
		"640 by 360":           {made(func(to *gocv.Mat) { gocv.Resize(img, to, image.Pt(640, 360), 0, 0, gocv.InterpolationArea) }), scaled(c, 0.5, -0.25, -0.25)},
	}
}

func TestPicturesOfEveryShapeAreRead(t *testing.T) {
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for name, p := range pictures(t) {
		reading, err := r.ReadAt(p.img, p.corners)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wrong := 0
		for _, q := range triangles {
			if n, _ := reading.point(q).Counts.Best(); n != q.of(&bundledCounts) && (name != "grey" || abs(n) != abs(q.of(&bundledCounts))) {
				wrong++
			}
		}
		if wrong > 1 {
			t.Errorf("%s: %d points are read wrong", name, wrong)
		}
	}
}

func TestAPictureWithoutABoardIsSaidToHaveNone(t *testing.T) {
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	random := rand.New(rand.NewPCG(3, 4))
	flat := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(90, 120, 140, 0), 480, 640, gocv.MatTypeCV8UC3)
	defer flat.Close()
	noise := gocv.NewMatWithSize(480, 640, gocv.MatTypeCV8UC3)
	defer noise.Close()
	px, err := noise.DataPtrUint8()
	if err != nil {
		t.Fatal(err)
	}
	for i := range px {
		px[i] = uint8(random.IntN(256))
	}
	for name, img := range map[string]gocv.Mat{"nothing": flat, "noise": noise} {
		_, err := r.Read(img)
		if !errors.Is(err, ErrNoBoard) {
			t.Errorf("%s: %v", name, err)
		} else if !strings.Contains(err.Error(), "show the whole board") {
			t.Errorf("%s: the error does not say what to do: %v", name, err)
		}
	}
}

func TestAPartOfABoardIsNotTakenForAWholeOne(t *testing.T) {
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	img := bundledPicture(t)
	defer img.Close()
	w, h := img.Cols(), img.Rows()
	for name, part := range map[string]image.Rectangle{
		"left half": image.Rect(0, 0, w/2, h), "right half": image.Rect(w/2, 0, w, h), "lower half": image.Rect(0, h/2, w, h),
	} {
		region := img.Region(part)
		half := region.Clone()
		region.Close()
		if _, err := r.Read(half); !errors.Is(err, ErrPartOfBoard) && !errors.Is(err, ErrNoBoard) {
			t.Errorf("the %s of a board alone: got error %v, want ErrPartOfBoard or ErrNoBoard", name, err)
		}
		half.Close()
	}
}

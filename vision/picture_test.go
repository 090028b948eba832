package vision

import (
	"testing"

	"gocv.io/x/gocv"
)

func TestPicturesOfEveryKindAreTaken(t *testing.T) {
	p := newPicture()
	defer p.close()
	for name, kind := range map[string]gocv.MatType{
		"grey": gocv.MatTypeCV8UC1, "colour": gocv.MatTypeCV8UC3, "transparent": gocv.MatTypeCV8UC4,
		"deep grey": gocv.MatTypeCV16UC1, "deep colour": gocv.MatTypeCV16UC3,
	} {
		img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(100, 100, 100, 100), 90, 120, kind)
		bgr, err := p.take(img)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if bgr.Type() != gocv.MatTypeCV8UC3 || bgr.Cols() != 120 || bgr.Rows() != 90 {
			t.Errorf("%s became type %v, %d×%d", name, bgr.Type(), bgr.Cols(), bgr.Rows())
		}
		img.Close()
	}
}

func TestPicturesThatCannotBeReadAreRefused(t *testing.T) {
	p := newPicture()
	defer p.close()
	empty := gocv.NewMat()
	tiny := gocv.NewMatWithSize(20, 2000, gocv.MatTypeCV8UC3)
	floats := gocv.NewMatWithSize(90, 120, gocv.MatTypeCV32FC3)
	pairs := gocv.NewMatWithSize(90, 120, gocv.MatTypeCV8UC2)
	for name, img := range map[string]gocv.Mat{"empty": empty, "tiny": tiny, "of floats": floats, "of two channels": pairs} {
		if _, err := p.take(img); err == nil {
			t.Errorf("a picture that is %s was taken", name)
		}
		img.Close()
	}
}

package vision

import (
	"errors"
	"fmt"

	"gocv.io/x/gocv"
)

// smallest is the least width and height of a picture that a board can be read from, in pixels.
const smallest = 64

// picture turns any picture OpenCV can hold into BGR of 8 bits a channel. It owns the Mats of the conversion.
type picture struct {
	bgr, deep gocv.Mat
}

func newPicture() *picture { return &picture{bgr: gocv.NewMat(), deep: gocv.NewMat()} }

func (p *picture) close() {
	p.bgr.Close()
	p.deep.Close()
}

// take returns img itself or its conversion, which is valid until the next call.
func (p *picture) take(img gocv.Mat) (gocv.Mat, error) {
	if img.Empty() {
		return img, errors.New("vision: read a picture: it is empty; give a JPEG or PNG file or a camera that works")
	}
	if img.Cols() < smallest || img.Rows() < smallest {
		return img, fmt.Errorf("vision: read a picture: %d×%d pixels are too few; it must be at least %d pixels wide and high", img.Cols(), img.Rows(), smallest)
	}
	channels := img.Channels()
	if channels != 1 && channels != 3 && channels != 4 {
		return img, fmt.Errorf("vision: read a picture: it has %d channels; it must be grey or colour", channels)
	}
	switch img.Type() & 7 {
	case gocv.MatTypeCV8U:
	case gocv.MatTypeCV16U:
		img.ConvertToWithParams(&p.deep, gocv.MatTypeCV8U, 1.0/257, 0)
		img = p.deep
	default:
		return img, errors.New("vision: read a picture: its depth is not 8 or 16 bits a channel; save it as JPEG or PNG")
	}
	switch channels {
	case 1:
		gocv.CvtColor(img, &p.bgr, gocv.ColorGrayToBGR)
		return p.bgr, nil
	case 4:
		gocv.CvtColor(img, &p.bgr, gocv.ColorBGRAToBGR)
		return p.bgr, nil
	}
	return img, nil
}

package vision

import (
	"errors"
	"image"
	"time"

	"gocv.io/x/gocv"
)

// ErrNoBoard says that no board was found in the picture.
var ErrNoBoard = errors.New("vision: find the board: no backgammon board is in the picture; show the whole board, or give its corners")

// Reader reads single pictures, each for itself. It owns its Mats and networks; Close frees them. It is not safe
// for concurrent use.
type Reader struct {
	picture *picture
	board   *boardFinder
	points  *pointReader
	dice    *Finder
	trays   *trayReader
	looks   *looker
}

// NewReader returns a reader; it fails when the installed OpenCV cannot run its networks.
func NewReader() (*Reader, error) {
	board, points, dice, err := openNetworks()
	if err != nil {
		return nil, err
	}
	r := &Reader{picture: newPicture(), board: board, points: points, dice: dice, looks: newLooker()}
	if r.trays, err = newTrayReader(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// openNetworks opens what reads a picture; after an error nothing stays open.
func openNetworks() (*boardFinder, *pointReader, *Finder, error) {
	board, err := newBoardFinder()
	if err != nil {
		return nil, nil, nil, err
	}
	points, err := newPointReader()
	if err != nil {
		board.close()
		return nil, nil, nil, err
	}
	dice, err := NewFinder()
	if err != nil {
		board.close()
		points.close()
		return nil, nil, nil, err
	}
	return board, points, dice, nil
}

// Close frees the reader's Mats and networks.
func (r *Reader) Close() error {
	r.picture.close()
	r.board.close()
	r.points.close()
	r.looks.close()
	if r.trays != nil {
		r.trays.close()
	}
	return r.dice.Close()
}

// Read finds the board in img (grey or colour, 8 or 16 bits a channel, at least 64×64) and reads it. It fails with
// ErrNoBoard when there is none, with ErrPartOfBoard when what is there cannot be a whole one.
func (r *Reader) Read(img gocv.Mat) (*Reading, error) {
	began := time.Now()
	bgr, err := r.picture.take(img)
	if err != nil {
		return nil, err
	}
	g, err := r.board.find(bgr)
	if err != nil {
		return nil, err
	}
	reading, err := r.read(bgr, g, nil, began)
	if err == nil && isPartial(reading, image.Pt(bgr.Cols(), bgr.Rows())) {
		return nil, ErrPartOfBoard
	}
	return reading, err
}

// ReadAt reads the board whose playing surface has the given corners in img: TL, TR, BR, BL of the rectified view.
// The bar's edges are found in the picture.
func (r *Reader) ReadAt(img gocv.Mat, corners [4]Pixel) (*Reading, error) {
	began := time.Now()
	bgr, err := r.picture.take(img)
	if err != nil {
		return nil, err
	}
	g, _, err := r.board.at(bgr, corners)
	if err != nil {
		return nil, err
	}
	if g, err = r.points.seeThrough(bgr, g, (*Reading).clarity); err != nil {
		return nil, err
	}
	return r.read(bgr, g, nil, began)
}

// ReadCalibrated reads the board that c describes, where c says that it lies, weighed by what its points and checkers
// look like.
func (r *Reader) ReadCalibrated(img gocv.Mat, c *Calibration) (*Reading, error) {
	began := time.Now()
	bgr, err := r.picture.take(img)
	if err != nil {
		return nil, err
	}
	g, _, err := r.board.at(bgr, c.Pixels([2]int{bgr.Cols(), bgr.Rows()}))
	if err != nil {
		return nil, err
	}
	if c.Bar[0] > 0 {
		g.BarLeft, g.BarRight = c.Bar[0], c.Bar[1]
	}
	return r.read(bgr, g.through(c.Bend, image.Pt(bgr.Cols(), bgr.Rows())), c.Looks, began)
}

// Calibrate learns a board from a picture of it in the starting position: where it lies (corners as for ReadAt; nil:
// it is found), which of the four layouts it has (SETUP-3), what its points and checkers look like. When the picture
// does not show the starting position it returns ErrNoStart and a calibration that knows the place alone, with the
// layout supposed.
func (r *Reader) Calibrate(img gocv.Mat, corners *[4]Pixel, supposed Layout) (*Calibration, *Reading, error) {
	var reading *Reading
	var err error
	if corners != nil {
		reading, err = r.ReadAt(img, *corners)
	} else {
		reading, err = r.Read(img)
	}
	if err != nil {
		return nil, nil, err
	}
	size := [2]int{img.Cols(), img.Rows()}
	counts, layout, p := findStart(reading)
	if p < startSure {
		if reading, err = r.readStart(img, reading.Geometry); err != nil {
			return nil, nil, err
		}
		counts, layout, p = findStart(reading)
	}
	if p < startSure {
		return newCalibration(reading.Geometry, size, supposed, nil), reading, ErrNoStart
	}
	bgr, err := r.picture.take(img)
	if err != nil {
		return nil, nil, err
	}
	looks, err := r.looks.learn(bgr, reading.Geometry, &counts)
	if err != nil {
		return nil, nil, err
	}
	return newCalibration(reading.Geometry, size, layout, looks), reading, nil
}

// readStart reads the board again through the lens by which it shows the starting position most probably.
func (r *Reader) readStart(img gocv.Mat, g *Geometry) (*Reading, error) {
	began := time.Now()
	bgr, err := r.picture.take(img)
	if err != nil {
		return nil, err
	}
	if g, err = r.points.seeThrough(bgr, g, (*Reading).startClarity); err != nil {
		return nil, err
	}
	return r.read(bgr, g, nil, began)
}

// read reads the board that g places; looks nil: what it looks like is not known.
func (r *Reader) read(bgr gocv.Mat, g *Geometry, looks *Appearance, began time.Time) (*Reading, error) {
	reading := &Reading{Geometry: g}
	if err := r.points.read(bgr, g, everyAspect[:], reading); err != nil {
		return nil, err
	}
	if looks != nil {
		if err := r.looks.weigh(bgr, g, looks, reading); err != nil {
			return nil, err
		}
	}
	beside, err := r.trays.read(bgr, g, r.points.view())
	if err != nil {
		return nil, err
	}
	conserve(reading, weighTrays(&beside))
	for side := range reading.Off {
		reading.Off[side].Visible = seenTrays(&beside)
	}
	if reading.Dice, reading.Cube, err = r.dice.FindCarefully(bgr, g); err != nil {
		return nil, err
	}
	weighGround(reading)
	weighLean(reading)
	reading.Took = time.Since(began)
	return reading, nil
}

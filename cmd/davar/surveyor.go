package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"davar/device/web"
	"davar/vision"
)

// pictureWait is how long the first picture may take after somebody has asked.
const pictureWait = 5 * time.Second

// surveyor calibrates a running table from the console: it reads the newest picture at corners that a person drags, keeps
// what was learned as davar calibrate does, and has the eye go on with it.
type surveyor struct {
	window   *window
	supposed vision.Layout
	keep     string // file of the calibration
	put      func(*vision.Calibration) error

	mu     sync.Mutex
	reader *vision.Reader // nil: not needed yet
	kept   *vision.Calibration
}

// Try implements web.Calibrator.
func (s *surveyor) Try(ctx context.Context, corners *[4]web.Corner) (*web.Calibrated, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	board, reading, img, err := s.read(ctx, corners)
	if err != nil {
		return nil, err
	}
	defer img.Close()
	found := &web.Calibrated{Corners: board.Corners, Size: board.Size, Start: board.Looks != nil}
	said := vision.Describe(reading, "", board.Size, s.supposed)
	found.Top, found.Bottom, found.Bar = said.Top, said.Bottom, [2]int{said.Bar.Light, said.Bar.Dark}
	found.Sure = 1
	for i := range 12 {
		found.Sure = min(found.Sure, said.Confidence.Top[i], said.Confidence.Bottom[i])
	}
	vision.Overlay(&img, reading)
	view := gocv.NewMat()
	defer view.Close()
	vision.Rectify(img, reading.Geometry, viewWidth, &view)
	found.View, err = encodeJPEG(view, drawnQuality)
	return found, err
}

// viewWidth is that of the rectified view, in pixels.
const viewWidth = 720

// Keep implements web.Calibrator.
func (s *surveyor) Keep(ctx context.Context, corners [4]web.Corner) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	board, _, img, err := s.read(ctx, &corners)
	if err != nil {
		return err
	}
	img.Close()
	if err := os.MkdirAll(filepath.Dir(s.keep), 0o700); err != nil {
		return fmt.Errorf("write the calibration: %w", err)
	}
	if err := writeCalibration(s.keep, board); err != nil {
		return err
	}
	if err := s.put(board); err != nil {
		return err
	}
	s.kept = board
	return nil
}

// read calibrates on the newest picture, which the caller closes.
func (s *surveyor) read(ctx context.Context, corners *[4]web.Corner) (*vision.Calibration, *vision.Reading, gocv.Mat, error) {
	var at *[4]vision.Pixel
	if corners != nil {
		at = &[4]vision.Pixel{}
		for i, c := range corners {
			at[i] = vision.Pixel{X: c[0], Y: c[1]}
		}
		if _, err := vision.NewGeometry(*at, 0.5, 0.5); err != nil {
			return nil, nil, gocv.Mat{}, err
		}
	}
	if s.reader == nil {
		reader, err := vision.NewReader()
		if err != nil {
			return nil, nil, gocv.Mat{}, err
		}
		s.reader = reader
	}
	jpeg, _, err := awaitPicture(ctx, s.window.Plain)
	if err != nil {
		return nil, nil, gocv.Mat{}, err
	}
	img, err := gocv.IMDecode(jpeg, gocv.IMReadColor)
	if err != nil {
		return nil, nil, gocv.Mat{}, fmt.Errorf("read the camera's picture: %w", err)
	}
	board, reading, err := s.reader.Calibrate(img, at, s.supposed)
	if err != nil && !errors.Is(err, vision.ErrNoStart) {
		img.Close()
		return nil, nil, gocv.Mat{}, err
	}
	return board, reading, img, nil
}

// awaitPicture returns the newest picture, and waits for one where nobody has looked before.
func awaitPicture(ctx context.Context, look func() ([]byte, time.Time, bool)) ([]byte, time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, pictureWait)
	defer cancel()
	again := time.NewTicker(windowEvery / 4)
	defer again.Stop()
	for {
		if jpeg, taken, ok := look(); ok {
			return jpeg, taken, nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, time.Time{}, errors.New("the camera gives no picture now")
		}
	}
}

// last returns the calibration that was kept since the start, nil when none was.
func (s *surveyor) last() *vision.Calibration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept
}

func (s *surveyor) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader != nil {
		s.reader.Close()
	}
}

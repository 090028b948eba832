package main

import (
	"bytes"
	"errors"
	"image/jpeg"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gocv.io/x/gocv"

	"davar/config"
	"davar/device/web"
	"davar/rules/referee"
	"davar/vision"
)

// cornersUnderWay are underWayCorners as the console sends them.
var cornersUnderWay = [4]web.Corner{{295.4, 126.9}, {924.3, 89.5}, {1034.4, 600}, {193.6, 616.5}}

var settingsLayout = referee.Layout{Bottom: "light", Home: "right"}

func TestTheConsoleCalibratesARunningTable(t *testing.T) {
	img := gocv.IMRead(underWay, gocv.IMReadColor)
	defer img.Close()
	watcher, err := openEye(settingsLayout, nil, nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	eye := &eyes{now: watcher}
	w := newWindow(slog.New(slog.DiscardHandler))
	c := config.Default()
	c.Journal.Path = filepath.Join(t.TempDir(), "davar.db")
	s := &surveyor{window: w, supposed: vision.Layout{Bottom: "light", Home: "right"}, keep: c.CalibrationFile(), put: func(c *vision.Calibration) error {
		corners := c.Pixels(c.Size)
		next, err := openEye(settingsLayout, &corners, c.Looks, c.Bend, 0)
		if err == nil {
			eye.Put(next)
		}
		return err
	}}
	defer func() { eye.Close(); w.close(); s.close() }()

	if _, _, ok := w.Plain(); ok {
		t.Error("there is a picture before one was seen")
	}
	for tries := 0; ; tries++ { // asked for, it is made aside
		if _, err := eye.Watch(img, time.Duration(tries)*100*time.Millisecond, tries); err != nil {
			t.Fatal(err)
		}
		w.see(img, eye.Reading())
		w.work.Wait()
		if _, _, ok := w.Drawn(); ok {
			break
		}
		if tries > 100 {
			t.Fatal("no picture comes")
		}
	}
	plain, _, _ := w.Plain()
	if size, err := jpeg.DecodeConfig(bytes.NewReader(plain)); err != nil || size.Width != img.Cols() {
		t.Errorf("the picture is %+v, %v", size, err)
	}

	seen, err := s.Try(t.Context(), &cornersUnderWay)
	if err != nil {
		t.Fatal(err)
	}
	if size, err := jpeg.DecodeConfig(bytes.NewReader(seen.View)); err != nil || size.Width != viewWidth || seen.Corners != cornersUnderWay || seen.Start {
		t.Errorf("tried %+v, view %+v, %v", seen.Corners, size, err)
	}
	if _, err := s.Try(t.Context(), &[4]web.Corner{{1, 1}, {2, 2}, {1, 1}, {2, 2}}); err == nil {
		t.Error("corners that are none are read")
	}
	before := eye.now
	if err := s.Keep(t.Context(), cornersUnderWay); err != nil {
		t.Fatal(err)
	}
	if _, err := eye.Watch(img, time.Minute, 1000); err != nil || eye.now == before {
		t.Errorf("the eye goes on as it was: %v", err)
	}
	board, err := tableCalibration(&c)
	if err != nil || board == nil || board.Corners != cornersUnderWay {
		t.Errorf("kept for the next start: %+v, %v", board, err)
	}
}

func TestWithoutACalibrationTheBoardIsFoundAtTheStart(t *testing.T) {
	c := config.Default()
	c.Journal.Path = filepath.Join(t.TempDir(), "davar.db")
	if board, err := tableCalibration(&c); board != nil || err != nil {
		t.Errorf("%v, %v", board, err)
	}
	c.Camera.Calibration = filepath.Join(t.TempDir(), "named.json")
	if _, err := tableCalibration(&c); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is named and is not there: %v", err)
	}
}

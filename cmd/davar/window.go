package main

import (
	"image"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"davar/vision"
)

const (
	windowEvery  = 700 * time.Millisecond // between pictures, while somebody looks
	windowWanted = 5 * time.Second        // how long somebody counts as looking after he asked
	windowOld    = 10 * time.Second       // an older picture is none
	windowWidth  = 1280                   // pixels of the picture with the reading drawn in
	plainQuality = 88                     // people place corners on it
	drawnQuality = 75
)

// window keeps the newest picture for those who look at it from afar. Pictures are made only while somebody asks for them,
// and aside: the feed lends each for as long as a copy takes.
type window struct {
	log  *slog.Logger
	busy chan struct{} // a token for whoever makes a picture
	work sync.WaitGroup
	copy gocv.Mat // of the holder of the token

	mu           sync.Mutex
	wanted       time.Time
	begun        time.Time // when the last picture was taken in
	taken        time.Time // when the one that is kept was
	plain, drawn []byte
}

func newWindow(log *slog.Logger) *window {
	return &window{log: log, busy: make(chan struct{}, 1), copy: gocv.NewMat()}
}

// see takes a picture and what was read of it (nil: no board), if it is time for one. It does not wait.
func (w *window) see(picture gocv.Mat, read *vision.Reading) {
	now := time.Now()
	w.mu.Lock()
	due := now.Sub(w.wanted) < windowWanted && now.Sub(w.begun) >= windowEvery
	w.mu.Unlock()
	if !due || picture.Empty() {
		return
	}
	select {
	case w.busy <- struct{}{}:
	default: // the last one is not done yet
		return
	}
	picture.CopyTo(&w.copy)
	read = copyOf(read)
	w.mu.Lock()
	w.begun = now
	w.mu.Unlock()
	w.work.Go(func() {
		defer func() { <-w.busy }()
		w.make(read, now)
	})
}

// copyOf returns a reading of its own, with all that is drawn of it.
func copyOf(r *vision.Reading) *vision.Reading {
	if r == nil {
		return nil
	}
	own := *r
	own.Dice = slices.Clone(r.Dice)
	if r.Cube != nil {
		cube := *r.Cube
		cube.Values = maps.Clone(cube.Values)
		own.Cube = &cube
	}
	return &own
}

// make encodes the copy twice, as it is and with the reading drawn in.
func (w *window) make(read *vision.Reading, taken time.Time) {
	plain, err := encodeJPEG(w.copy, plainQuality)
	if err != nil {
		w.log.Warn("a picture for the page could not be made", "error", err)
		return
	}
	if read != nil {
		vision.Overlay(&w.copy, read)
	}
	if width := w.copy.Cols(); width > windowWidth {
		gocv.Resize(w.copy, &w.copy, image.Pt(windowWidth, w.copy.Rows()*windowWidth/width), 0, 0, gocv.InterpolationArea)
	}
	drawn, err := encodeJPEG(w.copy, drawnQuality)
	if err != nil {
		w.log.Warn("a picture for the page could not be made", "error", err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.plain, w.drawn, w.taken = plain, drawn, taken
}

// encodeJPEG returns a picture as JPEG.
func encodeJPEG(picture gocv.Mat, quality int) ([]byte, error) {
	encoded, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, picture, []int{gocv.IMWriteJpegQuality, quality})
	if err != nil {
		return nil, err
	}
	defer encoded.Close()
	return slices.Clone(encoded.GetBytes()), nil
}

// Plain returns the newest picture as the camera gave it; false when there is none yet, or no more.
func (w *window) Plain() ([]byte, time.Time, bool) { return w.look(func() []byte { return w.plain }) }

// Drawn returns the newest picture with what was read drawn in.
func (w *window) Drawn() ([]byte, time.Time, bool) { return w.look(func() []byte { return w.drawn }) }

func (w *window) look(which func() []byte) ([]byte, time.Time, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wanted = time.Now()
	if which() == nil || time.Since(w.taken) > windowOld {
		return nil, time.Time{}, false
	}
	return which(), w.taken, true
}

// close waits for the picture that is being made.
func (w *window) close() {
	w.work.Wait()
	w.copy.Close()
}

package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"davar/device/camera"
	"davar/device/doctor"
	"davar/rules/sighting"
)

// lookout remembers how the camera of a running table does, for the doctor. Its see belongs to the feed's goroutine.
type lookout struct {
	asked      float64
	askedSize  [2]int // zero: nobody asked
	calibrated bool
	source     camera.Source
	steady     camera.Steadier

	mu     sync.Mutex
	begun  time.Time // of the window that is being counted
	count  int
	last   time.Time // when the newest picture came
	latest doctor.Picture
	known  bool // latest holds a whole window
}

// lookoutWindow is how long pictures are counted before their rate is told, and how often one is measured.
const lookoutWindow = 5 * time.Second

func (l *lookout) see(picture gocv.Mat, s *sighting.Sighting, _ time.Duration) {
	board := s.Scene == sighting.SceneClear || s.Scene == sighting.SceneMoving
	if q, due := l.note(picture, s, board); due {
		l.steady.See(q.Light, board)
	}
}

// note counts a picture, and measures one that ends a window.
func (l *lookout) note(picture gocv.Mat, s *sighting.Sighting, board bool) (q camera.Quality, measured bool) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.begun.IsZero() || now.Sub(l.last) > lookoutWindow { // the first one, or the first after a gap
		l.begun, l.count = now, 0
	}
	l.last = now
	l.count++
	window := now.Sub(l.begun)
	if window < lookoutWindow {
		return q, false
	}
	q = camera.Measure(picture)
	l.latest = doctor.Picture{Asked: l.asked, AskedSize: l.askedSize, Board: &board, Calibrated: l.calibrated, Observation: camera.Observation{
		Size: [2]int{picture.Cols(), picture.Rows()}, Pictures: l.count, Rate: float64(l.count-1) / window.Seconds(),
		Frozen: s.Scene == sighting.SceneFrozen, Quality: q, Format: camera.Format(l.source),
	}}
	l.begun, l.count, l.known = now, 1, true
	return q, true
}

// tell is what the doctor's check of a camera asks.
func (l *lookout) tell(context.Context) (doctor.Picture, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.last.IsZero() && time.Since(l.last) > lookoutWindow, l.last.IsZero():
		return doctor.Picture{}, camera.ErrLost
	case !l.known:
		return doctor.Picture{}, errors.New("the camera has just begun; ask again in a moment")
	}
	return l.latest, nil
}

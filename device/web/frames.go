package web

import (
	"context"
	"net/http"
	"time"
)

const (
	frameEvery  = 2 * time.Second // between pictures for spectators
	framesBytes = 32 << 20        // of pictures that wait; more are not taken
)

// frame is a picture of the camera.
type frame struct {
	jpeg  []byte
	taken time.Time
}

// frames are the pictures that spectators will see when they are due (PUB-1). What a picture shows may belong to the turn
// in progress or to the beginning of the next, which the referee tells of a moment later: both must be closed, and the
// delay must have passed since. The server's lock guards it.
type frames struct {
	waiting []heldFrame // oldest first
	bytes   int
	shown   *frame // what spectators see now
}

type heldFrame struct {
	frame
	closings int       // turns that must have been closed
	closed   time.Time // when that was; zero: not yet
}

// add takes a picture in, taken when so many turns were closed.
func (f *frames) add(one frame, closings int) {
	if f.bytes+len(one.jpeg) > framesBytes {
		return
	}
	f.bytes += len(one.jpeg)
	f.waiting = append(f.waiting, heldFrame{frame: one, closings: closings + 2})
}

// closed notes that so many turns are closed now.
func (f *frames) closed(closings int, now time.Time) {
	for i := range f.waiting {
		if w := &f.waiting[i]; w.closed.IsZero() && closings >= w.closings {
			w.closed = now
		}
	}
}

// release shows the newest picture that is due.
func (f *frames) release(now time.Time, delay time.Duration) {
	for len(f.waiting) > 0 {
		w := &f.waiting[0]
		if w.closed.IsZero() || now.Before(w.closed.Add(delay)) {
			return
		}
		f.bytes -= len(w.jpeg)
		f.shown = &w.frame
		f.waiting = f.waiting[1:]
	}
}

// watchFrames takes pictures for spectators until ctx ends, where they may see them at all and not at once.
func (s *Server) watchFrames(ctx context.Context) {
	if !s.settings.PublicFrame || s.settings.Frame == nil || s.settings.Delay <= 0 {
		return
	}
	every := time.NewTicker(frameEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-every.C:
			s.takeFrame(now)
		}
	}
}

func (s *Server) takeFrame(now time.Time) {
	jpeg, taken, ok := s.settings.Frame()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.frames.waiting); ok && (n == 0 || taken.After(s.frames.waiting[n-1].taken)) {
		s.frames.add(frame{jpeg, taken}, s.held.embargo.Closings())
	}
	s.frames.release(now, s.settings.Delay)
}

// frameFor returns the picture that an audience may see now.
func (s *Server) frameFor(to audience) (frame, bool) {
	if s.settings.Frame == nil || !s.mayWatch(to) {
		return frame{}, false
	}
	if to == public && s.settings.Delay > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.frames.shown == nil {
			return frame{}, false
		}
		return *s.frames.shown, true
	}
	jpeg, taken, ok := s.settings.Frame()
	return frame{jpeg, taken}, ok
}

// showFrame is GET /frame.jpg: the newest picture of the camera that whoever asks may see.
func (s *Server) showFrame(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if f, ok := s.frameFor(s.audienceOf(r)); ok {
		sendPicture(w, f.jpeg, f.taken)
		return
	}
	http.Error(w, "no picture", http.StatusNotFound)
}

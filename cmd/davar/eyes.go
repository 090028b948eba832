package main

import (
	"sync"
	"time"

	"gocv.io/x/gocv"

	"davar/rules/sighting"
	"davar/vision"
)

// eyes are the eye of a feed, which a person may exchange for one that looks elsewhere. All methods but Put belong to the
// feed's goroutine.
type eyes struct {
	now *vision.Watcher

	mu   sync.Mutex
	next *vision.Watcher // takes over at the next picture; nil: none waits
}

// Put has another watcher take over at the next picture; it is closed with the eyes.
func (e *eyes) Put(next *vision.Watcher) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.next != nil {
		e.next.Close()
	}
	e.next = next
}

// Watch implements feed.Eye.
func (e *eyes) Watch(picture gocv.Mat, t time.Duration, n int) (*sighting.Sighting, error) {
	e.mu.Lock()
	if e.next != nil {
		e.now.Close()
		e.now, e.next = e.next, nil
	}
	e.mu.Unlock()
	return e.now.Watch(picture, t, n)
}

// Reading returns what was read of the last picture, nil where no board is known; it is overwritten by the next Watch.
func (e *eyes) Reading() *vision.Reading {
	if r := e.now.Reading(); r.Geometry != nil {
		return r
	}
	return nil
}

// Close closes all watchers, when the feed has ended.
func (e *eyes) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.next != nil {
		e.next.Close()
	}
	return e.now.Close()
}

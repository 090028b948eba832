package camera

import (
	"context"
	"errors"
	"sync"
	"time"

	"gocv.io/x/gocv"
)

const (
	lostAfter = 2 * time.Second        // without a new picture a live camera counts as lost
	retryMin  = 500 * time.Millisecond // between attempts to open a lost camera, doubled each time
	retryMax  = 8 * time.Second
	badReads  = 5                // failed reads in a row after which the device is opened anew
	closeWait = 12 * time.Second // OpenCV's read of a stalled V4L2 device returns after 10 s
)

// live is a camera whose pictures are read by a goroutine of its own, so that a driver that blocks holds up
// nobody; only the newest picture is kept.
type live struct {
	stop context.CancelFunc
	done chan struct{}

	mu     sync.Mutex
	newest gocv.Mat
	at     Picture
	taken  bool          // newest was given to Next
	format string        // what the camera agreed to, as far as it says
	fresh  chan struct{} // a token when newest is replaced

	anew chan struct{} // a token when the camera is to be closed and opened again
}

// held is a live camera that can be held.
type held struct {
	*live
	Holder
}

func openDevice(d *device) (Source, error) {
	l, err := startLive(d.open, d.settings.Patient)
	if err != nil {
		return nil, err
	}
	return held{l, d}, nil
}

// openKept opens a camera that takes its exposure when it is opened. Nobody has k's camera yet, so nobody holds it.
func openKept(open opener, k *keeper, by Holder, patient bool) (Source, error) {
	l, err := startLive(open, patient)
	if err != nil {
		return nil, err
	}
	k.anew = l.again
	return held{l, by}, nil
}

func openLive(open opener, patient bool) (Source, error) {
	l, err := startLive(open, patient)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// startLive opens the camera once, so that a wrong name is told at once unless we are patient, and starts reading.
func startLive(open opener, patient bool) (*live, error) {
	ctx, stop := context.WithCancel(context.Background())
	e, err := open(ctx, false)
	if err != nil && !patient {
		stop()
		return nil, err
	}
	if err != nil {
		e = nil // an opener's typed nothing would be something
	}
	l := &live{stop: stop, done: make(chan struct{}), newest: gocv.NewMat(), taken: true, fresh: make(chan struct{}, 1), anew: make(chan struct{}, 1)}
	go l.grab(ctx, e, open)
	return l, nil
}

// grab is the only code that reads and closes the eye: closing OpenCV's while another goroutine reads crashes.
func (l *live) grab(ctx context.Context, e eye, open opener) {
	defer close(l.done)
	start, n, bad, wait := time.Now(), 0, 0, retryMin
	modest := false // the last opening gave not one picture
	img := gocv.NewMat()
	defer img.Close()
	defer func() {
		if e != nil {
			e.close()
		}
	}()
	for first := n; ctx.Err() == nil; {
		if e == nil {
			if !pause(ctx, wait) {
				return
			}
			wait = max(retryMin, min(2*wait, retryMax))
			if again, err := open(ctx, modest); err == nil {
				e, first = again, n
			}
			continue
		}
		select {
		case <-l.anew:
			e.close()
			e, wait = nil, 0
			continue
		default:
		}
		asked := time.Now()
		if !e.read(&img) || img.Empty() {
			if bad++; bad >= badReads || time.Since(asked) > lostAfter { // what stalls may work when it is opened anew
				e.close()
				e, bad, modest = nil, 0, n == first && !modest
			} else {
				pause(ctx, 10*time.Millisecond) // an unplugged device fails at once: no hot loop
			}
			continue
		}
		bad, wait = 0, retryMin
		if n == first {
			l.describe(e)
		}
		l.keep(&img, Picture{T: time.Since(start), N: n})
		n++
	}
}

// again has the camera closed and opened again, soon.
func (l *live) again() {
	select {
	case l.anew <- struct{}{}:
	default:
	}
}

// describe takes note of what the camera agreed to.
func (l *live) describe(e eye) {
	format := ""
	if d, ok := e.(interface{ format() string }); ok {
		format = d.format()
	}
	l.mu.Lock()
	l.format = format
	l.mu.Unlock()
}

// Format returns what the camera agreed to, such as "MJPG 1280x720 at 30"; empty before its first picture, and where
// nobody says.
func (l *live) Format() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.format
}

func (l *live) keep(img *gocv.Mat, p Picture) {
	l.mu.Lock()
	img.CopyTo(&l.newest)
	l.at, l.taken = p, false
	l.mu.Unlock()
	select {
	case l.fresh <- struct{}{}:
	default:
	}
}

// take copies the newest picture into img unless it was given before.
func (l *live) take(img *gocv.Mat) (Picture, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken {
		return Picture{}, false
	}
	l.newest.CopyTo(img)
	l.taken = true
	return l.at, true
}

// Next implements Source.
func (l *live) Next(ctx context.Context, img *gocv.Mat) (Picture, error) {
	lost := time.NewTimer(lostAfter)
	defer lost.Stop()
	for {
		if p, ok := l.take(img); ok {
			return p, nil
		}
		select {
		case <-l.fresh:
		case <-lost.C:
			return Picture{}, ErrLost
		case <-ctx.Done():
			return Picture{}, ctx.Err()
		}
	}
}

// Close implements Source; only the goroutine that reads closes the device.
func (l *live) Close() error {
	l.stop()
	select {
	case <-l.done:
		return l.newest.Close()
	case <-time.After(closeWait):
		return errors.New("camera: close: the driver does not come back from reading; the camera stays open until the program ends")
	}
}

// pause waits for d and tells whether ctx is still alive.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

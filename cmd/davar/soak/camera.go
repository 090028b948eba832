package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"gocv.io/x/gocv"

	"davar/device/camera"
	"davar/device/recording"
	"davar/rules/referee"
)

// netCamera is a camera on the network (MJPEG over HTTP) that sees a filmed game over and over.
type netCamera struct {
	film   *recording.Film
	inputs []referee.Input // what the players press, in the film's time
	press  chan referee.Input
	over   chan struct{} // a token for each time that the film has ended; the board then lies there until there is one in again
	again  chan struct{}

	server   *http.Server
	listener net.Listener
	running  sync.WaitGroup

	mu        sync.Mutex
	newest    []byte
	changed   chan struct{} // closed when newest is replaced, or what fails
	unplugged bool
	hanging   bool
	held      bool // the players wait
	rounds    int
}

const (
	settingUp = 10 * time.Second       // for which the starting position lies before the first dice are thrown
	still     = 100 * time.Millisecond // from one picture to the next of a board at which nobody plays
	grainOf   = 1.5                    // standard deviation of a sensor's noise, in grey levels
)

// newCamera opens the film; it shows nothing yet.
func newCamera(folder string) (*netCamera, error) {
	film, err := recording.Open(folder)
	if err != nil {
		return nil, err
	}
	inputs, err := film.Inputs("clock")
	if err != nil {
		return nil, err
	}
	return &netCamera{film: film, inputs: inputs, press: make(chan referee.Input, 16), changed: make(chan struct{}),
		over: make(chan struct{}), again: make(chan struct{})}, nil
}

// startCamera opens the film and serves it until ctx ends; stop waits for the end.
func startCamera(ctx context.Context, folder string) (*netCamera, error) {
	c, err := newCamera(folder)
	if err != nil {
		return nil, err
	}
	if c.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("soak: serve the camera's picture: %w", err)
	}
	c.server = &http.Server{Handler: http.HandlerFunc(c.serve), ReadHeaderTimeout: time.Second}
	c.running.Go(func() { _ = c.server.Serve(c.listener) }) // ends with Close
	c.running.Go(func() { c.play(ctx) })
	return c, nil
}

func (c *netCamera) stop() {
	_ = c.server.Close()
	c.running.Wait()
}

func (c *netCamera) url() string { return "http://" + c.listener.Addr().String() + "/camera" }

// play shows the film at its own speed, again and again; after each end it waits for a token in again.
func (c *netCamera) play(ctx context.Context) {
	for c.playOnce(ctx) == nil {
	}
}

func (c *netCamera) playOnce(ctx context.Context) error {
	source, err := camera.Open(c.film.Pictures(), camera.Settings{})
	if err != nil {
		return err
	}
	defer source.Close()
	img, last := gocv.NewMat(), gocv.NewMat() // last: the newest, which the end of the film does not take away
	defer img.Close()
	defer last.Close()
	p, err := source.Next(ctx, &img)
	if err != nil {
		return err
	}
	for until := time.Now().Add(settingUp); err == nil && time.Now().Before(until); {
		err = c.lie(ctx, img)
	}
	begun, next := time.Now(), 0
	for ; err == nil; p, err = source.Next(ctx, &img) {
		for stop := time.Now(); c.waits() && !last.Empty(); begun, stop = begun.Add(time.Since(stop)), time.Now() {
			if err := c.lie(ctx, last); err != nil {
				return err
			}
		}
		img.CopyTo(&last)
		if err := pause(ctx, time.Until(begun.Add(p.T))); err != nil {
			return err
		}
		for ; next < len(c.inputs) && c.inputs[next].T <= p.T; next++ {
			select {
			case c.press <- c.inputs[next]:
			default: // nobody presses while the table is down
			}
		}
		if err := c.show(img); err != nil {
			return err
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	c.mu.Lock()
	c.rounds++
	c.mu.Unlock()
	return c.rest(ctx, last)
}

// rest has the board lie there until a token comes.
func (c *netCamera) rest(ctx context.Context, img gocv.Mat) error {
	for over := c.over; ; {
		select {
		case over <- struct{}{}:
			over = nil // once
		case <-c.again:
			return nil
		default:
			if err := c.lie(ctx, img); err != nil {
				return err
			}
		}
	}
}

// lie shows a board at which nobody plays once more, with a sensor's noise: a camera never gives the same picture twice.
func (c *netCamera) lie(ctx context.Context, img gocv.Mat) error {
	const middle = 64
	noise, noisy := gocv.NewMatWithSize(img.Rows(), img.Cols(), img.Type()), gocv.NewMat()
	defer noise.Close()
	defer noisy.Close()
	gocv.RandN(&noise, gocv.NewScalar(middle, middle, middle, 0), gocv.NewScalar(grainOf, grainOf, grainOf, 0))
	gocv.AddWeighted(img, 1, noise, 1, -middle, &noisy)
	if err := c.show(noisy); err != nil {
		return err
	}
	return pause(ctx, still)
}

func (c *netCamera) show(img gocv.Mat) error {
	jpeg, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, img, []int{gocv.IMWriteJpegQuality, 90})
	if err != nil {
		return fmt.Errorf("soak: make the camera's picture: %w", err)
	}
	picture := append([]byte(nil), jpeg.GetBytes()...)
	jpeg.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.newest = picture
	c.wake()
	return nil
}

// wake has every connection look again; c.mu is held.
func (c *netCamera) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// unplug ends all connections and refuses new ones until it is called with false.
func (c *netCamera) unplug(out bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unplugged = out
	c.wake()
}

// hang keeps connections but sends nothing until it is called with false.
func (c *netCamera) hang(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hanging = on
	c.wake()
}

// hold has the players wait until it is called with false.
func (c *netCamera) hold(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = on
}

func (c *netCamera) waits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}

// seen tells how many times the film was shown to its end.
func (c *netCamera) seen() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rounds
}

// look returns what there is to send now.
func (c *netCamera) look() (picture []byte, unplugged bool, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.hanging {
		picture = c.newest
	}
	return picture, c.unplugged, c.changed
}

// serve sends each new picture to one connection.
func (c *netCamera) serve(w http.ResponseWriter, r *http.Request) {
	flush := http.NewResponseController(w)
	w.Header().Set("Content-Type", "multipart/x-mixed-replace;boundary=picture")
	for {
		picture, unplugged, changed := c.look()
		if unplugged {
			panic(http.ErrAbortHandler) // the connection breaks off
		}
		if picture != nil {
			if _, err := fmt.Fprintf(w, "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n", len(picture)); err != nil {
				return
			}
			if _, err := w.Write(append(picture, "\r\n"...)); err != nil {
				return
			}
			_ = flush.Flush()
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

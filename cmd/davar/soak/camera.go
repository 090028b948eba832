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

	server   *http.Server
	listener net.Listener
	running  sync.WaitGroup

	mu        sync.Mutex
	newest    []byte
	changed   chan struct{} // closed when newest is replaced, or what fails
	unplugged bool
	hanging   bool
	rounds    int
}

// startCamera opens the film and serves it until ctx ends; stop waits for the end.
func startCamera(ctx context.Context, folder string) (*netCamera, error) {
	film, err := recording.Open(folder)
	if err != nil {
		return nil, err
	}
	inputs, err := film.Inputs("clock")
	if err != nil {
		return nil, err
	}
	c := &netCamera{film: film, inputs: inputs, press: make(chan referee.Input, 16), changed: make(chan struct{})}
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

// play shows the film at its own speed, again and again.
func (c *netCamera) play(ctx context.Context) {
	for ctx.Err() == nil {
		if err := c.playOnce(ctx); err != nil {
			return
		}
		c.mu.Lock()
		c.rounds++
		c.mu.Unlock()
	}
}

func (c *netCamera) playOnce(ctx context.Context) error {
	source, err := camera.Open(c.film.Pictures(), camera.Settings{})
	if err != nil {
		return err
	}
	defer source.Close()
	img := gocv.NewMat()
	defer img.Close()
	begun, next := time.Now(), 0
	for {
		p, err := source.Next(ctx, &img)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Until(begun.Add(p.T))):
		}
		for ; next < len(c.inputs) && c.inputs[next].T <= p.T; next++ {
			select {
			case c.press <- c.inputs[next]:
			default: // nobody presses while the table is down
			}
		}
		jpeg, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, img, []int{gocv.IMWriteJpegQuality, 90})
		if err != nil {
			return err
		}
		picture := append([]byte(nil), jpeg.GetBytes()...)
		jpeg.Close()
		c.show(picture)
	}
}

func (c *netCamera) show(picture []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.newest = picture
	c.wake()
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

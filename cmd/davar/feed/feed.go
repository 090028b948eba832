// Package feed brings what a camera or a film shows, read by an eye, to a table: pictures become sightings, and what was
// recorded with them comes along in order.
package feed

import (
	"context"
	"errors"
	"io"
	"time"

	"gocv.io/x/gocv"

	"davar/device/camera"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// Eye reads one picture; package vision has it.
type Eye interface {
	// Watch reads the picture taken at t, number n of its source. An error means that this picture cannot be
	// read at all; the eye can go on with the next.
	Watch(picture gocv.Mat, t time.Duration, n int) (*sighting.Sighting, error)
}

// Feed brings the pictures of a source, read by an eye, and the inputs recorded with them into one stream in the
// order of time. An input comes before a picture of the same moment.
type Feed struct {
	Source camera.Source
	Eye    Eye
	Inputs []referee.Input // recorded ones, in the order of time
	// Offset is added to every picture's time: what the match's clock showed when the source began.
	Offset time.Duration
	// Wait returns when the match's time has come to t; nil: as fast as it goes.
	Wait func(ctx context.Context, t time.Duration) error
	// Press, when set, brings a recorded press to the table by way of its buttons and returns when it has arrived.
	Press func(ctx context.Context, in referee.Input) error
	// Now tells the match's time, for the moments a live camera gives no picture; nil for films.
	Now func() time.Duration
	// Seen, when set, gets every picture after it was read, with what it cost; the picture is only lent.
	Seen func(picture gocv.Mat, s *sighting.Sighting, cost time.Duration)
}

// Run hands every input to handle until the source ends (nil is returned), ctx ends or handle fails.
func (f *Feed) Run(ctx context.Context, handle func(context.Context, referee.Input) error) error {
	img := gocv.NewMat()
	defer img.Close()
	next := 0
	for {
		p, err := f.Source.Next(ctx, &img)
		switch {
		case errors.Is(err, io.EOF):
			return f.sendUntil(ctx, handle, &next, 1<<62)
		case errors.Is(err, camera.ErrLost):
			if err := handle(ctx, f.lost()); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		t := p.T + f.Offset
		if err := f.sendUntil(ctx, handle, &next, t); err != nil {
			return err
		}
		if err := f.wait(ctx, t); err != nil {
			return err
		}
		begun := time.Now()
		s, err := f.Eye.Watch(img, t, p.N)
		if err != nil {
			s = &sighting.Sighting{T: t, Frame: p.N, Scene: sighting.SceneNoBoard}
		}
		if f.Seen != nil {
			f.Seen(img, s, time.Since(begun))
		}
		if err := handle(ctx, referee.Input{T: t, Sighting: s}); err != nil {
			return err
		}
	}
}

// sendUntil hands over the recorded inputs up to and including t.
func (f *Feed) sendUntil(ctx context.Context, handle func(context.Context, referee.Input) error, next *int, t time.Duration) error {
	for *next < len(f.Inputs) && f.Inputs[*next].T <= t {
		in := f.Inputs[*next]
		if err := f.wait(ctx, in.T); err != nil {
			return err
		}
		send := handle
		if in.Press != nil && f.Press != nil {
			send = f.Press
		}
		if err := send(ctx, in); err != nil {
			return err
		}
		*next++
	}
	return nil
}

func (f *Feed) wait(ctx context.Context, t time.Duration) error {
	if f.Wait == nil {
		return ctx.Err()
	}
	return f.Wait(ctx, t)
}

// lost is the sighting of a camera that gives no picture.
func (f *Feed) lost() referee.Input {
	t := f.Offset
	if f.Now != nil {
		t = f.Now()
	}
	return referee.Input{T: t, Sighting: &sighting.Sighting{T: t, Scene: sighting.SceneLost}}
}

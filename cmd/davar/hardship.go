package main

import (
	"context"

	"gocv.io/x/gocv"

	"davar/device/camera"
	"davar/vision/accuracy"
)

// worse gives the pictures of a film as they come through a hardship.
type worse struct {
	camera.Source
	hardship *accuracy.Hardship
}

// Next gives the next picture that arrives.
func (w worse) Next(ctx context.Context, img *gocv.Mat) (camera.Picture, error) {
	for {
		p, err := w.Source.Next(ctx, img)
		if err != nil || !w.hardship.Spoil(img, p.T, p.N) {
			return p, err
		}
	}
}

// Close ends source and hardship.
func (w worse) Close() error {
	w.hardship.Close()
	return w.Source.Close()
}

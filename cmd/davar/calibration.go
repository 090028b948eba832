package main

import (
	"encoding/json"
	"fmt"
	"os"

	"davar/rules/referee"
	"davar/vision"
)

// calibration is where the board lies in a fixed camera's picture and how it is set up; davar calibrate writes it.
type calibration struct {
	Corners [4][2]float64  `json:"corners"` // TL, TR, BR, BL of the rectified view, pixels
	Size    [2]int         `json:"size"`    // of the picture they were taken in, pixels
	Layout  referee.Layout `json:"layout"`
}

// pixels returns the corners as vision takes them.
func (c *calibration) pixels() *[4]vision.Pixel {
	var corners [4]vision.Pixel
	for i, at := range c.Corners {
		corners[i] = vision.Pixel{X: at[0], Y: at[1]}
	}
	return &corners
}

// readCalibration reads a file written by davar calibrate.
func readCalibration(path string) (*calibration, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the calibration: %w; write one with davar calibrate", err)
	}
	c := &calibration{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("read the calibration %s: %w", path, err)
	}
	if _, err := vision.NewGeometry(*c.pixels(), 0.5, 0.5); err != nil {
		return nil, fmt.Errorf("read the calibration %s: %w", path, err)
	}
	return c, nil
}

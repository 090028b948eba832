package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"davar/rules/referee"
	"davar/vision"
)

// openEye returns a watcher for a board of the layout; corners nil: it finds the board itself; looks nil: it learns
// them from the starting position; bend is the lens's, as a calibration has it. A live camera that repeats one picture for frozenAfter counts as frozen; 0 for
// films, which hold pictures still.
func openEye(l referee.Layout, corners *[4]vision.Pixel, looks *vision.Appearance, bend float64, frozenAfter time.Duration) (*vision.Watcher, error) {
	return vision.NewWatcher(vision.WatcherSettings{
		Layout: vision.Layout(l), Corners: corners, Looks: looks, Bend: bend, FrozenAfter: frozenAfter,
	})
}

// parseCorners reads "x,y,x,y,x,y,x,y": the corners of the playing surface, from the top left clockwise as the
// rectified board is seen.
func parseCorners(text string) (*[4]vision.Pixel, error) {
	parts := strings.Split(text, ",")
	if len(parts) != 8 {
		return nil, usagef("corners: eight numbers are needed, x,y of top left, top right, bottom right, bottom left; got %d", len(parts))
	}
	var numbers [8]float64
	for i, part := range parts {
		n, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return nil, usagef("corners: %q is not a number of pixels", part)
		}
		numbers[i] = n
	}
	var corners [4]vision.Pixel
	for i := range corners {
		corners[i] = vision.Pixel{X: numbers[2*i], Y: numbers[2*i+1]}
	}
	if _, err := vision.NewGeometry(corners, 0.5, 0.5); err != nil {
		return nil, usageError{fmt.Errorf("corners: %w", err)}
	}
	return &corners, nil
}

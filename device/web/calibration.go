package web

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"
)

// Corner is a place in the camera's picture, in pixels from its top left.
type Corner = [2]float64

// Calibrator learns where a table's board lies. Its methods may take a second; they never hold up play.
type Calibrator interface {
	// Try reads the board at the corners (top left, top right, bottom right, bottom left as the board is seen) in the
	// newest picture; corners nil: it looks for the board by itself.
	Try(ctx context.Context, corners *[4]Corner) (*Calibrated, error)
	// Keep has the table go on with the corners from now on, and after a restart.
	Keep(ctx context.Context, corners [4]Corner) error
}

// Calibrated is what the picture shows at some corners.
type Calibrated struct {
	Corners [4]Corner `json:"corners"`
	Size    [2]int    `json:"size"` // width and height of the picture
	// View is the board rectified, with what was read drawn in: a JPEG.
	View []byte `json:"view"`
	// Top and Bottom are signed counts from the left, light positive.
	Top    [12]int `json:"top"`
	Bottom [12]int `json:"bottom"`
	Bar    [2]int  `json:"bar"`  // light, dark
	Sure   float64 `json:"sure"` // probability of the least sure point
	Start  bool    `json:"start"`
}

// calibrateTimeout is how long reading a picture may take.
const calibrateTimeout = 15 * time.Second

// tryCorners is POST /director/calibration {"corners":[[x,y],…]}, or {} to have the board found.
func (c console) tryCorners(w http.ResponseWriter, r *http.Request) {
	c.withCorners(w, r, func(ctx context.Context, learn Calibrator, corners *[4]Corner) error {
		seen, err := learn.Try(ctx, corners)
		if err == nil {
			reply(w, seen)
		}
		return err
	})
}

// keepCorners is POST /director/calibration/keep {"corners":[[x,y],…]}.
func (c console) keepCorners(w http.ResponseWriter, r *http.Request) {
	c.withCorners(w, r, func(ctx context.Context, learn Calibrator, corners *[4]Corner) error {
		if corners == nil {
			return errors.New(`"corners" is missing`)
		}
		err := learn.Keep(ctx, *corners)
		if err == nil {
			c.log.Info("the board was calibrated from the console", "corners", *corners)
			w.WriteHeader(http.StatusNoContent)
		}
		return err
	})
}

func (c console) withCorners(w http.ResponseWriter, r *http.Request, do func(context.Context, Calibrator, *[4]Corner) error) {
	var wish struct {
		Corners []Corner `json:"corners"`
	}
	body, ok := readJSON(w, r, longestBody)
	if !ok {
		return
	}
	corners, err := (*[4]Corner)(nil), decodeStrictly(body, &wish)
	if err == nil && wish.Corners != nil {
		corners, err = fourCorners(wish.Corners)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	who, _ := c.guard.who(r)
	learn := c.calibrator(who)
	if learn == nil {
		http.Error(w, "no camera watches this table", http.StatusConflict)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), calibrateTimeout)
	defer cancel()
	if err := do(ctx, learn, corners); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

// farthest is how far outside the picture a corner may be said to lie, in pixels; no camera has so many.
const farthest = 20_000

func fourCorners(given []Corner) (*[4]Corner, error) {
	if len(given) != 4 {
		return nil, errors.New("four corners are needed: top left, top right, bottom right, bottom left")
	}
	for _, corner := range given {
		if math.Abs(corner[0]) > farthest || math.Abs(corner[1]) > farthest {
			return nil, errors.New("a corner lies far outside the picture")
		}
	}
	corners := [4]Corner(given)
	return &corners, nil
}

package camera

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gocv.io/x/gocv"
)

// Observation is what a camera showed in a while.
type Observation struct {
	Size     [2]int  `json:"size"` // width and height, pixels
	Pictures int     `json:"pictures"`
	Rate     float64 `json:"rate"`             // pictures a second
	Frozen   bool    `json:"frozen"`           // every picture was the same, noise and all
	Format   string  `json:"format,omitempty"` // what the camera agreed to, as Format tells
	Quality
}

// Probe opens what spec names, lets it set its exposure for warmUp and watches for the time given. Seen, when not
// nil, is lent the last picture. Its error says what to do, as Open's does.
func Probe(ctx context.Context, spec string, s Settings, warmUp, watch time.Duration, seen func(gocv.Mat)) (Observation, error) {
	source, err := Open(spec, s)
	if err != nil {
		return Observation{}, err
	}
	o, err := observe(ctx, source, warmUp, watch, seen)
	return o, errors.Join(err, source.Close())
}

func observe(ctx context.Context, source Source, warmUp, watch time.Duration, seen func(gocv.Mat)) (Observation, error) {
	img, last := gocv.NewMat(), gocv.NewMat()
	defer img.Close()
	defer last.Close()
	o := Observation{Frozen: true}
	begun := time.Now()
	var first, latest Picture
	for {
		p, err := source.Next(ctx, &img)
		if errors.Is(err, io.EOF) && o.Pictures > 0 {
			break
		}
		if err != nil {
			return o, err
		}
		if time.Since(begun) < warmUp {
			continue
		}
		if o.Pictures == 0 {
			first, begun = p, time.Now()
			warmUp = 0
		} else if o.Frozen && !same(img, last) {
			o.Frozen = false
		}
		img.CopyTo(&last)
		latest = p
		if o.Pictures++; time.Since(begun) >= watch {
			break
		}
	}
	o.Size = [2]int{last.Cols(), last.Rows()}
	o.Format = Format(source)
	if taken := latest.T - first.T; taken > 0 {
		o.Rate = float64(o.Pictures-1) / taken.Seconds()
	}
	o.Frozen = o.Frozen && o.Pictures > 2
	o.Quality = Measure(last)
	if seen != nil {
		seen(last)
	}
	return o, nil
}

// Format returns what a live camera agreed to, such as "MJPG 1280x720 at 30"; empty where nobody says.
func Format(s Source) string {
	if d, ok := s.(interface{ Format() string }); ok {
		return d.Format()
	}
	return ""
}

// same tells whether two pictures are equal in every pixel; a live sensor's noise never repeats.
func same(a, b gocv.Mat) bool {
	if a.Rows() != b.Rows() || a.Cols() != b.Cols() {
		return false
	}
	difference := gocv.NewMat()
	defer difference.Close()
	gocv.AbsDiff(a, b, &difference)
	flat := difference.Reshape(1, 0)
	defer flat.Close()
	return gocv.CountNonZero(flat) == 0
}

// Versions names what pictures come through, such as "gocv 0.31.0, OpenCV 4.6.0".
func Versions() string {
	return fmt.Sprintf("gocv %s, OpenCV %s", gocv.Version(), gocv.OpenCVVersion())
}

package camera

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"gocv.io/x/gocv"
)

// video is a film in one file.
type video struct {
	capture *gocv.VideoCapture
	fps     float64
	next    int
}

// quiet keeps FFmpeg from printing to standard error what Open tells as an error; whoever set the variable wants
// to read it.
var quiet = sync.OnceFunc(func() {
	const level = "OPENCV_FFMPEG_LOGLEVEL"
	if _, set := os.LookupEnv(level); !set {
		_ = os.Setenv(level, "-8") // AV_LOG_QUIET; OpenCV reads it at the first opening
	}
})

func openVideo(path string, from time.Duration) (Source, error) {
	quiet()
	capture, err := gocv.OpenVideoCaptureWithAPI(path, gocv.VideoCaptureFFmpeg)
	if err != nil {
		if capture != nil {
			capture.Close() // a failed open still holds native memory
		}
		return nil, fmt.Errorf("camera: open %s: it is not a video that can be read; is it whole?", path)
	}
	fps := capture.Get(gocv.VideoCaptureFPS)
	if frames := capture.Get(gocv.VideoCaptureFrameCount); frames < 1 || fps <= 0 || math.IsNaN(fps) {
		capture.Close()
		return nil, fmt.Errorf("camera: open %s: the video holds no pictures; is it whole?", path)
	}
	v := &video{capture: capture, fps: fps}
	if skip := int(math.Ceil(from.Seconds()*fps - 1e-6)); skip > 0 {
		capture.Grab(skip) // decoding what is skipped is exact, seeking is not
		v.next = skip
	}
	return v, nil
}

// Next implements Source.
func (v *video) Next(ctx context.Context, img *gocv.Mat) (Picture, error) {
	if err := ctx.Err(); err != nil {
		return Picture{}, err
	}
	if !v.capture.Read(img) || img.Empty() {
		return Picture{}, io.EOF
	}
	p := Picture{T: time.Duration(math.Round(float64(v.next) / v.fps * 1e9)), N: v.next}
	v.next++
	return p, nil
}

// Close implements Source.
func (v *video) Close() error { return v.capture.Close() }

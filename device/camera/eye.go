package camera

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"gocv.io/x/gocv"
)

// eye is an opened live camera. One goroutine reads and closes it.
type eye interface {
	// read waits for the next picture; false when there is none.
	read(img *gocv.Mat) bool
	close()
}

// opener opens the camera; it is called again after a loss. What it starts ends with ctx at the latest. Modest asks for
// nothing in particular: the last opening gave not one picture.
type opener func(ctx context.Context, modest bool) (eye, error)

// capture is a camera that OpenCV reads.
type capture struct{ *gocv.VideoCapture }

func (c capture) read(img *gocv.Mat) bool { return c.Read(img) }
func (c capture) format() string {
	return fmt.Sprintf("%s %.0fx%.0f at %.4g", strings.TrimSpace(c.CodecString()), c.Get(gocv.VideoCaptureFrameWidth), c.Get(gocv.VideoCaptureFrameHeight), c.Get(gocv.VideoCaptureFPS))
}
func (c capture) close() { _ = c.Close() } // nothing can be done about a camera that does not close

// openCapture opens a camera by one of OpenCV's ways, which must be named: left to itself OpenCV tries GStreamer first
// and hangs for seconds.
func openCapture(source any, way gocv.VideoCaptureAPI, refused error) (*gocv.VideoCapture, error) {
	c, err := gocv.OpenVideoCaptureWithAPI(source, way)
	if err != nil {
		if c != nil {
			c.Close() // a failed open still holds native memory
		}
		return nil, refused
	}
	return c, nil
}

func streamOpener(address string) opener {
	return func(context.Context, bool) (eye, error) {
		quiet()
		c, err := openCapture(address, gocv.VideoCaptureFFmpeg,
			fmt.Errorf("camera: open %s: the stream does not answer; check address and network", withoutUser(address)))
		if err != nil {
			return nil, err
		}
		return capture{c}, nil
	}
}

// pipelineOpener opens a pipeline of GStreamer; what comes out of it is turned into what OpenCV takes, and only the newest
// picture waits.
func pipelineOpener(pipeline, advice string) opener {
	return func(ctx context.Context, _ bool) (eye, error) {
		c, err := openInTime(ctx, pipeline+" ! videoconvert ! video/x-raw,format=BGR ! appsink drop=true max-buffers=1 sync=false",
			fmt.Errorf("camera: open the pipeline %q: %s", pipeline, advice))
		if err != nil {
			return nil, err
		}
		return capture{c}, nil
	}
}

// pipelineTime is how long GStreamer may take to build a pipeline; with a part that is missing it has been seen to hang.
const pipelineTime = 20 * time.Second

// openInTime opens a pipeline or gives it up; what opens too late is closed again.
func openInTime(ctx context.Context, pipeline string, refused error) (*gocv.VideoCapture, error) {
	type result struct {
		capture *gocv.VideoCapture
		err     error
	}
	opened := make(chan result)
	ctx, stop := context.WithTimeout(ctx, pipelineTime)
	defer stop()
	go func() {
		c, err := openCapture(pipeline, gocv.VideoCaptureGstreamer, refused)
		select {
		case opened <- result{c, err}:
		case <-ctx.Done():
			if err == nil {
				c.Close()
			}
		}
	}()
	select {
	case r := <-opened:
		return r.capture, r.err
	case <-ctx.Done():
		return nil, refused
	}
}

// withoutUser takes name and password out of an address, for sentences.
func withoutUser(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the address"
	}
	u.User = nil
	u.RawQuery = ""
	return u.String()
}

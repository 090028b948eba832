package camera

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gocv.io/x/gocv"
)

// ErrLost is returned by Next of a live camera that gives no pictures now; Next may be called again and
// succeeds when the camera is back.
var ErrLost = errors.New("camera: no picture: the camera is gone or hangs; check its cable, it is tried again by itself")

// Picture says which picture Next gave.
type Picture struct {
	T time.Duration // since the first picture of a file, since the opening of a live camera
	N int           // number of the picture, from 0; live cameras count dropped ones
}

// Source gives pictures. It belongs to one goroutine.
type Source interface {
	// Next waits for the next picture and puts it into img (BGR, 8 bits a channel). It returns io.EOF after
	// the last picture of a file, ErrLost while a live camera gives none, and ctx.Err() when ctx ends first.
	Next(ctx context.Context, img *gocv.Mat) (Picture, error)
	// Close frees the camera and waits for what Open started.
	Close() error
}

// Settings say how a live camera is asked to work; files have their own size and speed.
type Settings struct {
	Width, Height int
	FPS           int
	// Patient has a live camera that does not answer yet waited for, as one that is lost, and is no error then.
	Patient bool
	// From is where a file begins, as the T of its first picture given.
	From time.Duration
}

// Kinds of source that are no file and no address.
const (
	// LibCamera is the Pi's own camera through GStreamer, as libcamera or libcamera:NAME.
	LibCamera = "libcamera"
	// RPiCam is the Pi's own camera through the program rpicam-vid, as rpicam or rpicam:NUMBER.
	RPiCam = "rpicam"
	// Pipeline is any pipeline of GStreamer that ends where pictures come out, as gst:videotestsrc.
	Pipeline = "gst"
)

// Open opens the source that spec names: a video file, a folder of pictures, a device such as /dev/video0,
// its number or its link in /dev/v4l/by-id, libcamera or rpicam for a Pi's own camera, gst: with a pipeline of GStreamer, or an http, https or rtsp address.
func Open(spec string, s Settings) (Source, error) {
	kind, rest, _ := strings.Cut(spec, ":")
	switch {
	case kind == LibCamera:
		l := &libcamera{name: rest, settings: s, pipeline: pipelineOpener}
		return openKept(l.open, &l.keeper, l, s.Patient)
	case kind == RPiCam:
		r := &rpicam{number: rest, settings: s}
		return openKept(r.open, &r.keeper, r, s.Patient)
	case kind == Pipeline:
		return openLive(pipelineOpener(rest, "does GStreamer have all its parts? try it with gst-launch-1.0"), s.Patient)
	case kind == "http" || kind == "https":
		return openLive(webOpener(spec), s.Patient)
	case strings.Contains(spec, "://"):
		return openLive(streamOpener(spec), s.Patient)
	}
	if path, ok := devicePath(spec); ok {
		return openDevice(&device{path: path, settings: s})
	}
	info, err := os.Stat(spec)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("camera: open %s: there is no such file, folder or device", spec)
	case err != nil:
		return nil, fmt.Errorf("camera: open a source: %w", err)
	case info.IsDir():
		return openFolder(spec, s.From)
	}
	return openVideo(spec, s.From)
}

// IsLive tells whether spec names a camera or stream, whose pictures come as time passes, and not a file or folder.
func IsLive(spec string) bool {
	kind, _, _ := strings.Cut(spec, ":")
	_, device := devicePath(spec)
	return device || kind == LibCamera || kind == RPiCam || kind == Pipeline || strings.Contains(spec, "://")
}

// IsAsked tells whether the camera that spec names is asked for a size and rate of pictures; streams and files have
// their own.
func IsAsked(spec string) bool {
	kind, _, _ := strings.Cut(spec, ":")
	_, device := devicePath(spec)
	return device || kind == LibCamera || kind == RPiCam
}

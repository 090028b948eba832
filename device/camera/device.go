package camera

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"gocv.io/x/gocv"
)

// device is a V4L2 camera and how it is asked to work.
type device struct {
	path     string // /dev/videoN, or a link to it such as /dev/v4l/by-id/…, which follows a camera from plug to plug
	settings Settings

	mu   sync.Mutex
	held []control // set again at each opening
}

// devicePath returns the path of a V4L2 device named by "/dev/video2", "/dev/v4l/by-id/…" or "2".
func devicePath(spec string) (string, bool) {
	if strings.HasPrefix(spec, "/dev/v4l/") {
		return spec, true
	}
	n, err := strconv.Atoi(strings.TrimPrefix(spec, "/dev/video"))
	return fmt.Sprintf("/dev/video%d", n), err == nil && n >= 0
}

// number returns the device's number as it is now.
func (d *device) number() (int, error) {
	path, err := filepath.EvalSymlinks(d.path)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimPrefix(path, "/dev/video"))
}

func (d *device) open(_ context.Context, modest bool) (eye, error) {
	silent := fmt.Errorf("camera: open %s: no camera answers there; plug it in, see `ls /dev/video*`, and add the user to the "+
		"group video; a Pi's own camera is set with camera.source: rpicam", d.path)
	n, err := d.number()
	if err != nil {
		return nil, silent // OpenCV would say the same on standard error
	}
	c, err := openCapture(n, gocv.VideoCaptureV4L2, silent)
	if err != nil {
		return nil, err
	}
	// What is asked for need not be given: a driver takes what is nearest, and OpenCV then another format. JPEG lets a
	// camera on USB 2 send large pictures quickly. One that has not shown a picture so far is left as it is.
	if !modest {
		c.Set(gocv.VideoCaptureFOURCC, c.ToCodec("MJPG"))
		c.Set(gocv.VideoCaptureFrameWidth, float64(d.settings.Width))
		c.Set(gocv.VideoCaptureFrameHeight, float64(d.settings.Height))
		c.Set(gocv.VideoCaptureFPS, float64(d.settings.FPS))
	}
	c.Set(gocv.VideoCaptureBufferSize, 1)
	d.holdAgain()
	return capture{c}, nil
}

// holdAgain gives a camera that came back the values that are held.
func (d *device) holdAgain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.held) == 0 {
		return
	}
	c, err := openControls(d.path)
	if err != nil {
		return // the reading tells
	}
	defer c.close()
	for _, x := range d.held {
		_ = c.set(x) // another camera in its place may not have it
	}
}

// Hold implements Holder.
func (d *device) Hold() ([]Held, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, err := openControls(d.path)
	if err != nil {
		return nil, fmt.Errorf("camera: hold %s: %w", d.path, err)
	}
	defer c.close()
	set, held, err := c.stop()
	switch {
	case len(set) == 0:
		return nil, ErrNothingToHold
	case err != nil:
		return held, fmt.Errorf("camera: hold %s: %w", d.path, err)
	}
	d.held = set
	return held, nil
}

// Release implements Holder.
func (d *device) Release() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.held) == 0 {
		return nil
	}
	c, err := openControls(d.path)
	if err != nil {
		return fmt.Errorf("camera: release %s: %w", d.path, err)
	}
	defer c.close()
	held := d.held
	d.held = nil
	if err := c.start(held); err != nil {
		return fmt.Errorf("camera: release %s: %w", d.path, err)
	}
	return nil
}

package camera

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"time"
)

const libcameraAdvice = "is the camera's ribbon in, is the package gstreamer1.0-libcamera there, and is the user in the group video? " +
	"camera.source: rpicam is another way to the same camera"

// libcamera is a Pi's own camera through GStreamer. A pipeline does not tell what exposure the camera finds: to hold it, the
// pipeline lets the camera go, and rpicam-vid is asked, where it is installed.
type libcamera struct {
	keeper
	name     string // empty: the first
	settings Settings
	pipeline func(pipeline, advice string) opener

	asked chan error // under mu: whoever waits for the exposure to be learned; nil: nobody
}

const (
	learning  = 2500 * time.Millisecond // is given to the camera to find its exposure
	learnWait = 15 * time.Second        // for all of it at most
)

// libcameraPipeline is how GStreamer reaches the Pi's own camera; an empty name takes the first.
func libcameraPipeline(name string, kept *exposure, s Settings) string {
	source := "libcamerasrc"
	if name != "" {
		source += fmt.Sprintf(" camera-name=%q", name)
	}
	return fmt.Sprintf("%s%s ! video/x-raw,width=%d,height=%d,framerate=%d/1", source, kept.properties(), s.Width, s.Height, s.FPS)
}

// open is the opener.
func (l *libcamera) open(ctx context.Context, modest bool) (eye, error) {
	l.learn(ctx)
	if kept := l.opening(modest); kept != nil {
		if e, err := l.pipeline(libcameraPipeline(l.name, kept, l.settings), libcameraAdvice)(ctx, modest); err == nil {
			return e, nil
		} // the part of old systems knows no exposure
	}
	return l.pipeline(libcameraPipeline(l.name, nil, l.settings), libcameraAdvice)(ctx, modest)
}

// learn finds out the exposure if somebody asked for it. Nobody may have the camera open.
func (l *libcamera) learn(ctx context.Context) {
	l.mu.Lock()
	asked := l.asked
	l.asked = nil
	l.mu.Unlock()
	if asked == nil {
		return
	}
	x, err := askExposure(ctx, l.name, l.settings)
	if err == nil {
		l.mu.Lock()
		l.kept = x
		l.mu.Unlock()
	}
	asked <- err
}

// askExposure has rpicam-vid look through the camera for a moment and tell what exposure it found.
func askExposure(ctx context.Context, name string, s Settings) (*exposure, error) {
	ctx, stop := context.WithTimeout(ctx, learnWait)
	defer stop()
	number, err := cameraNumber(ctx, name)
	if err != nil {
		return nil, err
	}
	command := append(rpicamCommand(number, s), "--timeout", fmt.Sprint(learning.Milliseconds()), "--output", "/dev/null")
	command = append(command, tellingExposure...)
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.WaitDelay = time.Second
	var last *exposure
	end, err := startTelling(child, func(in io.Reader) { readMetadata(in, func(x exposure) { last = &x }) })
	if err != nil {
		return nil, fmt.Errorf("camera: hold: start %s: %w", command[0], err)
	}
	err = child.Wait()
	end()
	if last == nil {
		return nil, errors.Join(errNotTold, err)
	}
	return last, nil
}

// cameraNumber returns by which number rpicam-vid knows the camera that libcamera calls name.
func cameraNumber(ctx context.Context, name string) (string, error) {
	if name == "" {
		return "0", nil
	}
	list, err := exec.CommandContext(ctx, rpicamProgram(), "--list-cameras").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("camera: hold: list the cameras: %w", err)
	}
	found := regexp.MustCompile(`(?m)^\s*(\d+) :.*\(` + regexp.QuoteMeta(name) + `\)\s*$`).FindSubmatch(list)
	if found == nil {
		return "", fmt.Errorf("camera: hold: %s does not list %s", rpicamProgram(), name)
	}
	return string(found[1]), nil
}

// Hold implements Holder. It takes some seconds, for which there are no pictures.
func (l *libcamera) Hold() ([]Held, error) {
	if _, err := exec.LookPath(rpicamProgram()); err != nil {
		return nil, ErrNothingToHold
	}
	l.mu.Lock()
	if l.kept != nil {
		defer l.mu.Unlock()
		return l.kept.held(), nil
	}
	asked := make(chan error, 1)
	l.asked = asked
	l.mu.Unlock()
	l.anew()
	select {
	case err := <-asked:
		if err != nil {
			return nil, err
		}
	case <-time.After(2 * learnWait):
		return nil, errNotTold
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.held(), nil
}

package camera

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// silentFor is how long a stream of our own reading may send nothing before it is opened anew.
const silentFor = 10 * time.Second

// rpicam is a Pi's own camera by the program that shows it, as an endless stream of JPEG pictures.
type rpicam struct {
	keeper
	number   string
	settings Settings
}

// rpicamProgram returns the name of the program; older systems call it libcamera-vid.
func rpicamProgram() string {
	const program, before = "rpicam-vid", "libcamera-vid"
	if _, err := exec.LookPath(program); err != nil {
		if _, err := exec.LookPath(before); err == nil {
			return before
		}
	}
	return program
}

// rpicamCommand asks for pictures.
func rpicamCommand(number string, s Settings) []string {
	if number == "" {
		number = "0"
	}
	return []string{rpicamProgram(), "--camera", number, "--codec", "mjpeg", "--nopreview", "--flush",
		"--width", fmt.Sprint(s.Width), "--height", fmt.Sprint(s.Height), "--framerate", fmt.Sprint(s.FPS)}
}

// tellingExposure has the program write what it finds to the first file that a child has from us.
var tellingExposure = []string{"--metadata", "/dev/fd/3", "--metadata-format", "txt"}

// open is the opener. One that gave no picture is asked neither to tell its exposure nor to keep one: an old program cannot.
func (r *rpicam) open(ctx context.Context, modest bool) (eye, error) {
	kept := r.opening(modest)
	command := append(rpicamCommand(r.number, r.settings), "--timeout", "0", "--output", "-")
	if modest {
		return startChild(ctx, command, nil)
	}
	command = append(command, tellingExposure...)
	return startChild(ctx, append(command, kept.options()...), func(in io.Reader) { readMetadata(in, r.see) })
}

// startChild starts a program that writes JPEG pictures to its standard output. What it writes to its file 3 goes to told,
// when that is not nil, until it ends.
func startChild(ctx context.Context, command []string, told func(io.Reader)) (eye, error) {
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, fmt.Errorf("camera: start %s: it is not installed: apt install rpicam-apps, on a Raspberry Pi with its camera", command[0])
	}
	ctx, stop := context.WithCancel(ctx)
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.WaitDelay = time.Second
	out, err := child.StdoutPipe()
	var endTold func()
	if err == nil {
		endTold, err = startTelling(child, told)
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("camera: start %s: %w", command[0], err)
	}
	alive := newPatience(out, stop)
	return &stream{pictures: newJPEGs(alive), end: func() {
		stop()
		_ = child.Wait() // it was killed
		endTold()
		alive.end()
	}}, nil
}

// startTelling starts the child with a pipe as its file 3, which told reads. The function it returns ends that,
// once the child has ended.
func startTelling(child *exec.Cmd, told func(io.Reader)) (end func(), err error) {
	if told == nil {
		return func() {}, child.Start()
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	child.ExtraFiles = []*os.File{theirs}
	if err := child.Start(); err != nil {
		return nil, errors.Join(err, ours.Close(), theirs.Close())
	}
	_ = theirs.Close() // the child has its own
	done := make(chan struct{})
	go func() { defer close(done); told(ours) }()
	return func() {
		select {
		case <-done: // all that it wrote was read
		case <-time.After(time.Second): // somebody else has the pipe's other end
		}
		_ = ours.Close()
		<-done
	}, nil
}

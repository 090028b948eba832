package camera

import (
	"context"
	"fmt"
	"os/exec"
	"time"
)

// silentFor is how long a stream of our own reading may send nothing before it is opened anew.
const silentFor = 10 * time.Second

// rpicamCommand is the program that shows the Pi's own camera, an endless stream of JPEG pictures. Older systems call it
// libcamera-vid.
func rpicamCommand(number string, s Settings) []string {
	program := "rpicam-vid"
	if _, err := exec.LookPath(program); err != nil {
		if _, err := exec.LookPath("libcamera-vid"); err == nil {
			program = "libcamera-vid"
		}
	}
	if number == "" {
		number = "0"
	}
	return []string{program, "--camera", number, "--codec", "mjpeg", "--timeout", "0", "--nopreview", "--flush",
		"--width", fmt.Sprint(s.Width), "--height", fmt.Sprint(s.Height), "--framerate", fmt.Sprint(s.FPS), "--output", "-"}
}

// childOpener starts a program that writes JPEG pictures to its standard output.
func childOpener(command []string) opener {
	return func(ctx context.Context, _ bool) (eye, error) {
		if _, err := exec.LookPath(command[0]); err != nil {
			return nil, fmt.Errorf("camera: start %s: it is not installed: apt install rpicam-apps, on a Raspberry Pi with its camera", command[0])
		}
		ctx, stop := context.WithCancel(ctx)
		child := exec.CommandContext(ctx, command[0], command[1:]...)
		child.WaitDelay = time.Second
		out, err := child.StdoutPipe()
		if err == nil {
			err = child.Start()
		}
		if err != nil {
			stop()
			return nil, fmt.Errorf("camera: start %s: %w", command[0], err)
		}
		alive := newPatience(out, stop)
		return &stream{pictures: newJPEGs(alive), end: func() {
			stop()
			_ = child.Wait() // it was killed
			alive.end()
		}}, nil
	}
}

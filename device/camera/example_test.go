package camera_test

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gocv.io/x/gocv"

	"davar/device/camera"
)

// A source is asked for one picture after the other; a live one that is lost comes back by itself.
func ExampleSource() {
	picture := gocv.NewMatWithSize(480, 640, gocv.MatTypeCV8UC3)
	defer picture.Close()
	var source camera.Source = &camera.Fake{Pictures: []*gocv.Mat{&picture, nil, &picture}}
	defer source.Close()

	img := gocv.NewMat()
	defer img.Close()
	for {
		p, err := source.Next(context.Background(), &img)
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, camera.ErrLost) {
			fmt.Println("lost")
			continue
		}
		fmt.Println(p.N, p.T, img.Cols(), img.Rows())
	}
	// Output:
	// 0 0s 640 480
	// lost
	// 2 200ms 640 480
}

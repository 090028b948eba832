package feed_test

import (
	"context"
	"fmt"
	"time"

	"gocv.io/x/gocv"

	"davar/cmd/davar/feed"
	"davar/device/camera"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// eye sees an empty room in every picture.
type eye struct{}

func (eye) Watch(_ gocv.Mat, t time.Duration, n int) (*sighting.Sighting, error) {
	return &sighting.Sighting{T: t, Frame: n, Scene: sighting.SceneNoBoard}, nil
}

// Three pictures and the press that was recorded with them, in the order of time.
func ExampleFeed_Run() {
	picture := gocv.NewMatWithSize(8, 8, gocv.MatTypeCV8UC3)
	defer picture.Close()
	film := feed.Feed{
		Source: &camera.Fake{Pictures: []*gocv.Mat{&picture, &picture, &picture}},
		Eye:    eye{},
		Inputs: []referee.Input{{T: 150 * time.Millisecond, Press: &referee.Press{Side: rules.Dark}}},
	}
	err := film.Run(context.Background(), func(_ context.Context, in referee.Input) error {
		if in.Press != nil {
			fmt.Println(in.T, in.Press.Side, "presses")
			return nil
		}
		fmt.Println(in.T, "picture", in.Sighting.Frame, in.Sighting.Scene)
		return nil
	})
	fmt.Println(err)
	// Output:
	// 0s picture 0 no board
	// 100ms picture 1 no board
	// 150ms dark presses
	// 200ms picture 2 no board
	// <nil>
}

package feed

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"gocv.io/x/gocv"

	"davar/device/camera"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// blank is an eye that sees nothing in particular.
type blank struct{}

func (blank) Watch(_ gocv.Mat, t time.Duration, n int) (*sighting.Sighting, error) {
	return &sighting.Sighting{T: t, Frame: n}, nil
}

// film returns a feed of so many pictures and the inputs recorded with them.
func film(t *testing.T, pictures int, inputs ...referee.Input) *Feed {
	img := gocv.NewMatWithSize(8, 8, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { img.Close() })
	source := &camera.Fake{}
	for range pictures {
		source.Pictures = append(source.Pictures, &img)
	}
	return &Feed{Source: source, Eye: blank{}, Inputs: inputs}
}

func press(ms int) referee.Input {
	return referee.Input{T: time.Duration(ms) * time.Millisecond, Press: &referee.Press{Side: rules.Light}}
}

func TestAFilmsPressesComeInOrderWithItsPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := film(t, 4, press(100), press(150), press(900))
		begun := time.Now()
		f.Wait = func(_ context.Context, at time.Duration) error {
			<-time.After(time.Until(begun.Add(at)))
			return nil
		}
		var got []int64
		var pressed []int
		err := f.Run(t.Context(), func(_ context.Context, in referee.Input) error {
			if in.T != time.Since(begun) {
				t.Errorf("what happened at %v came at %v", in.T, time.Since(begun))
			}
			if in.Press != nil {
				pressed = append(pressed, len(got))
			}
			got = append(got, in.T.Milliseconds())
			return nil
		})
		want := []int64{0, 100, 100, 150, 200, 300, 900}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v at %v, want %v", err, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("input %d is at %d ms, want %v", i, got[i], want)
			}
		}
		if len(pressed) != 3 || pressed[0] != 1 { // at the same moment the press comes before the picture
			t.Errorf("presses are inputs %v", pressed)
		}
	})
}

func TestALostCameraIsToldToTheReferee(t *testing.T) {
	f := film(t, 2)
	f.Source.(*camera.Fake).Pictures[0] = nil
	var scenes []sighting.Scene
	err := f.Run(t.Context(), func(_ context.Context, in referee.Input) error {
		scenes = append(scenes, in.Sighting.Scene)
		return nil
	})
	if err != nil || len(scenes) != 2 || scenes[0] != sighting.SceneLost || scenes[1] != sighting.SceneClear {
		t.Errorf("%v, %v", scenes, err)
	}
}

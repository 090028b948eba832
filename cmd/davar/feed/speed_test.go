package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"gocv.io/x/gocv"

	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// remembered is an eye that saw a film before.
type remembered []referee.Input

func (r remembered) Watch(_ gocv.Mat, t time.Duration, n int) (*sighting.Sighting, error) {
	seen := *r[n].Sighting
	seen.T = t
	return &seen, nil
}

// refereed returns what the referee says to a film of that mode, waiting as wait does.
func refereed(t *testing.T, mode string, wait func(context.Context, time.Duration) error) []byte {
	t.Helper()
	known, err := refereetest.OpenFilm(os.DirFS("../../../rules/referee/refereetest/testdata/dev2"))
	if err != nil {
		t.Fatal(err)
	}
	noise := refereetest.UsualNoise()
	noise.Drop = 0 // a picture for every frame
	seen := remembered(known.Stream("none", noise, 5))
	f := film(t, len(seen), known.Inputs[mode]...)
	f.Eye, f.Wait = seen, wait
	r, err := referee.New(known.Settings(mode))
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	out := json.NewEncoder(&said)
	err = f.Run(t.Context(), func(_ context.Context, in referee.Input) error {
		for _, e := range r.Handle(in) {
			if err := out.Encode(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return said.Bytes()
}

func TestAFilmGivesTheSameEventsAtItsOwnSpeedAndAtFullSpeed(t *testing.T) {
	for _, mode := range []string{"clock", "pickup"} {
		fast := refereed(t, mode, nil)
		if again := refereed(t, mode, nil); !bytes.Equal(fast, again) {
			t.Errorf("%s: two runs differ", mode)
		}
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			slow := refereed(t, mode, func(_ context.Context, at time.Duration) error {
				time.Sleep(time.Until(begun.Add(at))) // of the bubble's time
				return nil
			})
			if took := time.Since(begun); took < 2*time.Minute {
				t.Errorf("%s: the film ran %v", mode, took)
			}
			if !bytes.Equal(fast, slow) {
				t.Errorf("%s: at its own speed the film gives other events", mode)
			}
		})
	}
}

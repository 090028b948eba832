package camera

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// conformHolder is what every source must do whose exposure and focus can be held.
func conformHolder(t *testing.T, s Source) {
	t.Helper()
	first, err := Hold(s)
	if err != nil || len(first) == 0 {
		t.Fatalf("held %v, %v", first, err)
	}
	if again, err := Hold(s); err != nil || !slices.Equal(first, again) {
		t.Errorf("held at %v, and again at %v, %v", first, again, err)
	}
	for range 2 { // what is free may be freed
		if err := Release(s); err != nil {
			t.Error(err)
		}
	}
}

func TestTheFakeIsHeld(t *testing.T) {
	s := &Fake{Automatic: []Held{{"Exposure Time, Absolute", 156}, {"Focus, Absolute", 30}}}
	conformHolder(t, s)
	if _, err := Hold(s); err != nil || !s.holding {
		t.Errorf("held: %v, %v", s.holding, err)
	}
}

func TestWhatHasNoExposureSaysSo(t *testing.T) {
	folder := t.TempDir()
	gocv.IMWrite(filepath.Join(folder, "p.png"), *grey(t, 90))
	s := mustOpen(t, folder, Settings{})
	defer s.Close()
	for _, s := range []Source{s, &Fake{}} {
		if held, err := Hold(s); !errors.Is(err, ErrNothingToHold) || held != nil {
			t.Errorf("held %v, %v", held, err)
		}
		if err := Release(s); err != nil {
			t.Error(err)
		}
	}
}

// TestACameraThatNeverShowsAPictureIsAskedForLess has each second opening ask for nothing in particular until a picture
// comes.
func TestACameraThatNeverShowsAPictureIsAskedForLess(t *testing.T) {
	asked, picture := make(chan bool, 16), grey(t, 90)
	s, err := openLive(func(_ context.Context, modest bool) (eye, error) {
		asked <- modest
		return blind{modest, picture}, nil
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	await(t, s, &img)
	if first, second := <-asked, <-asked; first || !second {
		t.Errorf("the openings were modest: %v, %v", first, second)
	}
}

// blind is an eye that sees only when little was asked of it, twenty pictures a second.
type blind struct {
	seeing  bool
	picture *gocv.Mat
}

func (b blind) read(img *gocv.Mat) bool {
	if b.seeing {
		<-time.After(50 * time.Millisecond)
		b.picture.CopyTo(img)
	}
	return b.seeing
}

func (blind) close() {}

package camera

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// grey returns a picture of one shade.
func grey(t *testing.T, shade uint8) *gocv.Mat {
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(float64(shade), float64(shade), float64(shade), 0), 48, 64, gocv.MatTypeCV8UC3)
	t.Cleanup(func() { img.Close() })
	return &img
}

func shades(t *testing.T) []*gocv.Mat { return []*gocv.Mat{grey(t, 40), grey(t, 120), grey(t, 200)} }

// conform is what every source of three pictures, a tenth of a second apart, must do.
func conform(t *testing.T, open func(t *testing.T) Source) {
	t.Run("pictures come in order with their times and then end", func(t *testing.T) {
		s := open(t)
		defer s.Close()
		img := gocv.NewMat()
		defer img.Close()
		for i, want := range []float64{40, 120, 200} {
			p, err := s.Next(context.Background(), &img)
			if err != nil {
				t.Fatal(err)
			}
			if p.N != i || p.T != time.Duration(i)*100*time.Millisecond {
				t.Errorf("picture %d is number %d at %v", i, p.N, p.T)
			}
			if got := img.Mean().Val1; got < want-12 || got > want+12 {
				t.Errorf("picture %d has shade %.0f, want %.0f", i, got, want)
			}
		}
		if _, err := s.Next(context.Background(), &img); !errors.Is(err, io.EOF) {
			t.Errorf("after the last picture: %v", err)
		}
	})
	t.Run("a context that ended is obeyed", func(t *testing.T) {
		s := open(t)
		defer s.Close()
		img := gocv.NewMat()
		defer img.Close()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := s.Next(ctx, &img); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestTheFakeConforms(t *testing.T) {
	conform(t, func(t *testing.T) Source { return &Fake{Pictures: shades(t)} })
}

// filmOfShades writes a film of the shades, ten a second, and returns its path.
func filmOfShades(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "film.avi")
	w, err := gocv.VideoWriterFile(path, "MJPG", 10, 64, 48, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, img := range shades(t) {
		if err := w.Write(*img); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return path
}

func TestAVideoFileConforms(t *testing.T) {
	path := filmOfShades(t)
	conform(t, func(t *testing.T) Source { return mustOpen(t, path, Settings{}) })

	s := mustOpen(t, path, Settings{From: 150 * time.Millisecond})
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	if p, err := s.Next(context.Background(), &img); err != nil || p.N != 2 || p.T != 200*time.Millisecond {
		t.Errorf("from 150 ms the film begins with %+v, %v", p, err)
	}
}

func TestAFolderOfPicturesConforms(t *testing.T) {
	dir := t.TempDir()
	for i, img := range shades(t) {
		gocv.IMWrite(filepath.Join(dir, fmt.Sprintf("p%d.png", i)), *img)
	}
	conform(t, func(t *testing.T) Source { return mustOpen(t, dir, Settings{}) })

	frames := "{\"image\":\"p0.png\",\"t\":0}\n{\"image\":\"p2.png\",\"t_ms\":200}\n{\"image\":\"p1.png\",\"t\":0.1}\n"
	if err := os.WriteFile(filepath.Join(dir, "frames.jsonl"), []byte(frames), 0o644); err != nil {
		t.Fatal(err)
	}
	conform(t, func(t *testing.T) Source { return mustOpen(t, dir, Settings{}) })
}

func mustOpen(t *testing.T, spec string, s Settings) Source {
	t.Helper()
	source, err := Open(spec, s)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func TestWhatCannotBeOpenedSaysWhatToDo(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.mp4")
	if err := os.WriteFile(broken, []byte("this is no film"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ spec, want string }{
		{"/nowhere/film.mp4", "no such file"},
		{broken, "is it whole?"},
		{t.TempDir(), "no pictures"},
		{"/dev/video97", "no camera answers"},
	} {
		s, err := Open(c.spec, Settings{})
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.spec, err, c.want)
		}
	}
}

func TestALiveCameraGivesPicturesOrSaysItIsLost(t *testing.T) {
	s, err := Open("/dev/video0", Settings{Width: 640, Height: 480, FPS: 10})
	if err != nil {
		t.Skipf("no V4L2 camera on this machine: %v", err)
	}
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	for range 3 {
		if _, err := s.Next(context.Background(), &img); err != nil {
			t.Fatal(err)
		}
	}
}

// TestALostStreamIsToldAndComesBack runs the live reader on a file that ends: after its last picture the reader
// is lost, opens the file anew and goes on.
func TestALostStreamIsToldAndComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "short.avi")
	w, err := gocv.VideoWriterFile(path, "MJPG", 10, 64, 48, true)
	if err != nil {
		t.Fatal(err)
	}
	img := grey(t, 90)
	gocv.PutText(img, "x", image.Pt(5, 20), gocv.FontHersheyPlain, 1, color.RGBA{}, 1)
	if err := w.Write(*img); err != nil {
		t.Fatal(err)
	}
	w.Close()
	s, err := openLive(streamOpener(path), false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := gocv.NewMat()
	defer got.Close()
	for n := range 2 {
		if _, err := s.Next(context.Background(), &got); err != nil {
			t.Fatalf("picture %d: %v", n, err)
		}
	}
}

func FuzzParseFrames(f *testing.F) {
	f.Add([]byte("{\"first\": 0, \"count\": 15, \"t\": 0.0, \"image\": \"kf_0000_a.jpg\", \"state\": \"a\", \"turn\": 0}\n{\"image\":\"b.png\",\"t_ms\":5}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		shows, err := parseFrames(text)
		for i := range shows {
			if err == nil && (shows[i].N != i || i > 0 && shows[i].T < shows[i-1].T) {
				t.Fatalf("picture %d is %+v", i, shows[i])
			}
		}
	})
}

package camera

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// jpegOf returns a picture of one shade as a JPEG file.
func jpegOf(t testing.TB, shade float64) []byte {
	t.Helper()
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(shade, shade, shade, 0), 48, 64, gocv.MatTypeCV8UC3)
	defer img.Close()
	file, err := gocv.IMEncode(gocv.JPEGFileExt, img)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return bytes.Clone(file.GetBytes())
}

// await returns the next picture, however often the camera is lost before it.
func await(t *testing.T, s Source, img *gocv.Mat) Picture {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	for {
		p, err := s.Next(ctx, img)
		if err == nil {
			return p
		}
		if !errors.Is(err, ErrLost) {
			t.Fatal(err)
		}
	}
}

// conformLive is what every camera must do whose pictures come as time passes.
func conformLive(t *testing.T, open func(t *testing.T) Source) {
	s := open(t)
	img := gocv.NewMat()
	defer img.Close()
	var last Picture
	for i := range 4 {
		p := await(t, s, &img)
		if i > 0 && (p.N <= last.N || p.T <= last.T) {
			t.Errorf("picture %+v comes after %+v", p, last)
		}
		if img.Empty() || img.Channels() != 3 {
			t.Errorf("picture %d is %v", i, img.Size())
		}
		last = p
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for range 3 { // one that is there already may come
		if _, err := s.Next(ended, &img); errors.Is(err, context.Canceled) {
			break
		} else if err != nil {
			t.Errorf("with a context that ended: %v", err)
		}
	}
	begun := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > closeWait {
		t.Errorf("closing took %v", took)
	}
}

// fakeRPiCam puts a program in the place of rpicam-vid: it is what the script says.
func fakeRPiCam(t *testing.T, script string) {
	t.Helper()
	folder := t.TempDir()
	for i, shade := range []float64{40, 120, 200} {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.jpg", i)), jpegOf(t, shade), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := "#!/bin/sh\necho \"$@\" >" + folder + "/asked\ncd " + folder + "\n" + script
	if err := os.WriteFile(filepath.Join(folder, "rpicam-vid"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	t.Setenv("RPICAM_FOLDER", folder)
}

var small = Settings{Width: 640, Height: 480, FPS: 10}

func TestThePisOwnCameraConformsAsAChildProcess(t *testing.T) {
	fakeRPiCam(t, "while :; do cat 0.jpg 1.jpg 2.jpg; sleep 0.05; done\n")
	conformLive(t, func(t *testing.T) Source { return mustOpen(t, "rpicam:1", small) })
	asked, err := os.ReadFile(filepath.Join(os.Getenv("RPICAM_FOLDER"), "asked"))
	if err != nil || !strings.Contains(string(asked), "--camera 1 --codec mjpeg") || !strings.Contains(string(asked), "--width 640") {
		t.Errorf("rpicam-vid was asked for %q, %v", asked, err)
	}
}

func TestAChildProcessThatDiesIsStartedAgain(t *testing.T) {
	fakeRPiCam(t, "cat 0.jpg\n") // and dies
	s := mustOpen(t, "rpicam", small)
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	first := await(t, s, &img)
	if again := await(t, s, &img); again.N <= first.N {
		t.Errorf("after %+v comes %+v", first, again)
	}
}

func TestAChildProcessThatStallsIsToldAsLostAndCloses(t *testing.T) {
	fakeRPiCam(t, "cat 0.jpg 1.jpg\nexec sleep 600\n")
	s := mustOpen(t, "rpicam", small)
	img := gocv.NewMat()
	defer img.Close()
	await(t, s, &img)
	for {
		if _, err := s.Next(context.Background(), &img); errors.Is(err, ErrLost) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// networkCamera sends pictures as cameras on the network do, until hang is closed and as long as nobody stops it.
func networkCamera(t *testing.T, hang <-chan struct{}) *httptest.Server {
	file := jpegOf(t, 90)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary=frame")
		for {
			_, err := fmt.Fprintf(w, "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", len(file), file)
			if err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-time.After(20 * time.Millisecond):
			case <-hang:
				<-r.Context().Done()
				return
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func TestACameraOnTheNetworkConforms(t *testing.T) {
	server := networkCamera(t, nil)
	conformLive(t, func(t *testing.T) Source { return mustOpen(t, server.URL+"/live", small) })
}

// TestAStreamThatOpenCVReadsConforms has a film on the network be the stream, as RTSP is read; it ends, and is opened anew.
func TestAStreamThatOpenCVReadsConforms(t *testing.T) {
	path := filmOfShades(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) }))
	defer server.Close()
	conformLive(t, func(t *testing.T) Source { return mustOpen(t, server.URL+"/film.avi", small) })
}

func TestACameraOnTheNetworkThatIsUnpluggedIsLostAndComesBack(t *testing.T) {
	server := networkCamera(t, nil)
	s := mustOpen(t, server.URL, small)
	defer s.Close()
	img := gocv.NewMat()
	defer img.Close()
	before := await(t, s, &img)
	server.CloseClientConnections()
	for after := before; after.T < before.T+retryMin; { // it is opened anew not sooner
		after = await(t, s, &img)
	}
}

func TestACameraOnTheNetworkThatStallsIsLostAndCloses(t *testing.T) {
	hang := make(chan struct{})
	s := mustOpen(t, networkCamera(t, hang).URL, small)
	img := gocv.NewMat()
	defer img.Close()
	await(t, s, &img)
	close(hang)
	for {
		if _, err := s.Next(context.Background(), &img); errors.Is(err, ErrLost) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestACameraThatIsNotThereYetIsWaitedForWithPatience(t *testing.T) {
	s, err := Open("/dev/video97", Settings{Patient: true})
	if err != nil {
		t.Fatal(err)
	}
	img := gocv.NewMat()
	defer img.Close()
	if _, err := s.Next(context.Background(), &img); !errors.Is(err, ErrLost) {
		t.Errorf("a camera that is not there says %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestAPipelineOfGStreamerConforms(t *testing.T) {
	if exec.Command("gst-inspect-1.0", "videotestsrc").Run() != nil {
		t.Skip("SKIPPED: GStreamer's videotestsrc is not installed here (gstreamer1.0-plugins-base, gstreamer1.0-tools)")
	}
	conformLive(t, func(t *testing.T) Source {
		return mustOpen(t, "gst:videotestsrc is-live=true ! video/x-raw,width=640,height=480,framerate=20/1", small)
	})
}

func TestThePisOwnCameraIsAskedForThroughGStreamer(t *testing.T) {
	want := `libcamerasrc camera-name="/base/soc/i2c0mux" ! video/x-raw,width=640,height=480,framerate=10/1`
	if got := libcameraPipeline("/base/soc/i2c0mux", nil, small); got != want {
		t.Errorf("the pipeline is %s", got)
	}
}

func TestLiveSourcesThatCannotBeOpenedSayWhatToDoAndKeepSecrets(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	withUser := strings.Replace(gone.URL, "http://", "http://eye:swordfish@", 1) + "/live?key=sesame"
	for _, c := range []struct{ spec, want string }{
		{"rpicam", "apt install rpicam-apps"}, {withUser, "404"},
		{"http://127.0.0.1:1/", "check address and network"}, {"rtsp://eye:swordfish@127.0.0.1:1/x", "check address and network"},
	} {
		s, err := Open(c.spec, small)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "swordfish") || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v, want %q", c.spec, err, c.want)
		}
	}
}

func TestPicturesAreFoundInAStreamWhateverStandsBetween(t *testing.T) {
	one, two := jpegOf(t, 40), jpegOf(t, 200)
	// A picture inside a segment of another, as cameras put small ones there, ends nothing.
	inside := append([]byte{0xff, 0xd8, 0xff, 0xe1, byte((len(two) + 2) >> 8), byte(len(two) + 2)}, two...)
	inside = append(inside, one[2:]...)
	var all []byte
	for _, part := range [][]byte{[]byte("--frame\r\n\r\n"), one, []byte("\r\n\xff--frame\r\n"), inside, two, one[:len(one)/2]} {
		all = append(all, part...)
	}
	j := newJPEGs(bytes.NewReader(all))
	for i, want := range [][]byte{one, inside, two} {
		got, err := j.next()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("picture %d has %d bytes, want %d; %v", i, len(got), len(want), err)
		}
	}
	if _, err := j.next(); err == nil {
		t.Error("half a picture is one")
	}
}

func FuzzJPEGs(f *testing.F) {
	f.Add(jpegOf(f, 90))
	f.Add([]byte{0xff, 0xd8, 0xff, 0xd9, 0xff, 0xd8, 0xff, 0xe1, 0, 1})
	f.Fuzz(func(t *testing.T, text []byte) {
		j := newJPEGs(bytes.NewReader(text))
		total := 0
		for {
			file, err := j.next()
			if err != nil {
				break
			}
			if total += len(file); total > len(text) || len(file) < 4 {
				t.Fatalf("pictures of %d bytes in %d", total, len(text))
			}
		}
	})
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"gocv.io/x/gocv"

	"davar/device/recording"
)

// filmedCamera is a camera on the network over a board that lies ready; from play on the film goes on, as fast as it was
// taken.
type filmedCamera struct {
	t       *testing.T
	film    string
	playing chan struct{}
}

const (
	ready   = time.Second     // of the film shows the board before anything happens
	settled = 6 * time.Second // the players leave the board alone before they throw
)

func (c *filmedCamera) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	video, err := gocv.VideoCaptureFile(c.film)
	if err != nil {
		c.t.Error(err)
		return
	}
	defer video.Close()
	pace := time.Duration(float64(time.Second) / video.Get(gocv.VideoCaptureFPS))
	before := frames(video, int(ready/pace))
	w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary=frame")
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for n := 0; r.Context().Err() == nil; n++ {
		picture := before[n%len(before)]
		if next := frames(video, c.due(n, pace)); len(next) > 0 {
			picture = next[0]
		}
		fmt.Fprintf(w, "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", len(picture), picture)
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		<-tick.C
	}
}

// due is how many pictures of the film come next: none as long as the players wait.
func (c *filmedCamera) due(n int, pace time.Duration) int {
	select {
	case <-c.playing:
		if time.Duration(n)*pace > settled {
			return 1
		}
	default:
	}
	return 0
}

// frames reads up to n pictures of the film, with the noise of a sensor: a camera that repeats itself counts as frozen.
func frames(video *gocv.VideoCapture, n int) (all [][]byte) {
	picture, noise := gocv.NewMat(), gocv.NewMat()
	defer picture.Close()
	defer noise.Close()
	for len(all) < n && video.Read(&picture) {
		if noise.Empty() {
			noise = gocv.NewMatWithSize(picture.Rows(), picture.Cols(), picture.Type())
		}
		gocv.RandN(&noise, gocv.NewScalar(1, 1, 1, 0), gocv.NewScalar(1, 1, 1, 0))
		gocv.Add(picture, noise, &picture)
		jpeg, err := gocv.IMEncodeWithParams(gocv.JPEGFileExt, picture, []int{gocv.IMWriteJpegQuality, 92})
		if err != nil {
			return all
		}
		all = append(all, append([]byte(nil), jpeg.GetBytes()...))
		jpeg.Close()
	}
	return all
}

// page is a window of a browser.
type page struct {
	t   *testing.T
	ctx context.Context
}

// browse opens a browser of the test's own, or skips where there is none.
func browse(t *testing.T) *page {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skipf("NOT TESTED: no Chromium here, the page cannot be looked at (apt-get install chromium): %v", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	allocator, stopAllocator := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	t.Cleanup(func() { stop(); stopAllocator() })
	p := &page{t, ctx}
	p.do(chromedp.EmulateViewport(1280, 900))
	return p
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// visit opens a page.
func (p *page) visit(url string) {
	p.t.Helper()
	p.do(chromedp.Navigate(url))
}

// run has the page do something by itself.
func (p *page) run(script string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](script + "; undefined"))
}

// until waits until an expression is true in the page, which may give way to the next meanwhile.
func (p *page) until(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 3*time.Minute)
	defer cancel()
	truth := chromedp.Poll[bool]("(() => { try { return Boolean("+expression+"); } catch { return false; } })()", chromedp.WithPollingTimeout(0))
	_, err := chromedp.Run(ctx, truth)
	for err != nil && ctx.Err() == nil && (strings.Contains(err.Error(), "navigated") || strings.Contains(err.Error(), "context")) {
		_, err = chromedp.Run(ctx, truth) // in the next page
	}
	if err != nil {
		reads, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		p.t.Fatalf("never true: %s: %v; the page reads:\n%s", expression, err, reads)
	}
}

// greetings passes on what the program says, and tells of each time it names its page, which is open then: with every
// match anew.
type greetings struct {
	io.Writer
	named chan struct{}
}

func (g greetings) Write(said []byte) (int, error) {
	if bytes.Contains(said, []byte("Live page: ")) {
		g.named <- struct{}{}
	}
	return g.Writer.Write(said)
}

// wait waits for the next match.
func (g greetings) wait(t *testing.T) {
	t.Helper()
	select {
	case <-g.named:
	case <-time.After(time.Minute):
		t.Fatal("the program names no page")
	}
}

// The director signs in, sets a match up and begins it; then the players play, and the spectators' page shows what they
// did under the names he gave. Camera, referee, log and pages are the program's own.
func TestAMatchBegunFromTheConsoleIsRefereedLive(t *testing.T) {
	browser := browse(t)
	folder := t.TempDir()
	film, err := recording.Unpack(filepath.Join(folder, "film"))
	if err != nil {
		t.Fatal(err)
	}
	camera := &filmedCamera{t, filepath.Join(film.Dir, "video.mp4"), make(chan struct{})}
	network := httptest.NewServer(camera)
	t.Cleanup(network.Close)
	at := freePort(t)
	password := filepath.Join(folder, "password")
	if err := os.WriteFile(password, []byte("a plain old password\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf("camera: {source: %q}\nweb: {listen: %q, password_file: %q}\njournal: {path: %q}\nmqtt: {broker: none}\npublish: {delay: 0s}\n",
		network.URL+"/camera.mjpg", at, password, filepath.Join(folder, "davar.db"))
	file := write(t, "davar.yaml", settings)
	said := greetings{t.Output(), make(chan struct{}, 10)}
	runs(t, said, "run", "--config", file)

	url := "http://" + at
	said.wait(t)
	browser.visit(url + "/director/setup?lang=en")
	browser.until(`document.querySelector('input[name=password]')`)
	browser.run(`document.querySelector('input[name=password]').value = 'a plain old password'; document.querySelector('form[action="/signin"]').requestSubmit()`)
	browser.until(`document.getElementById('begin').disabled === false`)
	for id, value := range map[string]string{"match-light": "Tove Lind", "match-dark": "کیان", "match-length": "5", "turn-end": "pickup"} {
		browser.run(fmt.Sprintf(`document.getElementById(%q).value = %q`, id, value))
	}
	browser.run(`document.getElementById('begin').click()`)
	browser.until(`document.getElementById('answer').textContent.startsWith('The match is set up.')`)

	said.wait(t)
	browser.visit(url + "/director/table?lang=en")
	browser.until(`document.getElementById('about').textContent.includes('Tove Lind') && document.getElementById('about').textContent.includes('5-point match')`)
	browser.visit(url + "/?lang=en")
	browser.until(`document.title.includes('Tove Lind') && document.title.includes('کیان')`)
	close(camera.playing)
	browser.until(`document.getElementById('plays').innerText.includes('8/4 6/4')`)
	browser.until(`document.getElementById('plays').innerText.includes('24/23 13/9')`)
}

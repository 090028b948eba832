package accuracy_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"davar/vision"
	"davar/vision/accuracy"

	"gocv.io/x/gocv"
)

// shown says which frames of a film show which key frame.
type shown struct {
	First, Count int
	Image, State string
}

var (
	follow = flag.Bool("films", false, "follow the filmed games too: minutes")
	frames = flag.Int("frames", 1<<30, "of each film at most")
	each   = flag.Int("each", 1<<30, "of each key frame at most: enough are four")
)

// TestFiguresOfTheSharedFilms follows filmed games and compares what is seen of unhidden points in still frames with
// the truth.
func TestFiguresOfTheSharedFilms(t *testing.T) {
	if !*follow {
		t.Skip("the filmed games are followed only with -args -films")
	}
	for _, film := range []string{"seq/dev1", "seq/dev2"} {
		for _, given := range []bool{true, false} {
			name := map[bool]string{true: "corners given", false: "alone"}[given]
			t.Run(film+" "+name, func(t *testing.T) { followFilm(t, filepath.Join(sharedData, film), given) })
		}
	}
}

func followFilm(t *testing.T, dir string, given bool) {
	truths, shows := readFilm(t, dir)
	var corners [4]vision.Pixel
	for i, c := range *truths[shows[0].Image].Corners {
		corners[i] = vision.Pixel{X: c[0], Y: c[1]}
	}
	settings := vision.WatcherSettings{Layout: vision.Layout{Bottom: "light", Home: "right"}}
	if given {
		settings.Corners = &corners
	}
	w, err := vision.NewWatcher(settings)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	film, err := gocv.VideoCaptureFile(filepath.Join(dir, "video.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	defer film.Close()
	img := gocv.NewMat()
	defer img.Close()
	var ms []float64
	stats := map[string]*[6]int{} // by state: frames, still frames, points shown, wrong, hidden, wrong bars
	points, right := 0, 0         // of still, unobstructed frames
	for n := 0; n < *frames && film.Read(&img); n++ {
		show := shows[slices.IndexFunc(shows, func(s shown) bool { return n >= s.First && n < s.First+s.Count })]
		if n >= show.First+*each {
			continue
		}
		began := time.Now()
		s, err := w.Watch(img, time.Duration(n)*100*time.Millisecond, n)
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, float64(time.Since(began).Microseconds())/1000)
		truth := truths[show.Image]
		st := stats[show.State]
		if st == nil {
			st = new([6]int)
			stats[show.State] = st
		}
		st[0]++
		if s.Still {
			st[1]++
		}
		r := w.Reading()
		for p := 1; p <= 24; p++ {
			want, mixed := truthAt(truth, p)
			v := &s.Points[p-1]
			got, q := v.Counts.Best()
			switch {
			case v.Hidden:
				st[4]++
				continue
			case mixed:
				t.Logf("frame %d point %d mixed: %.2f", n, p, v.Mixed)
				continue
			}
			st[2]++
			if s.Still && !truth.Occluded {
				points++
				if got == want {
					right++
				}
			}
			if got != want {
				st[3]++
				if testing.Verbose() {
					t.Logf("frame %d %s %s scene %s still %v: point %d is %d, read %d (%.2f)", n, show.Image, show.State, s.Scene, s.Still, p, want, got, q)
				}
			}
		}
		for side, want := range [2]*int{truth.Bar.Light, truth.Bar.Dark} {
			if got, _ := r.Bar[side].Best(); s.Bar[side].Visible && want != nil && got != *want {
				st[5]++
			}
		}
	}
	slices.Sort(ms)
	for _, state := range []string{"a", "b", "c", "d", "e", "f"} {
		if st := stats[state]; st != nil {
			t.Logf("%s: %d frames, %d still, %d points shown, %d wrong, %d hidden, bar wrong %d", state, st[0], st[1], st[2], st[3], st[4], st[5])
		}
	}
	t.Logf("still, unobstructed frames: points exact %.5f of %d", float64(right)/float64(max(1, points)), points)
	if g := w.Geometry(); g != nil {
		t.Logf("corners %.0f, true %.0f", g.Corners, corners)
	}
	t.Logf("ms median %.1f p95 %.1f", ms[len(ms)/2], ms[len(ms)*95/100])
}

// truthAt returns what stands on light's point p with light at the bottom and the homes at the right.
func truthAt(truth *accuracy.Truth, p int) (n int, mixed bool) {
	row, column, counts := "bottom", 12-p, truth.Bottom
	if p > 12 {
		row, column, counts = "top", p-13, truth.Top
	}
	return counts[column], slices.Contains(truth.Mixed, accuracy.Mixed{Side: row, Column: column})
}

func readFilm(t *testing.T, dir string) (map[string]*accuracy.Truth, []shown) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		t.Skipf("the filmed games are not here: %v", err)
	}
	defer f.Close()
	list, err := accuracy.ReadTruth(f)
	if err != nil {
		t.Fatal(err)
	}
	truths := map[string]*accuracy.Truth{}
	for i := range list {
		truths[list[i].Image] = &list[i]
	}
	text, err := os.ReadFile(filepath.Join(dir, "frames.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var shows []shown
	for line := range strings.Lines(string(text)) {
		var s shown
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		shows = append(shows, s)
	}
	return truths, shows
}

package camera

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gocv.io/x/gocv"
)

// folderRate is how many pictures a second a folder shows where frames.jsonl does not say.
const folderRate = 10

// folder shows pictures of a folder, in the order and at the times of its frames.jsonl or, without one, by name.
type folder struct {
	dir    string
	shows  []show
	next   int
	shown  string   // file name of what held keeps
	keeper gocv.Mat // the last picture read, shown again without decoding
}

// show is one picture at one time.
type show struct {
	Picture
	name string
}

func openFolder(dir string, from time.Duration) (Source, error) {
	shows, err := listFolder(dir)
	if err != nil {
		return nil, err
	}
	if len(shows) == 0 {
		return nil, fmt.Errorf("camera: open %s: there are no pictures (.jpg, .jpeg, .png) in it", dir)
	}
	f := &folder{dir: dir, shows: shows, keeper: gocv.NewMat()}
	for f.next < len(shows) && shows[f.next].T < from {
		f.next++
	}
	return f, nil
}

func listFolder(dir string) ([]show, error) {
	text, err := os.ReadFile(filepath.Join(dir, "frames.jsonl"))
	if err == nil {
		shows, err := parseFrames(text)
		if err != nil {
			return nil, fmt.Errorf("camera: read %s: %w", filepath.Join(dir, "frames.jsonl"), err)
		}
		return shows, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("camera: open a folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("camera: open a folder: %w", err)
	}
	var shows []show
	for _, e := range entries {
		if slices.Contains([]string{".jpg", ".jpeg", ".png"}, strings.ToLower(filepath.Ext(e.Name()))) {
			n := len(shows)
			shows = append(shows, show{Picture{time.Duration(n) * time.Second / folderRate, n}, e.Name()})
		}
	}
	return shows, nil
}

// parseFrames reads frames.jsonl: each line names an image and its time, t in seconds or t_ms; count says for how many frames of
// a tenth of a second it is shown (1 without it).
func parseFrames(text []byte) ([]show, error) {
	var shows []show
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var line struct {
			Image string   `json:"image"`
			T     *float64 `json:"t"`
			TMS   *float64 `json:"t_ms"`
			Count int      `json:"count"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		seconds := 0.0
		switch {
		case line.T != nil:
			seconds = *line.T
		case line.TMS != nil:
			seconds = *line.TMS / 1000
		default:
			return nil, fmt.Errorf("line %d: it says no time; give t in seconds or t_ms", n)
		}
		if line.Image == "" || line.Image != filepath.Base(line.Image) {
			return nil, fmt.Errorf("line %d: image must be the name of a file in the same folder", n)
		}
		if seconds < 0 || seconds > 86400 || line.Count < 0 || line.Count > 1_000_000 {
			return nil, fmt.Errorf("line %d: time or count is out of range", n)
		}
		start := time.Duration(seconds * float64(time.Second))
		for i := range max(line.Count, 1) {
			shows = append(shows, show{Picture{T: start + time.Duration(i)*time.Second/folderRate}, line.Image})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(shows, func(a, b show) int { return int(a.T - b.T) })
	for i := range shows {
		shows[i].N = i
	}
	return shows, nil
}

// Next implements Source.
func (f *folder) Next(ctx context.Context, img *gocv.Mat) (Picture, error) {
	if err := ctx.Err(); err != nil {
		return Picture{}, err
	}
	if f.next == len(f.shows) {
		return Picture{}, io.EOF
	}
	s := f.shows[f.next]
	if s.name != f.shown {
		read := gocv.IMRead(filepath.Join(f.dir, s.name), gocv.IMReadColor)
		defer read.Close()
		if read.Empty() {
			return Picture{}, fmt.Errorf("camera: read %s: it is missing or not a picture", filepath.Join(f.dir, s.name))
		}
		read.CopyTo(&f.keeper)
		f.shown = s.name
	}
	f.keeper.CopyTo(img)
	f.next++
	return s.Picture, nil
}

// Close implements Source.
func (f *folder) Close() error { return f.keeper.Close() }

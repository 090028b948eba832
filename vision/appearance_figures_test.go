package vision

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocv.io/x/gocv"
)

// photographed is a picture of a recording, with what its points truly hold and what its board looks like.
type photographed struct {
	img      gocv.Mat
	geometry *Geometry
	counts   [2][12]int
	looks    *Appearance
}

// TestFiguresOfLooksLearnedFromOtherPicturesOfTheSameBoard reads each picture of the photographed recordings with the
// looks learned from each other one and compares that with reading it without.
func TestFiguresOfLooksLearnedFromOtherPicturesOfTheSameBoard(t *testing.T) {
	recordings := photographs(t)
	points, err := newPointReader()
	if err != nil {
		t.Fatal(err)
	}
	defer points.close()
	l := newLooker()
	defer l.close()
	for name, pictures := range recordings {
		var alone, weighed loss
		for i := range pictures {
			p := &pictures[i]
			var r Reading
			if err := points.read(p.img, p.geometry, everyAspect[:], &r); err != nil {
				t.Fatal(err)
			}
			for j := range pictures {
				if i == j {
					continue
				}
				without, with := r, r
				conserve(&without, blankTrays())
				if err := l.weigh(p.img, p.geometry, pictures[j].looks, &with); err != nil {
					t.Fatal(err)
				}
				conserve(&with, blankTrays())
				alone.add(&without, &p.counts)
				weighed.add(&with, &p.counts)
			}
		}
		t.Logf("%s: %d pictures; without looks %s; with looks %s", name, len(pictures), alone, weighed)
	}
}

// loss gathers how well readings agree with the truth.
type loss struct {
	points, wrong int
	bits          float64
}

func (l *loss) add(r *Reading, counts *[2][12]int) {
	for _, p := range triangles {
		l.points++
		if n, _ := r.point(p).Counts.Best(); n != p.of(counts) {
			l.wrong++
		}
		l.bits -= math.Log2(float64(r.point(p).Counts.P(p.of(counts))) + 1e-6)
	}
}

func (l loss) String() string {
	text, _ := json.Marshal(map[string]float64{
		"points_exact": 1 - float64(l.wrong)/float64(l.points), "bits_a_point": l.bits / float64(l.points),
	})
	return string(text)
}

// photographs returns the shared recordings of more than one picture.
func photographs(t *testing.T) map[string][]photographed {
	t.Helper()
	const dir = "../../shared/data/real"
	text, err := os.ReadFile(filepath.Join(dir, "truth.jsonl"))
	if err != nil {
		t.Skipf("the photographs are not here: %v", err)
	}
	board, err := newBoardFinder()
	if err != nil {
		t.Fatal(err)
	}
	defer board.close()
	l := newLooker()
	defer l.close()
	recordings := map[string][]photographed{}
	for line := range strings.Lines(string(text)) {
		var truth struct {
			Image, Sequence string
			Corners         *[4][2]float64
			Top, Bottom     [12]int
		}
		if err := json.Unmarshal([]byte(line), &truth); err != nil {
			t.Fatal(err)
		}
		if truth.Sequence == "" || truth.Corners == nil {
			continue
		}
		p := photographed{counts: [2][12]int{truth.Top, truth.Bottom}}
		p.img = gocv.IMRead(filepath.Join(dir, truth.Image), gocv.IMReadColor)
		t.Cleanup(func() { p.img.Close() })
		var corners [4]Pixel
		for i, c := range truth.Corners {
			corners[i] = Pixel{c[0], c[1]}
		}
		if p.geometry, _, err = board.at(p.img, corners); err != nil {
			t.Fatal(err)
		}
		if p.looks, err = l.learn(p.img, p.geometry, &p.counts); err != nil {
			t.Fatal(err)
		}
		recordings[truth.Sequence] = append(recordings[truth.Sequence], p)
	}
	return recordings
}

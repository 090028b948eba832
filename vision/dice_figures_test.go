package vision

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// diceTruth is what the truth files (DESIGN §7) say of dice and cube.
type diceTruth struct {
	Image   string
	Quality string
	State   string
	Corners [][2]float64
	Bar     [2]float64 `json:"bar_edges_u"`
	Dice    []dieTruth
	Air     []dieTruth `json:"dice_air"`
	Cube    *struct {
		Value   *int
		Center  *[2]float64
		Where   string
		Visible *bool
	}
}

type dieTruth struct {
	Value     *int
	Center    *[2]float64
	On        string
	Cocked    bool
	Tilt      float64
	Ambiguous bool
	Visible   *bool
	InFrame   *bool   `json:"in_frame"`
	Size      float64 `json:"size_px"`
}

// counted tells whether the die must be found: its upper face is in the picture and not covered.
func (d *dieTruth) counted() bool {
	return d.Center != nil && (d.Visible == nil || *d.Visible) && (d.InFrame == nil || *d.InFrame)
}

func (t *diceTruth) geometry(tb testing.TB) *Geometry {
	if len(t.Corners) != 4 {
		return nil
	}
	var c [4]Pixel
	for i, p := range t.Corners {
		c[i] = Pixel{p[0], p[1]}
	}
	l, r := t.Bar[0], t.Bar[1]
	if l == 0 {
		l, r = 0.5, 0.5
	}
	g, err := NewGeometry(c, l, r)
	if err != nil {
		tb.Logf("%s: %v", t.Image, err)
		return nil
	}
	return g
}

func sharedRows(tb testing.TB, path string) []diceTruth {
	tb.Helper()
	f, err := os.Open(filepath.Join("../../shared/data", path))
	if err != nil {
		tb.Skipf("the shared pictures are not here: %v", err)
	}
	defer f.Close()
	var out []diceTruth
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		var t diceTruth
		if err := json.Unmarshal(s.Bytes(), &t); err != nil {
			tb.Fatal(err)
		}
		out = append(out, t)
	}
	return out
}

// figures counts how well dice and cubes are read over a set of pictures.
type figures struct {
	pictures, exact                   int
	dice, found, value, place, cocked int
	numbers                           int // found dice of which the truth knows the number
	extra                             int
	cubes, cubesFound, numeral        int
	extraCubes                        int
	said                              func(format string, args ...any)
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4f (%d/%d)", float64(n)/float64(of), n, of)
}

func (f *figures) String() string {
	return fmt.Sprintf("pictures %d all exact %s; dice recall %s value %s cocked %s place %s, false %d; cubes found %s numeral %s, false %d",
		f.pictures, share(f.exact, f.pictures), share(f.found, f.dice), share(f.value, f.numbers), share(f.cocked, f.found),
		share(f.place, f.found), f.extra, share(f.cubesFound, f.cubes), share(f.numeral, f.cubesFound), f.extraCubes)
}

// add compares one picture with its truth.
func (f *figures) add(t *diceTruth, g *Geometry, dice []Die, cube *Cube) {
	f.pictures++
	edge := 60.0
	if g != nil {
		edge = 0.035 * g.Diagonal() / math.Sqrt2
	}
	ok := true
	used := make([]bool, len(dice))
	for i := range t.Dice {
		d := &t.Dice[i]
		if d.Center == nil {
			continue
		}
		j := nearest(dice, used, *d.Center, max(edge, d.Size))
		if j >= 0 {
			used[j] = true
		}
		if !d.counted() {
			continue
		}
		f.dice++
		if j < 0 {
			ok = false
			f.said("%s: missed %s", t.Image, d)
			continue
		}
		ok = f.compare(t, d, &dice[j]) && ok
	}
	for _, a := range t.Air {
		if j := nearest(dice, used, *a.Center, 2*edge); j >= 0 {
			used[j] = true
		}
	}
	for j, u := range used {
		if !u {
			ok = false
			f.extra++
			v, p := dice[j].Best()
			f.said("%s: no die at %.0f,%.0f (real %.2f, value %d %.2f, size %.0f)", t.Image, dice[j].Center.X, dice[j].Center.Y, dice[j].Real, v, p, dice[j].Size)
		}
	}
	if ok {
		f.exact++
	}
	if g != nil {
		f.addCube(t, cube, edge)
	}
}

func (f *figures) compare(t *diceTruth, want *dieTruth, got *Die) bool {
	ok := true
	f.found++
	v, p := got.Best()
	if want.Value != nil && !want.Ambiguous {
		f.numbers++
		if v == *want.Value {
			f.value++
		} else {
			ok = false
			f.said("%s: value %d (%.2f, of the truth %.2f) for %s", t.Image, v, p, got.Values[*want.Value], want)
		}
	}
	if got.Cocked > 0.5 == want.Cocked {
		f.cocked++
	} else {
		f.said("%s: cocked %.2f for %s", t.Image, got.Cocked, want)
	}
	if got.Place.String() == want.On {
		f.place++
	} else if want.On != "" {
		f.said("%s: place %s u %.3f v %.3f for %s", t.Image, got.Place, got.U, got.V, want)
	}
	if got.Place == sighting.Outside && want.On == "" {
		f.place++
	}
	return ok
}

func (d *dieTruth) String() string {
	v := 0
	if d.Value != nil {
		v = *d.Value
	}
	return fmt.Sprintf("die %d %s cocked %v tilt %.0f at %.0f,%.0f", v, d.On, d.Cocked, d.Tilt, d.Center[0], d.Center[1])
}

func (f *figures) addCube(t *diceTruth, cube *Cube, edge float64) {
	if t.Cube == nil || t.Cube.Center == nil || t.Cube.Visible != nil && !*t.Cube.Visible {
		if cube != nil && t.Cube == nil {
			f.extraCubes++
			f.said("%s: no cube at %.0f,%.0f (%.2f)", t.Image, cube.Center.X, cube.Center.Y, cube.Real)
		}
		return
	}
	f.cubes++
	c := *t.Cube.Center
	if cube == nil || math.Hypot(cube.Center.X-c[0], cube.Center.Y-c[1]) > 2*edge {
		f.said("%s: missed the cube at %.0f,%.0f", t.Image, c[0], c[1])
		return
	}
	f.cubesFound++
	best, p := 0, float32(0)
	for _, n := range numerals[1:cubeNumerals] {
		if cube.Values[n] > p {
			best, p = n, cube.Values[n]
		}
	}
	if t.Cube.Value == nil || best == *t.Cube.Value {
		f.numeral++
	} else {
		f.said("%s: cube %d (%.2f) for %d at %.0f,%.0f", t.Image, best, p, *t.Cube.Value, c[0], c[1])
	}
}

func nearest(dice []Die, used []bool, c [2]float64, within float64) int {
	best := -1
	for j := range dice {
		if d := math.Hypot(dice[j].Center.X-c[0], dice[j].Center.Y-c[1]); !used[j] && d < within {
			best, within = j, d
		}
	}
	return best
}

func newFinder(tb testing.TB) *Finder {
	tb.Helper()
	f, err := NewFinder()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

func TestFiguresOfStills(t *testing.T) {
	sets := []struct{ name, folder, truth, quality string }{
		{"dev", "stills/dev", "truth.jsonl", ""},
		{"real good", "real", "truth.jsonl", "good"},
		{"real poor", "real", "truth.jsonl", "poor"},
	}
	f := newFinder(t)
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			fig := figures{said: t.Logf}
			for _, row := range sharedRows(t, s.folder+"/"+s.truth) {
				g := row.geometry(t)
				if s.quality != row.Quality || g == nil {
					continue
				}
				img := gocv.IMRead(filepath.Join("../../shared/data", s.folder, row.Image), gocv.IMReadColor)
				dice, cube, err := f.FindCarefully(img, g)
				img.Close()
				if err != nil {
					t.Fatal(err)
				}
				fig.add(&row, g, dice, cube)
			}
			t.Log(fig.String())
		})
	}
}

// TestFiguresOfDice measures pictures without a board. Some of them have no places in the truth: there the values
// alone are compared.
func TestFiguresOfDice(t *testing.T) {
	rows := sharedRows(t, "dice/truth.jsonl")
	f := newFinder(t)
	exact, by := 0, map[string][2]int{}
	for _, row := range rows {
		img := gocv.IMRead(filepath.Join("../../shared/data/dice", row.Image), gocv.IMReadColor)
		size := fmt.Sprintf("%dx%d", img.Cols(), img.Rows())
		dice, _, err := f.Find(img, nil)
		img.Close()
		if err != nil {
			t.Fatal(err)
		}
		var want, got [7]int
		for _, d := range row.Dice {
			if d.Value != nil {
				want[*d.Value]++
			}
		}
		for i := range dice {
			v, _ := dice[i].Best()
			got[v]++
		}
		b := by[size]
		b[1]++
		if want == got {
			exact++
			b[0]++
		} else {
			t.Logf("%s (%s): %v for %v", row.Image, size, got[1:], want[1:])
		}
		by[size] = b
	}
	t.Logf("pictures with all values right %s; %v", share(exact, len(rows)), by)
}

func TestFiguresOfFilms(t *testing.T) {
	f := newFinder(t)
	for _, film := range []string{"dev1", "dev2"} {
		t.Run(film, func(t *testing.T) {
			rows := sharedRows(t, "seq/"+film+"/truth.jsonl")
			spans := filmSpans(t, "seq/"+film+"/frames.jsonl")
			video, err := gocv.VideoCaptureFile(filepath.Join("../../shared/data/seq", film, "video.mp4"))
			if err != nil {
				t.Fatal(err)
			}
			defer video.Close()
			byState := map[string]*figures{}
			img := gocv.NewMat()
			defer img.Close()
			next := 0
			for i, s := range spans {
				for ; next <= s.First+s.Count/2; next++ {
					if !video.Read(&img) {
						t.Fatalf("frame %d cannot be read", next)
					}
				}
				row := &rows[i]
				if row.Image != s.Image {
					t.Fatalf("key frame %d is %s in one file and %s in the other", i, row.Image, s.Image)
				}
				g := row.geometry(t)
				dice, cube, err := f.Find(img, g)
				if err != nil {
					t.Fatal(err)
				}
				fig := byState[s.State]
				if fig == nil {
					fig = &figures{said: t.Logf}
					byState[s.State] = fig
				}
				fig.add(row, g, dice, cube)
			}
			for _, state := range []string{"a", "b", "c", "d", "e", "f"} {
				if fig := byState[state]; fig != nil {
					t.Logf("%s: %s", state, fig)
				}
			}
		})
	}
}

type filmSpan struct {
	First, Count int
	Image, State string
}

func filmSpans(tb testing.TB, path string) []filmSpan {
	tb.Helper()
	f, err := os.Open(filepath.Join("../../shared/data", path))
	if err != nil {
		tb.Skipf("the shared films are not here: %v", err)
	}
	defer f.Close()
	var out []filmSpan
	s := bufio.NewScanner(f)
	for s.Scan() {
		var span filmSpan
		if err := json.Unmarshal(s.Bytes(), &span); err != nil {
			tb.Fatal(err)
		}
		out = append(out, span)
	}
	return out
}

package vision

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"davar/rules"
	"davar/rules/sighting"
)

// drawnThumb draws a board of green cloth with points of red and white, and white and black checkers on it; light
// scales its brightness, noise is in grey levels.
func drawnThumb(counts *[2][12]int, light, noise float64) *thumb {
	t := new(thumb)
	random := rand.New(rand.NewPCG(1, 2))
	put := func(x, y int, c colour) {
		for i := range c {
			c[i] = float32(float64(c[i])*light + noise*random.NormFloat64())
		}
		t.set(x, y, c)
	}
	for y := range motionHeight {
		for x := range motionWidth {
			put(x, y, colour{40, 90, 40})
		}
	}
	points := [2]colour{{30, 30, 150}, {200, 210, 215}}
	checkers := [2]colour{{225, 235, 240}, {45, 40, 45}}
	for _, p := range triangles {
		n := p.of(counts)
		side := 0
		if n < 0 {
			side = 1
		}
		for d := range thumbHalf {
			for x := range thumbSlot {
				c := colour{40, 90, 40}
				if d < 30 && math.Abs(float64(x)-3.5) < 4*(1-float64(d)/30) {
					c = points[(p.row+p.column)%2]
				}
				k := d / 7
				if k < min(abs(n), firstLayer) && math.Hypot(float64(x)-3.5, float64(d-7*k)-3) < 3.9 {
					c = checkers[side]
				}
				x, y := p.pixel(x, d)
				put(x, y, c)
			}
		}
	}
	return t
}

// unsure is a network that cannot tell colours, nor a count from the next.
func unsure(counts *[2][12]int) *Reading {
	r := &Reading{}
	for _, p := range triangles {
		point := r.point(p)
		n := abs(p.of(counts))
		for k := max(0, n-1); k <= n+1; k++ {
			q := float32(0.2)
			if k == n {
				q = 0.6
			}
			point.Counts[sighting.MaxCount+k] += q / 2
			point.Counts[sighting.MaxCount-k] += q / 2
		}
		point.Mixed = 0.01
	}
	return r
}

func startCounts() [2][12]int {
	start := rules.Start(rules.Standard)
	return Layout{"light", "right"}.counts(&start)
}

func TestTheLooksLearnedFromTheStartTellColoursAndCountsLater(t *testing.T) {
	start := startCounts()
	a, err := learnAppearance(drawnThumb(&start, 1, 4), &start)
	if err != nil {
		t.Fatal(err)
	}
	later := [2][12]int{{4, 0, -1, 0, -2, 1, -4, 0, 0, 2, 0, 0}, {-5, 1, 0, 0, 3, 0, 4, 0, 0, -1, 0, -2}}
	for _, light := range []float64{1, 0.7, 1.1} {
		r := unsure(&later)
		a.weigh(drawnThumb(&later, light, 4), r)
		for _, p := range triangles {
			want := p.of(&later)
			n, _ := r.point(p).Counts.Best()
			var other float32 // of the other colour; white on white may be nothing at all
			for k := 1; k <= sighting.MaxCount && want != 0; k++ {
				if want < 0 {
					other += r.point(p).Counts.P(k)
				} else {
					other += r.point(p).Counts.P(-k)
				}
			}
			if n != want || other > 0.05 {
				t.Errorf("light %.1f: %+v holds %d, weighed %d, of the other colour with %.3f", light, p, want, n, other)
			}
			if m := r.point(p).Mixed; m > 0.05 {
				t.Errorf("light %.1f: %+v holds both colours with %.3f", light, p, m)
			}
		}
	}
}

func TestLooksSayNothingOfAnotherBoard(t *testing.T) {
	start := startCounts()
	a, err := learnAppearance(drawnThumb(&start, 1, 4), &start)
	if err != nil {
		t.Fatal(err)
	}
	other := drawnThumb(&start, 1, 4)
	for i := 0; i < len(other); i += 3 { // neither cloth nor points are those learned
		other[i], other[i+1], other[i+2] = other[i+1], other[i], 255-other[i+2]
	}
	r, before := unsure(&start), unsure(&start)
	a.weigh(other, r)
	if r.Top != before.Top || r.Bottom != before.Bottom {
		t.Error("another board was weighed by these looks")
	}
}

func TestTheLooksAreWrittenAndReadAsJSON(t *testing.T) {
	start := startCounts()
	a, err := learnAppearance(drawnThumb(&start, 1, 4), &start)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGeometry(bundledCorners, 0.46, 0.54)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(newCalibration(g, [2]int{1280, 720}, Layout{"dark", "left"}, a))
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadCalibration(text)
	if err != nil {
		t.Fatal(err)
	}
	if c.Version != CalibrationVersion || c.Layout.Bottom != "dark" || c.Bar != [2]float64{0.46, 0.54} || c.Looks == nil {
		t.Errorf("read back %+v", c)
	}
	if half := c.Pixels([2]int{640, 360}); distance(half[2], Pixel{bundledCorners[2].X / 2, bundledCorners[2].Y / 2}) > 0.1 {
		t.Errorf("in a picture of half the size the corners lie at %v", half)
	}
	again, before := unsure(&start), unsure(&start)
	a.weigh(drawnThumb(&start, 1, 4), before)
	c.Looks.weigh(drawnThumb(&start, 1, 4), again)
	if again.Top != before.Top || again.Bottom != before.Bottom {
		t.Error("the looks read back weigh otherwise than those written")
	}
}

func TestCalibrationsOfOldAreReadAndBrokenOnesRefused(t *testing.T) {
	const old = `{"corners":[[0,0],[100,0],[100,60],[0,60]],"size":[200,100],"layout":{"bottom":"light","home":"right"}}`
	if c, err := ReadCalibration([]byte(old)); err != nil || c.Version != 0 || c.Looks != nil {
		t.Errorf("version 0: %+v, %v", c, err)
	}
	for name, text := range map[string]string{
		"no JSON":          `{`,
		"of the future":    `{"version":99,"corners":[[0,0],[100,0],[100,60],[0,60]]}`,
		"crossed":          `{"corners":[[0,0],[0,60],[100,60],[100,0]]}`,
		"looks of nothing": `{"version":1,"corners":[[0,0],[100,0],[100,60],[0,60]],"looks":{}}`,
	} {
		if _, err := ReadCalibration([]byte(text)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestEachOfTheFourLayoutsIsKnownByTheStart(t *testing.T) {
	for _, variant := range []rules.Variant{rules.Standard, rules.Nackgammon} {
		start := rules.Start(variant)
		for _, want := range layouts {
			counts := want.counts(&start)
			r := &Reading{}
			for _, p := range triangles {
				r.point(p).Counts[sighting.MaxCount+p.of(&counts)] = 1
			}
			r.Bar[0].P[0], r.Bar[1].P[0] = 1, 1
			if seen, got, p := findStart(r); got != want || seen != counts || p < 0.99 {
				t.Errorf("%v %v is taken for %v (%.2f)", variant, want, got, p)
			}
			r.Top[0].Counts, r.Top[2].Counts = r.Top[2].Counts, r.Top[0].Counts
			if _, _, p := findStart(r); p != 0 {
				t.Errorf("%v %v with a stack on the wrong point counts as the start (%.2f)", variant, want, p)
			}
		}
	}
}

func TestNothingIsLearnedWithoutEmptyPointsOrCheckers(t *testing.T) {
	var full, bare [2][12]int
	for i := range 12 {
		full[0][i], full[1][i] = 1, -1
	}
	for name, counts := range map[string]*[2][12]int{"no empty point": &full, "no checkers": &bare} {
		if _, err := learnAppearance(drawnThumb(counts, 1, 4), counts); err == nil {
			t.Errorf("%s: learned", name)
		}
	}
}

func TestABoardThatIsNotAtTheStartIsCalibratedByItsPlaceAlone(t *testing.T) {
	img := bundledPicture(t)
	defer img.Close()
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, reading, err := r.Calibrate(img, &bundledCorners, Layout{"light", "right"})
	if !errors.Is(err, ErrNoStart) || c == nil || reading == nil || c.Looks != nil || c.Layout.Home != "right" {
		t.Errorf("calibration %+v, error %v", c, err)
	}
}

package refereetest_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

func look(t *testing.T, noise refereetest.Noise, b *refereetest.Board, n int, seed uint64) []sighting.Sighting {
	t.Helper()
	var all []sighting.Sighting
	eye := refereetest.NewEye(noise, seed)
	for i := range n {
		if s, ok := eye.Look(b, time.Duration(i)*100*time.Millisecond, i); ok {
			all = append(all, s)
		}
	}
	return all
}

// differences counts the points and bars that most probably hold something else than the position has there.
func differences(s *sighting.Sighting, pos *rules.Position) (wrong int) {
	for p := 1; p <= 24; p++ {
		n, _ := s.Points[p-1].Counts.Best()
		if s.Points[p-1].Hidden || n != int(pos.Checkers[rules.Light][p])-int(pos.Checkers[rules.Dark][25-p]) {
			wrong++
		}
	}
	for side := range s.Bar {
		if n, _ := s.Bar[side].Best(); n != int(pos.Checkers[side][rules.Bar]) {
			wrong++
		}
	}
	return wrong
}

func TestAPerfectEyeSeesTheBoardAsItIs(t *testing.T) {
	b := refereetest.Board{Position: rules.Start(rules.Standard)}
	for _, s := range look(t, refereetest.Noise{}, &b, 3, 1) {
		if wrong := differences(&s, &b.Position); wrong > 0 || !s.Still {
			t.Errorf("%d places look otherwise, still %v", wrong, s.Still)
		}
	}
}

func TestAnEyeIsRepeatableByItsSeed(t *testing.T) {
	b := refereetest.Board{Position: rules.Start(rules.Standard), Dice: []refereetest.Die{{Value: 3, U: 0.7, V: 0.5}}}
	noise := refereetest.MeasuredNoise().Times(3)
	if !reflect.DeepEqual(look(t, noise, &b, 50, 9), look(t, noise, &b, 50, 9)) {
		t.Error("two eyes of one seed see differently")
	}
}

func TestANoisyEyeMisreadsAboutAsOftenAsItShould(t *testing.T) {
	b := refereetest.Board{Position: rules.Start(rules.Standard)}
	wrong, all := 0, 0
	for _, s := range look(t, refereetest.Noise{Points: refereetest.PointNoise{Empty: 0.1, Light: []float64{0.1}, Dark: []float64{0.1}}}, &b, 500, 2) {
		for p := range s.Points {
			n, _ := s.Points[p].Counts.Best()
			light, dark := int(b.Position.Checkers[rules.Light][p+1]), int(b.Position.Checkers[rules.Dark][24-p])
			if n != light-dark {
				wrong++
			}
			all++
		}
	}
	if share := float64(wrong) / float64(all); share < 0.09 || share > 0.11 {
		t.Errorf("misread %.3f of the points, want 0.1", share)
	}
}

func TestEveryProbabilityAnEyeGivesAddsUp(t *testing.T) {
	b := refereetest.Board{Position: rules.Start(rules.Standard), Dice: []refereetest.Die{{Value: 6, U: 0.3, V: 0.5}}}
	for _, s := range look(t, refereetest.MeasuredNoise().Times(20), &b, 100, 4) {
		for p := range s.Points {
			sum := float32(0)
			for _, q := range s.Points[p].Counts {
				sum += q
			}
			if sum < 0.99 || sum > 1.01 {
				t.Fatalf("the counts of point %d sum to %v", p+1, sum)
			}
		}
	}
}

func TestAFilmIsShownFrameByFrame(t *testing.T) {
	film, err := refereetest.OpenFilm(os.DirFS("testdata/dev2"))
	if err != nil {
		t.Fatal(err)
	}
	seen := film.Perfect()
	if len(seen) != 1306 {
		t.Errorf("%d frames, want 1306", len(seen))
	}
	start := rules.Start(rules.Standard)
	if wrong := differences(&seen[50], &start); wrong > 0 {
		t.Errorf("the setup is right after five seconds, and %d places look otherwise", wrong)
	}
	if d := seen[100].Dice; len(d) != 2 || d[0].Place != sighting.RightHalf {
		t.Errorf("light's roll lies in his right half: %v", d)
	}
}

func TestAFolderWithoutAFilmIsRefused(t *testing.T) {
	if _, err := refereetest.OpenFilm(os.DirFS(t.TempDir())); err == nil {
		t.Error("opened")
	}
}

func TestANoiseFileIsReadStrictly(t *testing.T) {
	if n, err := refereetest.ReadNoise(strings.NewReader(`{"points":{"empty":0.01,"sure":[0.7]}}`)); err != nil || n.Points.Empty != 0.01 {
		t.Errorf("%+v, %v", n, err)
	}
	for _, text := range []string{"", `{"points":{"empty":2}}`, `{"points":{"sure":[-1]}}`, `{"fog":1}`, `{"delay_ms":5000}`, `{} {}`} {
		if _, err := refereetest.ReadNoise(strings.NewReader(text)); err == nil {
			t.Errorf("read %q", text)
		}
	}
}

func FuzzReadNoise(f *testing.F) {
	f.Add([]byte(`{"points":{"empty":0.01}}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, err := refereetest.ReadNoise(bytes.NewReader(text)); err == nil && (n.Points.Empty < 0 || n.Points.Empty > 1) {
			t.Errorf("read %+v", n)
		}
	})
}

func TestANoiseFileIsReadAsItWasWritten(t *testing.T) {
	var text bytes.Buffer
	if err := refereetest.MeasuredNoise().Write(&text); err != nil {
		t.Fatal(err)
	}
	n, err := refereetest.ReadNoise(&text)
	if err != nil || !reflect.DeepEqual(n, refereetest.MeasuredNoise()) {
		t.Errorf("%+v, %v", n, err)
	}
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"testing"

	"davar/device/recording"
)

// TestTheBundledFilmIsRefereedRight watches the whole film, as a camera would show it and in light that comes and goes, and
// referees it with and without a clock.
func TestTheBundledFilmIsRefereedRight(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole film takes a minute or two")
	}
	film, err := recording.Open(filepath.Join("..", "..", "device", "recording", "testdata", "dev1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, hardship := range []string{"", "ramp"} {
		t.Run(cmp.Or(hardship, "as filmed"), func(t *testing.T) {
			results, err := evaluateFilm(t.Context(), film, film.ModeNames(), view{hardship: hardship})
			if err != nil {
				t.Fatal(err)
			}
			for mode, r := range results {
				t.Logf("%s: rolls %+v, plays %+v, cube %+v, false rulings %d, questions %d, result right %v, ms per frame %+v",
					mode, r.Rolls, r.Plays, r.Cube, r.FalseRulings, r.Questions, r.ResultRight, r.MSPerFrame)
				if 100*r.Rolls.Right < 95*r.Rolls.Expected || 100*r.Plays.Right < 95*r.Plays.Expected || r.FalseRulings > 0 || !r.ResultRight {
					t.Errorf("%s: %v", mode, r.Differences)
				}
			}
		})
	}
}

// TestTheSameRecordingGivesTheSameEvents replays the first seconds of the film twice, byte for byte.
func TestTheSameRecordingGivesTheSameEvents(t *testing.T) {
	film := filepath.Join("..", "..", "device", "recording", "testdata", "dev1")
	var runs [2]bytes.Buffer
	for i := range runs {
		ctx, stop := afterBytes(t, &runs[i], 1500)
		run(ctx, []string{"replay", "--json", "--mode", "clock", film}, stop, stop)
	}
	a, b := runs[0].Bytes()[:1500], runs[1].Bytes()[:1500]
	if !bytes.Equal(a, b) {
		t.Errorf("the first run says\n%s\nthe second\n%s", a, b)
	}
}

// cutter passes what is printed on and ends a context once enough was.
type cutter struct {
	out  *bytes.Buffer
	most int
	stop context.CancelFunc
}

func (c *cutter) Write(text []byte) (int, error) {
	c.out.Write(text)
	if c.out.Len() >= c.most {
		c.stop()
	}
	return len(text), nil
}

// afterBytes returns a context that ends when so many bytes were written to the writer, which fills out.
func afterBytes(t *testing.T, out *bytes.Buffer, most int) (context.Context, *cutter) {
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	return ctx, &cutter{out: out, most: most, stop: stop}
}

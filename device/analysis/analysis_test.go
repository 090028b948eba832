package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/record"
	"davar/rules/transcript"
)

// match is a match that GNU Backgammon played against itself, as a transcript.
func match(t *testing.T) *transcript.Transcript {
	t.Helper()
	data, err := os.ReadFile("testdata/selfplay.mat")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.ReadMat(data)
	if err != nil {
		t.Fatal(err)
	}
	out := &transcript.Transcript{Facts: transcript.Facts{ID: "m", Players: rec.Players, Length: rec.Length}}
	seq := int64(0)
	for i := range rec.Games {
		g := &rec.Games[i]
		game := transcript.Game{Number: g.Number, Score: g.Score, Start: g.Start, Crawford: g.Crawford}
		for _, turn := range g.Replay(rules.NewJudge(rules.Options{})) {
			a := turn.Action
			seq++
			x := transcript.Turn{Side: a.Side, Seq: seq, Dice: a.Dice, Notation: a.Notation(), Before: turn.Before, After: turn.After, Cube: a.Cube}
			switch a.Kind {
			case record.Double:
				x.Kind = transcript.Double
			case record.Take:
				x.Kind = transcript.Take
			case record.Drop:
				x.Kind = transcript.Drop
			}
			game.Turns = append(game.Turns, x)
		}
		if r := g.Result; r != nil {
			game.Result = &transcript.Result{Winner: r.Winner, Points: r.Points, How: map[bool]string{true: "resign", false: "single"}[r.Resigned]}
		}
		out.Games = append(out.Games, game)
	}
	return out
}

func engine(t *testing.T) *Engine {
	t.Helper()
	path, err := Program()
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	return &Engine{Path: path}
}

func TestGNUBackgammonsErrorsAndLuckAreReadAsItSumsThem(t *testing.T) {
	e := engine(t)
	m := match(t)
	m.Games = m.Games[:1] // the others would only take longer
	var got *Analysis
	steps := 0
	if err := e.Analyse(t.Context(), m, func(a *Analysis) error { steps++; got = a; return nil }); err != nil {
		t.Fatal(err)
	}
	if steps != len(m.Games) || got.Done != got.Of || len(got.Plays) < 15 {
		t.Fatalf("%d steps, %d of %d games, %d plays", steps, got.Done, got.Of, len(got.Plays))
	}
	// What GNU Backgammon itself sums up for the first game: errors and luck stand at fixed places of its GS property.
	one := *m.Record()
	one.Games = one.Games[:1]
	errorSum, luckSum := summed(t, e, &one)
	var first Analysis
	for _, p := range got.Plays {
		if p.Game == 1 {
			first.Plays = append(first.Plays, p)
		}
	}
	for side, p := range first.Players() {
		if math.Abs(p.Error-errorSum[side]) > 0.002 || math.Abs(p.Luck-luckSum[side]) > 0.02 {
			t.Errorf("%v: error %.4f, luck %.4f, GNU Backgammon says %.4f and %.4f", rules.Side(side), p.Error, p.Luck, errorSum[side], luckSum[side])
		}
	}
}

// summed returns the sums of checker play errors and of luck in the file that the engine gets back.
func summed(t *testing.T, e *Engine, rec *record.Record) (errorSum, luckSum [2]float64) {
	t.Helper()
	dir := t.TempDir()
	keep := filepath.Join(dir, "gnubg")
	script := "#!/bin/sh\n" + e.Path + " \"$@\"\nfor a; do s=$a; done\ncp \"$(dirname \"$s\")/out.sgf\" " + dir + "/kept.sgf\n"
	if err := os.WriteFile(keep, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	spy := *e
	spy.Path = keep
	if _, err := spy.game(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "kept.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	gs := regexp.MustCompile(`GS\[M:([^\]]*)\]\[C:[^\]]*\]\[D:([^\]]*)\]`).FindStringSubmatch(string(data))
	if gs == nil {
		t.Fatalf("no sums in %.300s", data)
	}
	value := func(fields []string, i int) float64 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	moves, dice := strings.Fields(gs[1]), strings.Fields(gs[2])
	for side := range 2 {
		errorSum[side] = value(moves, len(moves)-4+2*side)
		luckSum[side] = value(dice, len(dice)-4+2*side)
	}
	return errorSum, luckSum
}

func TestAProgramThatCrashesOrHangsHarmsNothing(t *testing.T) {
	dir := t.TempDir()
	for name, script := range map[string]string{
		"crash": "echo some words; kill -SEGV $$", "silent": "exit 0", "hang": "sleep 600", "nonsense": `for a; do s=$a; done; echo ';B[31hefe]A[9][x]' > "$(dirname "$s")/out.sgf"`,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		e := &Engine{Path: path, Limit: 500 * time.Millisecond}
		err := e.Analyse(t.Context(), match(t), func(*Analysis) error { return errors.New("something came of it") })
		if err == nil || strings.Contains(err.Error(), "something came") {
			t.Errorf("%s: %v", name, err)
		}
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if err := (&Engine{Path: "/bin/true"}).Analyse(over, match(t), nil); err == nil {
		t.Error("it goes on after the table has stopped")
	}
}

func TestAnAnalysisIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "davar.analysis")
	if a, err := Load(folder, "m/1"); a != nil || err != nil {
		t.Errorf("%v, %v", a, err)
	}
	a := &Analysis{Match: "m/1", Of: 2, Done: 1, Plays: []Play{
		{Seq: 4, Side: rules.Dark, Error: 0.12}, {Seq: 6, Side: rules.Dark, Error: 0.3}, {Seq: 8, Side: rules.Dark, Forced: true, Luck: 0.5},
	}}
	if err := a.Save(folder); err != nil {
		t.Fatal(err)
	}
	b, err := Load(folder, "m/1")
	if err != nil || fmt.Sprint(b) != fmt.Sprint(a) {
		t.Errorf("%v became %v (%v)", a, b, err)
	}
	if worst := b.Blunders(rules.Dark, 5); len(worst) != 2 || worst[0].Seq != 6 {
		t.Errorf("%v", worst)
	}
	if p := b.Players()[rules.Dark]; p.Decisions != 2 || math.Abs(p.Rate()-210) > 1e-9 || p.Luck != 0.5 {
		t.Errorf("%+v", p)
	}
}

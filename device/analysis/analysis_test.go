package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
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

// selfplay is a match that GNU Backgammon played against itself.
func selfplay(t *testing.T) *record.Record {
	t.Helper()
	data, err := os.ReadFile("testdata/selfplay.mat")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.ReadMat(data)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// played is that match as a transcript.
func played(t *testing.T) *transcript.Transcript { return transcribed(selfplay(t)) }

func transcribed(rec *record.Record) *transcript.Transcript {
	out := &transcript.Transcript{Facts: transcript.Facts{ID: "m", Players: rec.Players, Length: rec.Length}}
	seq := int64(0)
	for i := range rec.Games {
		g := &rec.Games[i]
		game := transcript.Game{Number: g.Number, Score: g.Score, Start: g.Start, Crawford: g.Crawford, Cube: 1}
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
	m := played(t)
	m.Games = m.Games[:1] // the others would only take longer
	var got *Analysis
	steps := 0
	if err := e.Analyse(t.Context(), m, func(a *Analysis) error { steps++; got = a; return nil }); err != nil {
		t.Fatal(err)
	}
	if steps != len(m.Games) || got.Done != got.Of || len(got.Plays) < 15 {
		t.Fatalf("%d steps, %d of %d games, %d plays", steps, got.Done, got.Of, len(got.Plays))
	}
	sums := summed(t, e, m.Record())
	for side, p := range got.Players() {
		if math.Abs(p.Error-sums.errors[side]) > 0.002 || math.Abs(p.Luck-sums.luck[side]) > 0.02 {
			t.Errorf("%v: error %.4f, luck %.4f, GNU Backgammon says %.4f and %.4f", rules.Side(side), p.Error, p.Luck, sums.errors[side], sums.luck[side])
		}
	}
}

// cubeless returns the first n actions of the match's first game without its cube actions.
func cubeless(t *testing.T, n int) *record.Record {
	rec := selfplay(t)
	rec.Games = rec.Games[:1]
	g := &rec.Games[0]
	var rolls []record.Action
	for _, a := range g.Actions {
		if a.Kind == record.Roll {
			rolls = append(rolls, a)
		}
	}
	g.Actions = rolls[:min(n, len(rolls))]
	g.Result = &record.Result{Winner: rules.Dark, Points: 1, Resigned: true}
	return rec
}

func TestGNUBackgammonsCubeErrorsAreReadAsItSumsThem(t *testing.T) {
	e := engine(t)
	e.Plies = 0
	double := func(side rules.Side) record.Action { return record.Action{Kind: record.Double, Side: side, Cube: 2} }
	for _, c := range []struct {
		name  string
		rec   func() *record.Record
		found func(p [2]Player) int // how many of that kind
	}{
		{"a double never offered", func() *record.Record { return cubeless(t, 60) }, func(p [2]Player) int { return p[0].Missed + p[1].Missed }},
		{"a double far too early, taken", func() *record.Record {
			rec := cubeless(t, 30)
			g := &rec.Games[0]
			side := g.Actions[4].Side
			g.Actions = append(append(append([]record.Action{}, g.Actions[:4]...), double(side), record.Action{Kind: record.Take, Side: side.Other()}), g.Actions[4:]...)
			return rec
		}, func(p [2]Player) int { return p[0].Wrong + p[1].Wrong }},
		{"a double far too early, dropped", func() *record.Record {
			rec := cubeless(t, 8)
			g := &rec.Games[0]
			side := g.Actions[7].Side.Other()
			g.Actions = append(g.Actions, double(side), record.Action{Kind: record.Drop, Side: side.Other()})
			g.Result = &record.Result{Winner: side, Points: 1}
			return rec
		}, func(p [2]Player) int { return p[0].Drops + p[1].Drops }},
		{"a hopeless position taken", func() *record.Record {
			rec := cubeless(t, 50)
			g := &rec.Games[0]
			g.Actions = g.Actions[:len(g.Actions)-len(g.Actions)%2-1] // dark is on roll, far ahead
			side := g.Actions[len(g.Actions)-1].Side.Other()
			g.Actions = append(g.Actions, double(side), record.Action{Kind: record.Take, Side: side.Other()})
			return rec
		}, func(p [2]Player) int { return p[0].Takes + p[1].Takes + p[0].Wrong + p[1].Wrong }},
		{"the same as money", func() *record.Record {
			rec := cubeless(t, 60)
			rec.Length = 0
			return rec
		}, func(p [2]Player) int { return p[0].Missed + p[1].Missed }},
	} {
		rec := c.rec()
		var got *Analysis
		if err := e.Analyse(t.Context(), transcribed(rec), func(a *Analysis) error { got = a; return nil }); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		players := got.Players()
		if c.found(players) == 0 {
			t.Errorf("%s: not found: %+v", c.name, players)
		}
		sums := summed(t, e, rec)
		for side, p := range players {
			all, ofCounted := 0.0, p.CubeError
			for i := range got.Cubes {
				if got.Cubes[i].Side == rules.Side(side) {
					all += got.Cubes[i].Error
				}
			}
			if math.Abs(all-sums.cube[side]) > 0.003 || math.Abs(all-ofCounted) > 1e-9 {
				t.Errorf("%s, %v: cube errors %.4f, counted %.4f, GNU Backgammon says %.4f", c.name, rules.Side(side), all, ofCounted, sums.cube[side])
			}
			if p.Cubes != sums.close[side] {
				t.Errorf("%s, %v: %d close or actual decisions, GNU Backgammon says %d", c.name, rules.Side(side), p.Cubes, sums.close[side])
			}
		}
	}
}

// gnubgSums is what GNU Backgammon itself sums up over a game, by side.
type gnubgSums struct {
	errors, luck, cube [2]float64
	close              [2]int
}

// summed returns the sums of plays and luck from fixed places of the file's GS property, those of the cube from what it
// says.
func summed(t *testing.T, e *Engine, rec *record.Record) (sums gnubgSums) {
	t.Helper()
	one := *rec
	one.Games = one.Games[:1]
	sgf, said, err := e.run(t.Context(), &one, "show statistics match\n")
	if err != nil {
		t.Fatal(err)
	}
	gs := regexp.MustCompile(`GS\[M:([^\]]*)\]\[C:[^\]]*\]\[D:([^\]]*)\]`).FindStringSubmatch(string(sgf))
	if gs == nil {
		t.Fatalf("no sums in %.300s", sgf)
	}
	value := func(fields []string, i int) float64 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	moves, dice := strings.Fields(gs[1]), strings.Fields(gs[2])
	_, cube, ok := strings.Cut(string(said), "Cube statistics")
	counted := regexp.MustCompile(`Close or actual cube decisions +(\d+) +(\d+)`).FindStringSubmatch(cube)
	lost := regexp.MustCompile(`Error total EMG[^-+]*-([.\d]+)[^-+]*-[^-+]*-([.\d]+)`).FindStringSubmatch(strings.ReplaceAll(cube, "+0.", "-0."))
	if !ok || counted == nil || lost == nil {
		t.Fatalf("no statistics in %s", said)
	}
	for side := range 2 {
		sums.errors[side] = value(moves, len(moves)-4+2*side)
		sums.luck[side] = value(dice, len(dice)-4+2*side)
		sums.cube[side] = value(lost, 1+side)
		sums.close[side], _ = strconv.Atoi(counted[1+side])
	}
	return sums
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
		err := e.Analyse(t.Context(), played(t), func(*Analysis) error { return errors.New("something came of it") })
		if err == nil || strings.Contains(err.Error(), "something came") {
			t.Errorf("%s: %v", name, err)
		}
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if err := (&Engine{Path: "/bin/true"}).Analyse(over, played(t), nil); err == nil {
		t.Error("it goes on after the table has stopped")
	}
}

func TestAnAnalysisIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "davar.analysis")
	if a, err := Load(folder, "m/1"); a != nil || err != nil {
		t.Errorf("%v, %v", a, err)
	}
	a := &Analysis{Version: current, Match: "m/1", Of: 2, Done: 1, Plays: []Play{
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

func TestTheEngineGoesBehindEverythingElse(t *testing.T) {
	if _, err := exec.LookPath("nice"); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	dir := t.TempDir()
	path, said := filepath.Join(dir, "program"), filepath.Join(dir, "said")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nnice > "+said+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	own, err := exec.Command("nice").Output() // of this test itself: 0, but where somebody hurries it
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(own)))
	if err != nil {
		t.Fatal(err)
	}
	_ = (&Engine{Path: path, Last: true}).Analyse(t.Context(), played(t), nil)
	if got, err := os.ReadFile(said); err != nil || strings.TrimSpace(string(got)) != strconv.Itoa(min(19, n+19)) {
		t.Errorf("it ran at nice %q, %v; the test at %d", got, err, n)
	}
}

package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/rules"
	"davar/rules/record"
	"davar/rules/record/gnubgtest"
	"davar/rules/referee"
)

// wholeMatch is a match to 5 with all that happens in tournaments: the cube taken and dropped, a Crawford game, games
// conceded, an illegal play that stood, a play and a roll put right afterwards, the match lost on time.
func wholeMatch(t *testing.T) *told {
	light, dark := rules.Light, rules.Dark
	w := begun(t)
	w.start(light, referee.Score{})
	w.play(light, 3, 1, "8/5 6/5")
	w.play(dark, 6, 5, "24/13")
	w.cube(referee.CubeOffered, light, 2)
	w.cube(referee.CubeTaken, dark, 2)
	stood := w.made(light, 6, 4, "24/15") // nine pips with ten rolled
	illegal := false
	stood.Legal, stood.Notation = &illegal, ""
	w.roll(light, 6, 4)
	w.say(stood)
	w.play(dark, 2, 1, "13/11 6/5")
	w.end(light, 4, "gammon", referee.Score{Light: 4}, 2) // conceded
	w.game = 2
	w.start(dark, referee.Score{Light: 4}) // Crawford
	w.play(dark, 4, 2, "8/4 6/4")
	before := w.pos
	seq := w.play(light, 6, 5, "24/18 13/8")
	w.pos = before
	right := w.made(light, 6, 5, "24/13")
	right.Why, right.Corrects = "corrected", seq
	w.say(right)
	w.play(dark, 6, 6, "24/18(2) 13/7(2)")
	w.end(dark, 1, "resign", referee.Score{Light: 4, Dark: 1}, 1)
	w.game = 3
	w.start(dark, referee.Score{Light: 4, Dark: 1})
	w.play(dark, 5, 3, "8/3 6/3")
	misread := w.roll(light, 4, 2)
	w.say(referee.Event{Type: referee.Roll, Side: &light, Dice: []int{4, 1}, Why: "corrected", Corrects: misread})
	w.say(w.made(light, 4, 1, "24/23 13/9"))
	w.cube(referee.CubeOffered, dark, 2)
	w.cube(referee.CubeDropped, light, 1)
	w.end(dark, 1, "drop", referee.Score{Light: 4, Dark: 2}, 1)
	w.game = 4
	w.start(light, referee.Score{Light: 4, Dark: 2})
	w.play(light, 2, 1, "13/11 6/5")
	w.roll(dark, 6, 3)
	w.say(referee.Event{Type: referee.MatchEnded, Side: &light, How: "time", Score: &referee.Score{Light: 4, Dark: 2}})
	return w
}

func TestAWholeMatchReachesGNUBackgammonWithoutAWarning(t *testing.T) {
	rec := wholeMatch(t).transcript(nil).Record()
	if len(rec.Games) != 4 || !rec.Games[1].Crawford {
		t.Fatalf("%d games: %+v", len(rec.Games), rec.Games)
	}
	dir, commands := t.TempDir(), ""
	files := map[record.Format]string{record.FormatMat: "import mat", record.FormatSGF: "load match"}
	for _, format := range []record.Format{record.FormatMat, record.FormatSGF} {
		data, losses, err := rec.Write(format)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s cannot carry: %s", format, strings.Join(losses, "; "))
		file := filepath.Join(dir, "match."+string(format))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		commands += fmt.Sprintf("%s %s\nsave match %s.back\n", files[format], file, file)
	}
	for _, line := range gnubgtest.Run(t, "a whole match from live play", commands) {
		if lower := strings.ToLower(line); strings.Contains(lower, "warning") || strings.Contains(lower, "invalid") || strings.Contains(lower, "error") {
			t.Errorf("gnubg: %s", line)
		}
	}
	for format := range files {
		data, err := os.ReadFile(filepath.Join(dir, "match."+string(format)+".back"))
		if err != nil {
			t.Fatalf("%s was not read: %v", format, err)
		}
		again, err := record.Read(data)
		if err != nil || len(again.Games) != len(rec.Games) {
			t.Fatalf("%s: %d games came back, %v", format, len(again.Games), err)
		}
		for i := range rec.Games {
			sameGame(t, format, &again.Games[i], &rec.Games[i])
		}
	}
}

// sameGame compares what came back with what was written: the score, the Crawford game, the cube, the board after each
// roll, who won and how much.
func sameGame(t *testing.T, format record.Format, got, want *record.Game) {
	t.Helper()
	if got.Score != want.Score || got.Crawford != want.Crawford {
		t.Errorf("%s, game %d: score %v, Crawford %v, want %v, %v", format, want.Number, got.Score, got.Crawford, want.Score, want.Crawford)
	}
	if got.Result == nil || got.Result.Winner != want.Result.Winner || got.Result.Points != want.Result.Points && !want.Result.OnTime {
		t.Errorf("%s, game %d: result %+v, want %+v", format, want.Number, got.Result, want.Result)
	}
	story := func(g *record.Game) (all []string) {
		for _, turn := range g.Replay(rules.NewJudge(rules.Options{})) {
			line := turn.Action.Side.String() + " " + turn.Action.Kind.String()
			switch {
			case turn.Action.Kind == record.Set && len(all) > 0: // so a reader puts down where an illegal play led
				all[len(all)-1] = strings.Fields(all[len(all)-1])[0] + " roll " + turn.After.ID(rules.Light)
				continue
			case turn.Action.Kind == record.Roll:
				line += " " + turn.After.ID(rules.Light)
			}
			all = append(all, line)
		}
		return all
	}
	if a, b := strings.Join(story(got), "; "), strings.Join(story(want), "; "); a != b {
		t.Errorf("%s, game %d:\n%s\nwant\n%s", format, want.Number, a, b)
	}
}

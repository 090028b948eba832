package record

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/rules"
	"davar/rules/record/gnubgtest"
)

// gnubg runs GNU Backgammon on a list of commands, or skips the test loudly where it is not installed.
func gnubg(t *testing.T, commands string) {
	t.Helper()
	for _, line := range gnubgtest.Run(t, "what we write", commands) {
		// It warns as well, and rightly, when it exports a position that was set up.
		if strings.Contains(strings.ToLower(line), "warning") && !strings.Contains(line, "edited during play") {
			t.Errorf("gnubg warns: %s", line)
		}
	}
}

// sameGames says how two records differ in what was rolled and where it led, "" when they do not.
func sameGames(a, b *Record) string {
	if len(a.Games) != len(b.Games) {
		return fmt.Sprintf("%d games and %d", len(a.Games), len(b.Games))
	}
	for i := range a.Games {
		if d := sameGame(&a.Games[i], &b.Games[i]); d != "" {
			return fmt.Sprintf("game %d: %s", a.Games[i].Number, d)
		}
	}
	return ""
}

func sameGame(a, b *Game) string {
	ta, tb := a.Replay(rules.NewJudge(rules.Options{})), b.Replay(rules.NewJudge(rules.Options{}))
	if len(ta) != len(tb) {
		return fmt.Sprintf("%d actions and %d", len(ta), len(tb))
	}
	for i := range ta {
		x, y := ta[i].Action, tb[i].Action
		if x.Kind != y.Kind || x.Side != y.Side || x.Dice.High() != y.Dice.High() || x.Dice.Low() != y.Dice.Low() {
			return fmt.Sprintf("action %d: %v %v %v and %v %v %v", i, x.Side, x.Kind, x.Dice, y.Side, y.Kind, y.Dice)
		}
		if ta[i].After != tb[i].After {
			return fmt.Sprintf("action %d, %v %v: %s and %s", i, x.Side, x.Dice, x.Notation(), y.Notation())
		}
	}
	if a.Score != b.Score || (a.Result == nil) != (b.Result == nil) {
		return fmt.Sprintf("scores %v and %v, results %v and %v", a.Score, b.Score, a.Result, b.Result)
	}
	if a.Result != nil && (a.Result.Winner != b.Result.Winner || a.Result.Points != b.Result.Points) {
		return fmt.Sprintf("results %+v and %+v", *a.Result, *b.Result)
	}
	return ""
}

// selfPlay returns the matches that GNU Backgammon played against itself.
func selfPlay(t testing.TB) map[string]*Record {
	t.Helper()
	files, err := filepath.Glob("testdata/selfplay/*.mat")
	if err != nil || len(files) == 0 {
		t.Fatalf("no matches in testdata/selfplay: %v", err)
	}
	records := map[string]*Record{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := ReadMat(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		records[filepath.Base(file)] = rec
	}
	return records
}

func TestGNUBackgammonReadsTheMatAndSGFWeWrite(t *testing.T) {
	records := selfPlay(t)
	records["condoned"] = mustRead(t, condonedMatch)
	random := rand.New(rand.NewPCG(5, 5))
	for i := range 20 {
		records[fmt.Sprintf("condoned random %d", i)] = randomMatch(t, random)
	}
	dir := t.TempDir()
	commands := "set beavers 10\n"
	for name, rec := range records {
		for _, format := range []Format{FormatMat, FormatSGF} {
			data, _, err := rec.Write(format)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+"."+string(format))
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			commands += map[Format]string{FormatMat: "import mat ", FormatSGF: "load match "}[format] + file + "\n"
			// Our .mat is exported as SGF too: GNU Backgammon's .mat cannot show a condoned illegal play.
			commands += "save match " + file + ".back\n"
			if format == FormatMat && !strings.HasPrefix(name, "condoned") {
				commands += "export match mat " + file + ".mat\n"
			}
		}
	}
	gnubg(t, commands)
	for name, rec := range records {
		for _, back := range []string{name + ".mat.back", name + ".sgf.back", name + ".mat.mat"} {
			if strings.HasPrefix(back, "condoned") && strings.HasSuffix(back, ".mat.mat") {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(back, " ", "-")))
			if err != nil {
				t.Errorf("gnubg did not read %s: %v", back, err)
				continue
			}
			again, err := Read(data)
			if err != nil {
				t.Errorf("%s: %v", back, err)
				continue
			}
			if d := sameGames(rec, again); d != "" {
				t.Errorf("%s is not the same match: %s", back, d)
			}
		}
	}
}

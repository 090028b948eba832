package record

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"davar/rules"
)

// interrupted is a money game with an automatic double, a turn that was not seen, and a board set by hand.
func interrupted(t *testing.T) *Record {
	t.Helper()
	steps := func(notation string) []rules.Step {
		s, err := rules.ParseNotation(notation)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	start := rules.Start(rules.Standard)
	first, err := rules.Apply(&start, rules.Light, steps("8/5 6/5"))
	if err != nil {
		t.Fatal(err)
	}
	unseen, err := rules.Apply(&first, rules.Dark, steps("13/9 13/8"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Apply(&unseen, rules.Light, steps("24/14"))
	if err != nil {
		t.Fatal(err)
	}
	light := rules.Light
	return &Record{
		Players: [2]string{"Ann", "Ben"}, Crawford: true, Jacoby: true, Games: []Game{{
			Number: 1, Start: start, Cube: 2, Actions: []Action{
				{Side: rules.Light, Dice: rules.Dice{3, 1}, Steps: steps("8/5 6/5")},
				{Side: rules.Dark, Dice: rules.Dice{5, 4}, Unseen: true, Position: &unseen},
				{Kind: Set, Side: rules.Dark, Position: &set},
				{Side: rules.Dark, Dice: rules.Dice{2, 1}, Steps: steps("13/11* 6/5")},
				{Kind: Set, Side: rules.Light, Cube: 2, Owner: &light},
				{Kind: Double, Side: rules.Light, Cube: 4},
				{Kind: Take, Side: rules.Dark},
				{Side: rules.Light, Dice: rules.Dice{6, 6}, Unseen: true},
			},
			Result: &Result{Winner: rules.Dark, Points: 4, Resigned: true},
		}},
	}
}

func TestABoardSetByHandAnUnseenTurnAndAutomaticDoublesAreKept(t *testing.T) {
	rec := interrupted(t)
	for _, format := range []Format{FormatSGF, FormatJSON} {
		data, _, err := rec.Write(format)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(data)
		if err != nil {
			t.Fatalf("%s: %v\n%s", format, err, data)
		}
		if len(again.Notes) > 0 || again.Games[0].Cube != 2 {
			t.Errorf("%s: notes %v, cube %d", format, again.Notes, again.Games[0].Cube)
		}
		a, b := rec.Games[0].Replay(rules.NewJudge(rules.Options{})), again.Games[0].Replay(rules.NewJudge(rules.Options{}))
		if len(a) != len(b) {
			t.Fatalf("%s: %d actions and %d\n%s", format, len(a), len(b), data)
		}
		for i := range a {
			if a[i].Action.Kind != b[i].Action.Kind || a[i].After != b[i].After || !reflect.DeepEqual(a[i].Action.Owner, b[i].Action.Owner) {
				t.Errorf("%s: action %d: %v and %v", format, i, a[i].Action, b[i].Action)
			}
		}
		if format == FormatJSON && !reflect.DeepEqual(rec.Games, again.Games) {
			t.Errorf("JSON: %+v became %+v", rec.Games, again.Games)
		}
	}
}

func TestGNUBackgammonReadsAnInterruptedGame(t *testing.T) {
	rec := interrupted(t)
	dir := t.TempDir()
	commands := ""
	for _, format := range []Format{FormatMat, FormatSGF} {
		data, losses, err := rec.Write(format)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v", format, losses)
		file := filepath.Join(dir, "game."+string(format))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		commands += fmt.Sprintf("%s %s\nsave match %s.back\n", map[Format]string{FormatMat: "import mat", FormatSGF: "load match"}[format], file, file)
	}
	gnubg(t, commands)
	want := rec.Games[0].Replay(rules.NewJudge(rules.Options{}))
	for _, format := range []Format{FormatMat, FormatSGF} {
		data, err := os.ReadFile(filepath.Join(dir, "game."+string(format)+".back"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		got := again.Games[0].Replay(rules.NewJudge(rules.Options{}))
		if len(got) == 0 || got[len(got)-1].After != want[len(want)-1].After {
			t.Errorf("%s: gnubg ends elsewhere:\n%s", format, data)
		}
	}
}

func TestACubeSetByHandBelongsToWhomThePersonSays(t *testing.T) {
	rec := interrupted(t)
	moments := rec.Moments(&rec.Games[0])
	before := moments[3] // Light is about to double
	if c := before.Cube; c.Value != 2 || !c.Owned || c.Owner != rules.Light {
		t.Errorf("light doubles with the cube %+v", c)
	}
	rec.Games[0].Actions[4].Owner = nil
	if c := rec.Moments(&rec.Games[0])[3].Cube; c.Value != 2 || c.Owned {
		t.Errorf("nobody's cube is %+v", c)
	}
}

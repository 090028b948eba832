package analysis

import (
	"math"
	"testing"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/transcript"
)

func TestATurnByItselfIsJudgedAsWithinItsGame(t *testing.T) {
	e := engine(t)
	e.Plies = 0
	m := played(t)
	m.Games = m.Games[:1]
	g := &m.Games[0]
	var whole *Analysis
	if err := e.Analyse(t.Context(), m, func(a *Analysis) error { whole = a; return nil }); err != nil {
		t.Fatal(err)
	}
	cubes := 0
	for i := range g.Turns {
		turn := &g.Turns[i]
		if turn.Kind == transcript.Roll && i%12 != 2 && i != len(g.Turns)-1 {
			continue // the others would only take longer
		}
		got, err := e.Turn(t.Context(), m, g, i)
		if err != nil {
			t.Fatalf("turn %d: %v", i, err)
		}
		if got.Seq != turn.Seq || got.After == nil || got.After.Win < 0 || got.After.Win > 1 {
			t.Errorf("turn %d: %+v", i, got)
		}
		play, ok := whole.Play(turn.Seq)
		if ok != (got.Play != nil) || ok && (math.Abs(play.Error-got.Play.Error) > 0.001 || play.Forced != got.Play.Forced) {
			t.Errorf("turn %d: %+v by itself, %+v in its game", i, got.Play, play)
		}
		cube, ok := whole.Cube(turn.Seq)
		if ok != (got.Cube != nil) || ok && (math.Abs(cube.NoDouble-got.Cube.NoDouble) > 0.001 || math.Abs(cube.DoubleTake-got.Cube.DoubleTake) > 0.001 || cube.Action != got.Cube.Action) {
			t.Errorf("turn %d: %+v by itself, %+v in its game", i, got.Cube, cube)
		}
		if ok {
			cubes++
		}
	}
	if cubes < 4 {
		t.Errorf("only %d cube decisions were compared", cubes)
	}
}

func TestWhatATurnLedToIsSaidOfLight(t *testing.T) {
	e := engine(t)
	e.Plies = 0
	var ahead rules.Position // dark bears off, light has his last checkers far away
	ahead.Checkers[rules.Light] = [26]uint8{23: 2, 20: 13}
	ahead.Checkers[rules.Dark] = [26]uint8{rules.Off: 13, 1: 2}
	over := ahead
	over.Checkers[rules.Dark] = [26]uint8{rules.Off: 15}
	m := &transcript.Transcript{Facts: transcript.Facts{ID: "m", Length: 7}}
	game := func(turns ...transcript.Turn) *transcript.Game {
		return &transcript.Game{Number: 1, Start: turns[0].Before, Cube: 1, Turns: turns}
	}
	for _, c := range []struct {
		name string
		game *transcript.Game
		want Chances
	}{
		{"dark is about to win a backgammon", game(transcript.Turn{
			Kind: transcript.Pass, Side: rules.Light, Before: ahead, After: ahead}), Chances{Win: 0, LoseGammon: 1, LoseBackgammon: 1}},
		{"he has won one", game(transcript.Turn{
			Side: rules.Dark, Dice: rules.Dice{2, 1}, Notation: "1/off(2)", Before: ahead, After: over}), Chances{Win: 0, LoseGammon: 1, LoseBackgammon: 1}},
		{"light has dropped", game(
			transcript.Turn{Kind: transcript.Double, Side: rules.Dark, Cube: 2, Before: ahead, After: ahead},
			transcript.Turn{Kind: transcript.Drop, Side: rules.Light, Before: ahead, After: ahead}), Chances{Win: 0}},
		{"he has been doubled", game(transcript.Turn{
			Kind: transcript.Double, Side: rules.Dark, Cube: 2, Before: ahead, After: ahead}), Chances{Win: 0, LoseGammon: 1, LoseBackgammon: 1}},
	} {
		got, err := e.Turn(t.Context(), m, c.game, len(c.game.Turns)-1)
		if err != nil || got.After == nil {
			t.Errorf("%s: %+v, %v", c.name, got, err)
			continue
		}
		if a := *got.After; math.Abs(a.Win-c.want.Win) > 0.01 || math.Abs(a.LoseGammon-c.want.LoseGammon) > 0.01 || math.Abs(a.LoseBackgammon-c.want.LoseBackgammon) > 0.05 {
			t.Errorf("%s: %+v, want %+v", c.name, a, c.want)
		}
	}
}

func TestTheCubeIsFollowedToEachTurn(t *testing.T) {
	light := rules.Light
	g := &transcript.Game{Cube: 2, Turns: []transcript.Turn{
		{Kind: transcript.Roll}, {Kind: transcript.Double, Side: rules.Dark, Cube: 4}, {Kind: transcript.Take, Side: rules.Light},
		{Kind: transcript.Set, Cube: 8, Owner: &light}, {Kind: transcript.Set, Cube: 1}, {Kind: transcript.Roll},
	}}
	for i, want := range []match.Cube{{Value: 2}, {Value: 2}, {Value: 2}, {Value: 4, Owned: true}, {Value: 8, Owned: true}, {Value: 1}} {
		if got := cubeBefore(g, i); got != want {
			t.Errorf("before turn %d: %+v, want %+v", i, got, want)
		}
	}
}

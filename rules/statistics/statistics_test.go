package statistics

import (
	"math"
	"math/rand/v2"
	"testing"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/transcript"
)

func TestTheTailOfChiSquaredIsThatOfTheTables(t *testing.T) {
	for _, c := range []struct {
		x float64
		k int
		p float64
	}{ // Abramowitz and Stegun, table 26.8; closed forms for k = 1 and 2
		{3.841459, 1, 0.05}, {6.634897, 1, 0.01}, {11.070498, 5, 0.05}, {15.086272, 5, 0.01}, {20.515006, 5, 0.001},
		{4.351460, 5, 0.5}, {1.145476, 5, 0.95}, {0.554298, 5, 0.99}, {2, 2, math.Exp(-1)}, {30, 2, math.Exp(-15)}, {0, 5, 1},
	} {
		if p := chiSquaredTail(c.x, c.k); math.Abs(p-c.p) > 1e-6 {
			t.Errorf("Q(%v; %d) = %.7f, want %.7f", c.x, c.k, p, c.p)
		}
	}
}

func TestFairDiceAreFoundUnfairAsOftenAsPSays(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	faces, doubles := 0, 0
	const sets = 2000
	for range sets {
		var d Dice
		for range 200 {
			d.Add(uint8(1+rng.IntN(6)), uint8(1+rng.IntN(6)))
		}
		if d.FaceTest().P < 0.05 {
			faces++
		}
		if d.DoublesTest().P < 0.05 {
			doubles++
		}
	}
	for name, n := range map[string]int{"numbers": faces, "doubles": doubles} {
		if share := float64(n) / sets; share < 0.03 || share > 0.07 {
			t.Errorf("%s: %.3f of fair sets have p < 0.05", name, share)
		}
	}
}

func TestALoadedDieIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var d Dice
	for range 400 {
		loaded := uint8(1 + rng.IntN(6))
		if rng.IntN(6) == 0 {
			loaded = 6
		}
		d.Add(loaded, loaded)
	}
	if p := d.FaceTest().P; p > 1e-4 {
		t.Errorf("p = %v", p)
	}
	if p := d.DoublesTest().P; p > 1e-9 {
		t.Errorf("all doubles: p = %v", p)
	}
}

func TestTooFewRollsAreSaidToBeTooFew(t *testing.T) {
	var d Dice
	if test := d.FaceTest(); test.Enough || test.P != 1 {
		t.Errorf("no roll: %+v", test)
	}
	for range 14 {
		d.Add(3, 3)
	}
	if d.FaceTest().Enough || d.DoublesTest().Enough {
		t.Error("fourteen rolls are enough")
	}
	if d.MeanPips() != 12 || d.Doubles != 14 {
		t.Errorf("%v pips a roll, %d doubles", d.MeanPips(), d.Doubles)
	}
}

func turn(side rules.Side, a, b uint8, used int64, hit bool) transcript.Turn {
	x := transcript.Turn{Side: side, Dice: rules.Dice{a, b}, Used: used}
	x.Before = rules.Start(rules.Standard)
	x.After = x.Before
	x.After.Checkers[side][5]++
	if hit {
		x.After.Checkers[side.Other()][rules.Bar]++
	}
	return x
}

func TestAMatchIsCountedByPlayerAndSetOfDice(t *testing.T) {
	s := referee.DefaultSettings()
	match := &transcript.Transcript{Facts: transcript.Facts{Settings: &s}, Games: []transcript.Game{{Turns: []transcript.Turn{
		turn(rules.Light, 3, 1, 4000, false), turn(rules.Dark, 6, 6, 9000, true), turn(rules.Light, 2, 1, 8000, true),
		{Kind: transcript.Double, Side: rules.Dark}, turn(rules.Dark, 5, 4, 1000, false),
		{Side: rules.Light, Dice: rules.Dice{6, 6}, Unseen: true},
	}}}}
	m := Of(match)
	if len(m.Sets) != 1 || m.Sets[0].Rolls != 5 || m.Sets[0].Doubles != 2 {
		t.Errorf("sets %+v", m.Sets)
	}
	light, dark := m.Players[rules.Light], m.Players[rules.Dark]
	if light.Turns != 2 || light.Hits != 1 || dark.Hits != 1 || light.Dice.Rolls != 3 {
		t.Errorf("light %+v, dark %+v", light, dark)
	}
	if got := light.Time(); got != (Time{Total: 12000, Mean: 6000, Median: 8000, Longest: 8000}) {
		t.Errorf("light's time %+v", got)
	}
	s.TurnEnd = "pickup"
	if m := Of(match); len(m.Sets) != 2 {
		t.Errorf("each player has his own dice without a clock: %+v", m.Sets)
	}
}

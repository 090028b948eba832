package match

import (
	"errors"
	"testing"

	"davar/rules"
)

// wantRule fails unless err names the rule.
func wantRule(t *testing.T, err error, rule string) {
	t.Helper()
	var broken *RuleError
	if !errors.As(err, &broken) || broken.Rule != rule {
		t.Errorf("%v, want %s", err, rule)
	}
}

// newMatch returns a match after light's opening play, dark on roll.
func newMatch(t *testing.T, length int, o Options) Match {
	t.Helper()
	m, err := New(length, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Open(3, 1); err != nil {
		t.Fatal(err)
	}
	plays := rules.Plays(&m.Game.Position, rules.Light, m.Game.Dice)
	if err := m.Play(plays[0].Final); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheLargerOpeningDieStartsAndIsPlayed(t *testing.T) {
	for _, c := range []struct {
		light, dark uint8
		tie         bool
		turn        rules.Side
	}{{3, 1, false, rules.Light}, {2, 6, false, rules.Dark}, {4, 4, true, rules.Light}} {
		m, err := New(5, OptionsFor(rules.Standard))
		if err != nil {
			t.Fatal(err)
		}
		tie, err := m.Open(c.light, c.dark)
		if err != nil || tie != c.tie {
			t.Errorf("%d-%d: tie %t, %v", c.light, c.dark, tie, err)
		}
		if c.tie {
			if m.Game.Phase != AwaitOpening || m.Game.Cube.Value != 1 {
				t.Errorf("after a tie %+v (OPEN-3)", m.Game)
			}
			continue
		}
		if m.Game.Phase != Rolled || m.Game.Turn != c.turn || m.Game.Dice != (rules.Dice{c.light, c.dark}) {
			t.Errorf("%d-%d: %+v (OPEN-2)", c.light, c.dark, m.Game)
		}
		_, err = m.Open(1, 2)
		wantRule(t, err, "OPEN-1")
	}
}

func TestTheStarterMayThrowAfreshWhereThatIsPlayed(t *testing.T) {
	o := OptionsFor(rules.Tavla)
	o.Rules.OpeningReroll = true
	m, err := New(5, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Open(2, 5); err != nil {
		t.Fatal(err)
	}
	if m.Game.Phase != AwaitRoll || m.Game.Turn != rules.Dark {
		t.Errorf("%+v", m.Game)
	}
	wantRule(t, m.MayDouble(rules.Dark), "CUBE-16")
	if err := m.Roll(rules.Dark, rules.Dice{4, 4}); err != nil {
		t.Error(err)
	}
}

func TestTurnsAlternateAndOnlyThePlayerOnRollThrows(t *testing.T) {
	m := newMatch(t, 5, OptionsFor(rules.Standard))
	wantRule(t, m.Roll(rules.Light, rules.Dice{2, 1}), "MOVE-7")
	wantRule(t, m.Play(m.Game.Position), "MOVE-7")
	if err := m.Roll(rules.Dark, rules.Dice{2, 1}); err != nil {
		t.Fatal(err)
	}
	wantRule(t, m.Roll(rules.Dark, rules.Dice{2, 1}), "MOVE-7")
	if err := m.Play(m.Game.Position); err != nil {
		t.Fatal(err)
	}
	if m.Game.Turn != rules.Light || m.Game.Turns != 2 || m.Game.Dice != (rules.Dice{}) {
		t.Errorf("%+v", m.Game)
	}
}

func TestAClosedOutPlayerForfeitsHisTurn(t *testing.T) {
	m := newMatch(t, 5, OptionsFor(rules.Standard))
	wantRule(t, m.Forfeit(), "ENTER-7")
	m.Game.Position = closedOut(rules.Dark)
	if err := m.Forfeit(); err != nil || m.Game.Turn != rules.Light {
		t.Errorf("%v, %v on roll", err, m.Game.Turn)
	}
}

func TestAClosedOutPlayerMayBeForbiddenToDouble(t *testing.T) {
	o := OptionsFor(rules.Standard)
	o.ClosedOutMayDouble = false
	m := newMatch(t, 5, o)
	m.Game.Position = closedOut(rules.Dark)
	wantRule(t, m.Double(rules.Dark), "CUBE-20")
}

func TestACubeActionOutOfPlaceChangesNothing(t *testing.T) {
	m := newMatch(t, 5, OptionsFor(rules.Standard))
	before := m
	wantRule(t, m.Take(rules.Light), "CUBE-3")
	_, err := m.Drop(rules.Dark)
	wantRule(t, err, "CUBE-3")
	wantRule(t, m.Beaver(rules.Light), "CUBE-3")
	wantRule(t, m.Double(rules.Light), "CUBE-1")
	wantRule(t, m.SetCube(Cube{Value: 3}), "CUBE-6")
	wantRule(t, m.SetCube(Cube{Value: 128}), "CUBE-6")
	if m != before {
		t.Errorf("%+v became %+v", before, m)
	}
	if err := m.Double(rules.Dark); err != nil {
		t.Fatal(err)
	}
	offered := m
	wantRule(t, m.Double(rules.Dark), "CUBE-1")
	wantRule(t, m.Roll(rules.Dark, rules.Dice{2, 1}), "CUBE-1")
	wantRule(t, m.Take(rules.Dark), "CUBE-3")
	wantRule(t, m.Beaver(rules.Light), "CUBE-13")
	if m != offered {
		t.Errorf("%+v became %+v", offered, m)
	}
	if err := m.Take(rules.Light); err != nil {
		t.Fatal(err)
	}
	if m.Game.Turn != rules.Dark || m.Game.Phase != AwaitRoll || m.Game.Cube != (Cube{2, true, rules.Light}) {
		t.Errorf("after the take %+v (CUBE-3)", m.Game)
	}
	wantRule(t, m.Double(rules.Dark), "CUBE-5")
}

func TestMoneyOptionsAreOffInAMatch(t *testing.T) {
	o := OptionsFor(rules.Standard)
	o.Jacoby, o.Beavers, o.Rules.OpeningTies = true, true, rules.TieAutoDouble
	m, err := New(7, o)
	if err != nil {
		t.Fatal(err)
	}
	if m.Options.Jacoby || m.Options.Beavers || m.Options.Rules.OpeningTies != rules.TieReroll {
		t.Errorf("%+v (CUBE-13)", m.Options)
	}
}

func TestOptionsThatDoNotExistAreRefused(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Regime = "mild" },
		func(o *Options) { o.CubeMax = 48 },
		func(o *Options) { o.TimeLoss = "never" },
		func(o *Options) { o.Rules.Variant = rules.AceyDeucey },
	} {
		o := OptionsFor(rules.Standard)
		change(&o)
		if _, err := New(7, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if _, err := New(-1, OptionsFor(rules.Standard)); err == nil {
		t.Error("a match of -1 points was taken")
	}
}

func TestLossOnTimeCostsTheMatchOrTheGameOrNothing(t *testing.T) {
	for _, c := range []struct {
		option string
		phase  Phase
		score  [2]int
	}{{TimeLosesMatch, MatchOver, [2]int{}}, {TimeLosesGame, GameOver, [2]int{rules.Light: 1}}} {
		o := OptionsFor(rules.Standard)
		o.TimeLoss = c.option
		m := newMatch(t, 7, o)
		if err := m.LoseOnTime(rules.Dark); err != nil {
			t.Fatal(err)
		}
		if m.Game.Phase != c.phase || m.Score != c.score || m.Result.Winner != rules.Light || m.Result.String() != "time" {
			t.Errorf("%s: %+v", c.option, m)
		}
		wantRule(t, m.LoseOnTime(rules.Dark), "END-1")
	}
	o := OptionsFor(rules.Standard)
	o.TimeLoss = TimeLosesNone
	m := newMatch(t, 7, o)
	wantRule(t, m.LoseOnTime(rules.Dark), "CLOCK-4")
}

func TestTheNextGameWaitsForTheEndOfThis(t *testing.T) {
	m := newMatch(t, 3, OptionsFor(rules.Standard))
	wantRule(t, m.Next(), "SCORE-4")
	if err := m.Award(rules.Dark, rules.Gammon, BornOff); err != nil {
		t.Fatal(err)
	}
	if err := m.Next(); err != nil {
		t.Fatal(err)
	}
	if m.Game.Number != 2 || !m.Game.Crawford || m.Game.Position != rules.Start(rules.Standard) || m.Game.Cube.Value != 1 {
		t.Errorf("%+v", m.Game)
	}
	if err := m.Award(rules.Dark, rules.Single, BornOff); err != nil {
		t.Fatal(err)
	}
	if winner, over := m.Winner(); !over || winner != rules.Dark || !m.Result.Match {
		t.Errorf("%+v (SCORE-1)", m)
	}
	wantRule(t, m.Next(), "SCORE-1")
	wantRule(t, m.Double(rules.Dark), "CUBE-1")
}

func TestOnlyWhatIsCertainMayBeConceded(t *testing.T) {
	side := func(points map[int]uint8) (row [26]uint8) {
		row[rules.Off] = rules.Checkers
		for p, n := range points {
			row[p] = n
			row[rules.Off] -= n
		}
		return row
	}
	for _, c := range []struct {
		name          string
		loser, winner map[int]uint8
		want          rules.Win
	}{
		{"with contact nothing is", map[int]uint8{24: 1, 6: 14}, map[int]uint8{2: 2}, rules.NoWin},
		{"a lost race with one checker off", map[int]uint8{6: 14}, map[int]uint8{1: 2}, rules.Single},
		{"a race that double sixes could win", map[int]uint8{6: 3}, map[int]uint8{6: 4, 5: 4}, rules.NoWin},
		{"a gammon", map[int]uint8{18: 5, 12: 10}, map[int]uint8{1: 2}, rules.Gammon},
		{"perhaps a gammon", map[int]uint8{7: 1, 6: 14}, map[int]uint8{1: 4}, rules.NoWin},
		{"a backgammon", map[int]uint8{22: 5, 12: 10}, map[int]uint8{1: 2}, rules.Backgammon},
		{"a gammon, perhaps a backgammon", map[int]uint8{19: 1, 12: 14}, map[int]uint8{1: 2}, rules.NoWin},
		{"a single, as one checker comes off in time", map[int]uint8{1: 15}, map[int]uint8{1: 5}, rules.Single},
	} {
		pos := rules.Position{Checkers: [2][26]uint8{rules.Light: side(c.loser), rules.Dark: side(c.winner)}}
		if got := Certain(&pos, rules.Light, rules.Options{}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	m := newMatch(t, 5, OptionsFor(rules.Standard))
	wantRule(t, m.Resign(rules.Dark, rules.Single), "END-8")
	m.Game.Position.Checkers[rules.Dark], m.Game.Position.Checkers[rules.Light] = side(map[int]uint8{6: 14}), side(map[int]uint8{1: 2})
	wantRule(t, m.Resign(rules.Dark, rules.Gammon), "END-8")
	if err := m.Resign(rules.Dark, rules.Single); err != nil || m.Score[rules.Light] != 1 || m.Result.String() != "resign" {
		t.Errorf("%v %+v", err, m.Result)
	}
	o := OptionsFor(rules.Standard)
	o.Concession = SingleCube
	m = newMatch(t, 5, o)
	wantRule(t, m.Resign(rules.Dark, rules.Gammon), "END-9")
}

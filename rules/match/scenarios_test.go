package match

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"davar/rules"
)

type scenario struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Note   string          `json:"note"`
	Given  json.RawMessage `json:"given"`
	Expect json.RawMessage `json:"expect"`
}

func scenarios(t *testing.T, kind string) []scenario {
	t.Helper()
	data, err := os.ReadFile("testdata/scenarios.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Scenarios []scenario }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var some []scenario
	for _, s := range file.Scenarios {
		if s.Kind == kind {
			some = append(some, s)
		}
	}
	if len(some) == 0 {
		t.Fatalf("no scenarios of kind %s", kind)
	}
	return some
}

func decode[T any](t *testing.T, data json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// tableOptions are the options of the scenarios, by their short names there.
type tableOptions struct {
	BackgammonNeeds *rules.BackgammonNeeds `json:"backgammon_needs"`
	Gammons         string                 `json:"gammons"`
	Backgammons     string                 `json:"backgammons"`
	Jacoby          bool                   `json:"jacoby"`
	Beavers         bool                   `json:"beavers"`
	Concession      string                 `json:"concession"`
	TimeLoss        string                 `json:"time_loss"`
	MatchEndByDrop  string                 `json:"match_end_by_drop"`
	OpeningTies     rules.OpeningTies      `json:"opening_ties"`
	AutoDoubleLimit int                    `json:"auto_double_limit"`
}

func (o tableOptions) options() Options {
	out := OptionsFor(rules.Standard)
	if o.BackgammonNeeds != nil {
		out.Rules.BackgammonNeeds = *o.BackgammonNeeds
	}
	out.Rules.GammonsOff = o.Gammons == "off"
	out.Rules.BackgammonsOff = o.Backgammons == "off"
	out.Rules.OpeningTies = o.OpeningTies
	out.Jacoby, out.Beavers = o.Jacoby, o.Beavers
	for _, set := range []struct{ from, to *string }{
		{&o.Concession, &out.Concession}, {&o.TimeLoss, &out.TimeLoss}, {&o.MatchEndByDrop, &out.MatchEndByDrop},
	} {
		if *set.from != "" {
			*set.to = *set.from
		}
	}
	return out
}

type scoreGiven struct {
	Length  int `json:"match_length"`
	Score   struct{ Winner, Loser int }
	Cube    int
	Doubled bool `json:"double_offered"`
	Options tableOptions
	Ending  struct {
		Kind      string
		LoserOff  uint8 `json:"loser_off"`
		LoserHome uint8 `json:"loser_in_winner_home"`
		LoserBar  uint8 `json:"loser_on_bar"`
	}
}

func TestScoringScenarios(t *testing.T) {
	for _, s := range scenarios(t, "score") {
		t.Run(s.ID, func(t *testing.T) {
			given := decode[scoreGiven](t, s.Given)
			want := decode[struct {
				Points    int
				Score     *struct{ Winner, Loser int }
				MatchOver *bool `json:"match_over"`
			}](t, s.Expect)
			m, err := New(given.Length, given.Options.options())
			if err != nil {
				t.Fatal(err)
			}
			m.Score = [2]int{given.Score.Winner, given.Score.Loser}
			m.Game.Cube = Cube{Value: given.Cube}
			m.Game.Doubled = given.Doubled
			if err := endGame(&m, &given); err != nil {
				t.Fatal(err)
			}
			if m.Result.Points != want.Points || m.Result.Winner != rules.Light {
				t.Errorf("%s: %+v, want %d points for light", s.Note, m.Result, want.Points)
			}
			if want.Score != nil && m.Score != [2]int{want.Score.Winner, want.Score.Loser} {
				t.Errorf("score %v, want %+v", m.Score, *want.Score)
			}
			if _, over := m.Winner(); want.MatchOver != nil && over != *want.MatchOver {
				t.Errorf("match over %t, want %t", over, *want.MatchOver)
			}
		})
	}
}

// endGame lets light win in the way given.
func endGame(m *Match, given *scoreGiven) error {
	switch given.Ending.Kind {
	case "drop":
		m.Game.Phase, m.Game.Turn = AwaitRoll, rules.Light
		if err := m.Double(rules.Light); err != nil {
			return err
		}
		_, err := m.Drop(rules.Dark)
		return err
	case "resign":
		return m.Resign(rules.Dark, rules.Single)
	case "time":
		return m.LoseOnTime(rules.Dark)
	}
	e := &given.Ending
	var final rules.Position
	final.Checkers[rules.Light][rules.Off] = rules.Checkers
	loser := &final.Checkers[rules.Dark]
	loser[rules.Off], loser[20], loser[rules.Bar] = e.LoserOff, e.LoserHome, e.LoserBar
	loser[3] = rules.Checkers - e.LoserOff - e.LoserHome - e.LoserBar
	m.Game.Phase, m.Game.Turn, m.Game.Dice = Rolled, rules.Light, rules.Dice{6, 6}
	return m.Play(final)
}

type cubeGiven struct {
	Length   int `json:"match_length"`
	Score    struct{ Light, Dark int }
	Crawford bool `json:"crawford_game"`
	Cube     struct {
		Value int
		Owner string
	}
	OnRoll    rules.Side `json:"on_roll"`
	Phase     string
	Action    map[string]string
	Options   tableOptions
	History   [][2]int
	Opening   [][2]uint8
	ClosedOut *rules.Side `json:"closed_out"`
}

func (g *cubeGiven) match(t *testing.T) Match {
	t.Helper()
	m, err := New(g.Length, g.Options.options())
	if err != nil {
		t.Fatal(err)
	}
	m.Score = [2]int{g.Score.Light, g.Score.Dark}
	m.Game.Crawford = g.Crawford
	m.Game.Cube = Cube{Value: g.Cube.Value, Owned: g.Cube.Owner != "centre"}
	if g.Cube.Owner == "dark" {
		m.Game.Cube.Owner = rules.Dark
	}
	m.Game.Turn = g.OnRoll
	switch g.Phase {
	case "before_roll":
		m.Game.Phase, m.Game.Turns = AwaitRoll, 1
	case "rolled":
		m.Game.Phase, m.Game.Dice = Rolled, rules.Dice{3, 1}
	case "opening_rolled":
		m.Game.Phase = AwaitOpening
		if _, err := m.Open(3, 1); err != nil {
			t.Fatal(err)
		}
	}
	if g.ClosedOut != nil {
		m.Game.Position = closedOut(*g.ClosedOut)
	}
	return m
}

func closedOut(side rules.Side) rules.Position {
	var p rules.Position
	p.Checkers[side] = [26]uint8{rules.Bar: 1, 6: 14}
	p.Checkers[side.Other()] = [26]uint8{13: 3, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}
	return p
}

func TestCubeScenarios(t *testing.T) {
	type expect struct {
		Legal        *bool
		Why          string
		Cube         int
		Owner        string
		Crawford     *bool `json:"crawford_game"`
		DropAccepted *bool `json:"drop_accepted"`
		Points       *int
		MatchOver    *bool    `json:"match_over"`
		LightMay     []string `json:"light_may"`
	}
	for _, s := range scenarios(t, "cube") {
		t.Run(s.ID, func(t *testing.T) {
			given, want := decode[cubeGiven](t, s.Given), decode[expect](t, s.Expect)
			m := given.match(t)
			if given.History != nil {
				m = afterScores(t, given.Length, given.History)
			}
			if given.Opening != nil {
				m.Game.Phase = AwaitOpening
				openWith(t, &m, given.Opening)
			}
			err := m.double(given.Action)
			if want.Legal != nil && (err == nil) != *want.Legal {
				t.Fatalf("%s: %v, want legal %t", s.Note, err, *want.Legal)
			}
			var broken *RuleError
			if want.Why != "" && (!errors.As(err, &broken) || broken.Rule != want.Why) {
				t.Errorf("%v, want %s", err, want.Why)
			}
			dropped := m.answer(t, given.Action)
			if want.DropAccepted != nil && dropped != *want.DropAccepted {
				t.Errorf("drop accepted %t, want %t", dropped, *want.DropAccepted)
			}
			value := m.Game.Cube.Value
			if m.Game.Phase == AwaitAnswer {
				value = m.Game.Offer.Value
			}
			if want.Cube != 0 && value != want.Cube {
				t.Errorf("cube %d, want %d", value, want.Cube)
			}
			if want.Owner != "" && m.Game.Cube.OwnerName() != map[string]string{"centre": "", "light": "light", "dark": "dark"}[want.Owner] {
				t.Errorf("the cube is owned by %q, want %s", m.Game.Cube.OwnerName(), want.Owner)
			}
			if want.Crawford != nil && m.Game.Crawford != *want.Crawford {
				t.Errorf("Crawford game %t, want %t", m.Game.Crawford, *want.Crawford)
			}
			if want.Points != nil && m.Result.Points != *want.Points {
				t.Errorf("%d points, want %d", m.Result.Points, *want.Points)
			}
			if _, over := m.Winner(); want.MatchOver != nil && over != *want.MatchOver {
				t.Errorf("match over %t, want %t", over, *want.MatchOver)
			}
			if want.LightMay != nil {
				take, drop := m, m
				if err := take.Take(rules.Light); err != nil || take.Game.Cube != (Cube{4, true, rules.Dark}) {
					t.Errorf("light may take the beaver: %v, %+v", err, take.Game.Cube)
				}
				if ok, err := drop.Drop(rules.Light); !ok || err != nil || drop.Result.Points != 2 {
					t.Errorf("light may drop the beaver: %t %v %+v", ok, err, drop.Result)
				}
			}
		})
	}
}

// double lets the one who doubles in the scenario do it.
func (m *Match) double(action map[string]string) error {
	for _, side := range []rules.Side{rules.Light, rules.Dark} {
		if action[side.String()] == "double" {
			return m.Double(side)
		}
	}
	return nil
}

// answer lets the other one answer and reports whether he dropped.
func (m *Match) answer(t *testing.T, action map[string]string) (dropped bool) {
	t.Helper()
	var err error
	for _, side := range []rules.Side{rules.Light, rules.Dark} {
		switch action[side.String()] {
		case "take":
			err = m.Take(side)
		case "beaver":
			err = m.Beaver(side)
		case "drop":
			dropped, err = m.Drop(side)
		}
	}
	if err != nil {
		t.Error(err)
	}
	return dropped
}

// afterScores plays a match through the scores given and returns it in the game after the last.
func afterScores(t *testing.T, length int, scores [][2]int) Match {
	t.Helper()
	m, err := New(length, OptionsFor(rules.Standard))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetScore(scores[0], false); err != nil {
		t.Fatal(err)
	}
	for _, next := range scores[1:] {
		winner := rules.Light
		if next[rules.Dark] > m.Score[rules.Dark] {
			winner = rules.Dark
		}
		m.Game.Cube.Value = 1
		if err := m.Award(winner, rules.Win(next[winner]-m.Score[winner]), BornOff); err != nil {
			t.Fatal(err)
		}
		if m.Score != next {
			t.Fatalf("score %v, want %v", m.Score, next)
		}
		if err := m.Next(); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func openWith(t *testing.T, m *Match, rolls [][2]uint8) {
	t.Helper()
	for _, roll := range rolls {
		if _, err := m.Open(roll[0], roll[1]); err != nil {
			t.Fatal(err)
		}
	}
}

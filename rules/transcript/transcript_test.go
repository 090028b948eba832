package transcript

import (
	"strings"
	"testing"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/record"
	"davar/rules/referee"
)

// told writes the events of a match by hand.
type told struct {
	t      *testing.T
	events []referee.Event
	pos    rules.Position
	game   int
}

func begun(t *testing.T) *told {
	w := &told{t: t, pos: rules.Start(rules.Standard), game: 1}
	w.say(referee.Event{Type: referee.MatchStarted})
	return w
}

// say adds an event ten seconds after the one before and returns its number.
func (w *told) say(e referee.Event) int64 {
	e.Seq, e.Match, e.Game, e.TMS = int64(len(w.events)+1), "m", w.game, int64(len(w.events))*10_000
	w.events = append(w.events, e)
	return e.Seq
}

func (w *told) start(side rules.Side, score referee.Score) {
	w.pos = rules.Start(rules.Standard)
	w.say(referee.Event{Type: referee.GameStarted, Side: &side, Score: &score})
}

func (w *told) roll(side rules.Side, a, b int) int64 {
	return w.say(referee.Event{Type: referee.Roll, Side: &side, Dice: []int{a, b}})
}

// play makes a play and tells it; made returns the event without telling it.
func (w *told) play(side rules.Side, a, b int, notation string) int64 {
	return w.say(w.made(side, a, b, notation))
}

func (w *told) made(side rules.Side, a, b int, notation string) referee.Event {
	steps, err := rules.ParseNotation(notation)
	if err != nil {
		w.t.Fatal(err)
	}
	if w.pos, err = rules.Apply(&w.pos, side, steps); err != nil {
		w.t.Fatal(err)
	}
	legal := true
	return referee.Event{Type: referee.PlayMade, Side: &side, Dice: []int{a, b}, Notation: notation, Position: w.pos.ID(side), Legal: &legal}
}

func (w *told) cube(kind string, side rules.Side, value int) {
	w.say(referee.Event{Type: kind, Side: &side, Cube: value})
}

func (w *told) end(side rules.Side, points int, how string, score referee.Score, cube int) {
	w.say(referee.Event{Type: referee.GameEnded, Side: &side, Points: points, How: how, Score: &score, Cube: cube})
}

func (w *told) decide(e referee.Event) {
	e.Type, e.By = referee.DecisionMade, "director"
	if e.Side == nil {
		side := rules.Light
		e.Side = &side
	}
	w.say(e)
}

func (w *told) transcript(change func(*Facts)) *Transcript {
	s := referee.DefaultSettings()
	f := Facts{ID: "m", Players: [2]string{"Ann", "Ben"}, Length: 5, Settings: &s}
	if change != nil {
		change(&f)
	}
	return Of(f, w.events)
}

// score writes the games as short lines: who, what, from where to where.
func lines(g *Game) string {
	var all []string
	for i := range g.Turns {
		t := &g.Turns[i]
		line := t.Side.String() + " " + t.Kind.String()
		if t.Kind == Roll {
			line = t.Side.String() + " " + t.Dice.String() + " " + t.Notation
			if t.Unseen {
				line += "?"
			}
		}
		all = append(all, strings.TrimSpace(line))
	}
	return strings.Join(all, "; ")
}

func TestWhatStandsInTheEnd(t *testing.T) {
	light, dark := rules.Light, rules.Dark
	for _, c := range []struct {
		name string
		tell func(w *told)
		want string
	}{
		{"a roll misread and put right before the play", func(w *told) {
			w.roll(light, 3, 2)
			w.say(referee.Event{Type: referee.Roll, Side: &light, Dice: []int{3, 1}, Why: "corrected"})
			w.play(light, 3, 1, "8/5 6/5")
		}, "light 3-1 8/5 6/5"},
		{"the play before put right when the next was rolled", func(w *told) {
			start := w.pos
			w.roll(light, 3, 1)
			w.play(light, 3, 1, "24/20")
			w.roll(dark, 6, 5)
			w.pos = start
			e := w.made(light, 3, 1, "8/5 6/5")
			e.Why = "corrected"
			w.say(e)
			w.play(dark, 6, 5, "24/13")
		}, "light 3-1 8/5 6/5; dark 6-5 24/13"},
		{"an earlier roll and play put right by number", func(w *told) {
			start := w.pos
			rolled := w.roll(light, 4, 1)
			played := w.play(light, 4, 1, "24/20 24/23")
			w.roll(dark, 6, 5)
			w.play(dark, 6, 5, "24/13")
			w.say(referee.Event{Type: referee.Roll, Side: &light, Dice: []int{3, 1}, Why: "corrected", Corrects: rolled})
			w.pos = start
			e := w.made(light, 3, 1, "8/5 6/5")
			e.Why, e.Corrects = "corrected", played
			w.say(e)
			e = w.made(dark, 6, 5, "24/13")
			e.Why, e.Corrects = "corrected", played+2
			w.say(e)
		}, "light 3-1 8/5 6/5; dark 6-5 24/13"},
		{"the last turn taken back and played otherwise", func(w *told) {
			start := w.pos
			w.roll(light, 3, 1)
			w.play(light, 3, 1, "24/20")
			w.decide(referee.Event{What: referee.DecideUndo})
			w.pos = start
			w.play(light, 3, 1, "8/5 6/5")
		}, "light 3-1 8/5 6/5"},
		{"two turns taken back with the double between them", func(w *told) {
			w.roll(light, 3, 1)
			w.play(light, 3, 1, "8/5 6/5")
			before := w.pos
			w.roll(dark, 6, 5)
			played := w.play(dark, 6, 5, "24/13")
			w.cube(referee.CubeOffered, light, 2)
			w.cube(referee.CubeTaken, dark, 2)
			w.roll(light, 2, 1)
			w.play(light, 2, 1, "13/11 6/5")
			w.decide(referee.Event{What: referee.DecideUndo, Corrects: played})
			w.pos = before
			w.play(dark, 6, 5, "24/18 13/8")
		}, "light 3-1 8/5 6/5; dark 6-5 24/18 13/8"},
		{"a closed turn to be played anew with the same roll (IRREG-5)", func(w *told) {
			start := w.pos
			w.roll(light, 3, 1)
			w.play(light, 3, 1, "24/20")
			w.decide(referee.Event{What: referee.DecideReplay, Side: &light})
			w.pos = start
			w.play(light, 3, 1, "8/5 6/5")
		}, "light 3-1 8/5 6/5"},
		{"a roll thrown again", func(w *told) {
			w.roll(light, 6, 6)
			w.decide(referee.Event{What: referee.DecideRethrow, Side: &light})
			w.roll(light, 3, 1)
			w.play(light, 3, 1, "8/5 6/5")
		}, "light 3-1 8/5 6/5"},
		{"a fast roll thrown again leaves the turn in progress alone (DICE-12)", func(w *told) {
			w.roll(light, 3, 1)
			w.say(referee.Event{Type: referee.RulingMade, Side: &dark, Ruling: &referee.RulingBody{Code: "D6"}})
			w.decide(referee.Event{What: referee.DecideRethrow, Side: &light})
			w.play(light, 3, 1, "8/5 6/5")
		}, "light 3-1 8/5 6/5"},
		{"a turn that was never made out", func(w *told) {
			w.roll(light, 3, 1)
			w.say(referee.Event{Type: referee.Attention, Why: "turn_lost"})
			w.pos, _ = rules.Apply(&w.pos, light, mustSteps("24/20"))
			w.roll(dark, 6, 4)
			w.play(dark, 6, 4, "24/14")
		}, "light 3-1 ?; dark 6-4 24/14"},
		{"a board set by the director in mid-game", func(w *told) {
			w.roll(light, 3, 1)
			w.play(light, 3, 1, "8/5 6/5")
			w.pos, _ = rules.Apply(&w.pos, light, mustSteps("13/9"))
			w.decide(referee.Event{What: referee.DecideSet, Side: &dark, Position: w.pos.ID(dark)})
			w.say(referee.Event{Type: referee.GameStarted, Side: &dark})
			w.roll(dark, 6, 4)
			w.play(dark, 6, 4, "24/14")
		}, "light 3-1 8/5 6/5; dark set; dark 6-4 24/14"},
		{"a double of which nothing came", func(w *told) {
			w.roll(light, 3, 1)
			w.play(light, 3, 1, "8/5 6/5")
			w.cube(referee.CubeOffered, dark, 2)
			w.roll(dark, 6, 4)
			w.play(dark, 6, 4, "24/14")
		}, "light 3-1 8/5 6/5; dark 6-4 24/14"},
		{"another starter than was thought", func(w *told) {
			w.roll(dark, 1, 3)
			w.say(referee.Event{Type: referee.GameStarted, Side: &light, Why: "corrected"})
			w.say(referee.Event{Type: referee.Roll, Side: &light, Dice: []int{3, 1}, Why: "corrected"})
			w.play(light, 3, 1, "8/5 6/5")
		}, "light 3-1 8/5 6/5"},
		{"a player closed out", func(w *told) {
			w.roll(light, 3, 1)
			w.say(referee.Event{Type: referee.TurnEnded, Side: &light})
			w.play(light, 3, 1, "8/5 6/5")
			w.say(referee.Event{Type: referee.TurnEnded, Side: &dark})
			w.roll(light, 6, 1)
			w.play(light, 6, 1, "13/7 8/7")
		}, "light 3-1 8/5 6/5; dark pass; light 6-1 13/7 8/7"},
		{"a roll after which the game was given up", func(w *told) {
			w.roll(light, 3, 1)
			w.end(dark, 1, "resign", referee.Score{Dark: 1}, 1)
		}, "light 3-1 ?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := begun(t)
			w.start(light, referee.Score{})
			c.tell(w)
			got := w.transcript(nil)
			if s := lines(&got.Games[0]); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
			for i := range got.Games[0].Turns {
				turn := &got.Games[0].Turns[i]
				if i > 0 && turn.Before != got.Games[0].Turns[i-1].After {
					t.Errorf("turn %d begins elsewhere than the one before ended", i)
				}
			}
			if report := got.Record().Check(rules.OptionsFor(rules.Standard)); len(report.Illegal) > 0 {
				t.Errorf("held against somebody: %+v", report.Illegal)
			}
		})
	}
}

func mustSteps(notation string) []rules.Step {
	steps, err := rules.ParseNotation(notation)
	if err != nil {
		panic(err)
	}
	return steps
}

func TestAnIllegalPlayThatStoodIsKeptAsOne(t *testing.T) {
	light, dark := rules.Light, rules.Dark
	w := begun(t)
	w.start(light, referee.Score{})
	w.roll(light, 3, 1)
	e := w.made(light, 3, 1, "8/4 6/5")
	illegal := false
	e.Notation, e.Legal = "", &illegal
	w.say(e)
	w.roll(dark, 6, 4)
	w.play(dark, 6, 4, "24/14")
	got := w.transcript(nil)
	if turn := got.Games[0].Turns[0]; !turn.Illegal || turn.Before == turn.After {
		t.Errorf("%+v", turn)
	}
	report := got.Record().Check(rules.OptionsFor(rules.Standard))
	if len(report.Illegal) != 1 || report.Illegal[0].Code != "M3" {
		t.Errorf("%+v", report.Illegal)
	}
}

func TestACubePutByAPersonBelongsToWhomHeSays(t *testing.T) {
	light, dark := rules.Light, rules.Dark
	w := begun(t)
	w.start(light, referee.Score{})
	w.play(light, 3, 1, "8/5 6/5")
	w.decide(referee.Event{What: referee.DecideCube, Cube: 2, Owner: &dark})
	w.decide(referee.Event{What: referee.DecideCube, Cube: 1})
	set := w.transcript(nil).Record().Games[0].Actions[1:]
	if len(set) != 2 || set[0].Cube != 2 || set[0].Owner == nil || *set[0].Owner != dark || set[1].Cube != 1 || set[1].Owner != nil {
		t.Errorf("%+v", set)
	}
}

func TestScoresCrawfordAndResultsOfAMatch(t *testing.T) {
	light, dark := rules.Light, rules.Dark
	w := begun(t)
	w.start(light, referee.Score{})
	w.cube(referee.CubeOffered, dark, 2)
	w.cube(referee.CubeTaken, light, 2)
	w.end(dark, 4, "gammon", referee.Score{Dark: 4}, 2)
	w.game = 2
	w.start(dark, referee.Score{Dark: 4})
	w.end(light, 1, "resign", referee.Score{Light: 1, Dark: 4}, 1)
	w.decide(referee.Event{What: referee.DecideScore, Score: &referee.Score{Light: 2, Dark: 4}})
	w.game = 3
	w.start(dark, referee.Score{Light: 2, Dark: 4})
	w.cube(referee.CubeOffered, light, 2)
	w.cube(referee.CubeDropped, dark, 1)
	w.end(light, 1, "drop", referee.Score{Light: 3, Dark: 4}, 1)
	w.game = 4
	w.start(dark, referee.Score{Light: 3, Dark: 4})
	w.roll(dark, 2, 1)
	w.say(referee.Event{Type: referee.MatchEnded, Side: &light, How: "time", Score: &referee.Score{Light: 3, Dark: 4}})
	got := w.transcript(nil)
	if len(got.Games) != 4 || !got.Finished || got.Winner != light {
		t.Fatalf("%d games, finished %v, winner %v", len(got.Games), got.Finished, got.Winner)
	}
	for i, crawford := range []bool{false, true, false, false} {
		if got.Games[i].Crawford != crawford {
			t.Errorf("game %d: Crawford %v", i+1, got.Games[i].Crawford)
		}
	}
	rec := got.Record()
	for i, want := range []record.Result{
		{Winner: dark, Points: 4}, {Winner: light, Points: 1, Resigned: true}, {Winner: light, Points: 1},
		{Winner: light, Match: true, OnTime: true},
	} {
		if r := rec.Games[i].Result; r == nil || *r != want {
			t.Errorf("game %d: %+v, want %+v", i+1, r, want)
		}
	}
	if rec.Games[2].Score != [2]int{2, 4} {
		t.Errorf("game 3 begins at %v", rec.Games[2].Score)
	}
}

func TestAutomaticDoublesTurnTheCubeBeforeTheGame(t *testing.T) {
	w := begun(t)
	for range 3 {
		w.say(referee.Event{Type: referee.RulingMade, Ruling: &referee.RulingBody{Code: "D11"}})
	}
	w.start(rules.Light, referee.Score{})
	got := w.transcript(func(f *Facts) {
		f.Length = 0
		o := match.OptionsFor(rules.Standard)
		o.Rules.OpeningTies, o.Rules.AutoDoubleLimit, o.Jacoby = rules.TieAutoDouble, 2, true
		f.Settings.Options = o
	})
	if g := got.Record().Games[0]; g.Cube != 4 || !got.Record().Jacoby {
		t.Errorf("the cube is at %d after three ties with a limit of two", g.Cube)
	}
}

func TestAnExcludedCheckerIsNotBorneOff(t *testing.T) {
	light := rules.Light
	w := begun(t)
	w.start(light, referee.Score{})
	w.pos.Checkers[rules.Dark][6]--
	w.decide(referee.Event{What: referee.DecideExclude, Side: &light, Position: w.pos.ID(light)})
	w.say(referee.Event{Type: referee.GameStarted, Side: &light})
	w.roll(light, 3, 1)
	w.play(light, 3, 1, "8/5 6/5")
	got := w.transcript(nil)
	if turn := got.Games[0].Turns[0]; turn.After.Active(rules.Dark) != 14 || turn.After.Checkers[rules.Dark][rules.Off] != 0 {
		t.Errorf("%+v", turn.After)
	}
}

func TestTheTimeOfATurnLeavesOutPauses(t *testing.T) {
	light, dark := rules.Light, rules.Dark
	w := begun(t)
	w.start(light, referee.Score{}) // at 10 s
	w.roll(light, 3, 1)             // 20 s
	w.say(referee.Event{Type: referee.ClockPaused, Why: "ruling"})
	w.say(referee.Event{Type: referee.ClockResumed})
	w.say(referee.Event{Type: referee.TurnEnded, Side: &light}) // 50 s
	w.play(light, 3, 1, "8/5 6/5")
	w.roll(dark, 6, 4)                                         // 70 s
	w.say(referee.Event{Type: referee.TurnEnded, Side: &dark}) // 80 s
	w.play(dark, 6, 4, "24/14")
	turns := w.transcript(nil).Games[0].Turns
	if turns[0].Used != 30_000 || turns[1].Used != 30_000 {
		t.Errorf("used %d and %d ms, want 30 s each", turns[0].Used, turns[1].Used)
	}
}

func TestATurnOfAnEarlierGameIsTakenBackWithAllGamesAfterIt(t *testing.T) {
	light, dark := rules.Light, rules.Dark
	w := begun(t)
	w.start(light, referee.Score{})
	w.roll(light, 3, 1)
	w.play(light, 3, 1, "8/5 6/5")
	before := w.pos
	w.roll(dark, 6, 5)
	played := w.play(dark, 6, 5, "24/13")
	w.end(dark, 1, "resign", referee.Score{Dark: 1}, 1)
	w.game = 2
	w.start(dark, referee.Score{Dark: 1})
	w.decide(referee.Event{What: referee.DecideUndo, Corrects: played})
	w.game, w.pos = 1, before
	w.play(dark, 6, 5, "24/18 13/8")
	got := w.transcript(nil)
	if len(got.Games) != 1 || got.Games[0].Result != nil || got.Score != [2]int{} {
		t.Fatalf("%d games, score %v", len(got.Games), got.Score)
	}
	if s := lines(&got.Games[0]); s != "light 3-1 8/5 6/5; dark 6-5 24/18 13/8" {
		t.Errorf("got %s", s)
	}
}

package referee_test

import (
	"bytes"
	"slices"
	"testing"

	"davar/rules"
	"davar/rules/referee"
)

// forgotten returns a table at which a match to 7 stood at what was thought to be that score, light's points first. Dark, who
// needs one number more, has doubled, light has taken, and dark has borne off his last checker.
func forgotten(t *testing.T, light, dark int) scene {
	t.Helper()
	s := doubled(t, light, dark)
	s.Decide(referee.Decision{What: referee.DecideTake, Side: rules.Light, By: "light"})
	s.turn(rules.Dark, 2, 1, "1/off")
	return s
}

// doubled returns that table with dark's double on offer.
func doubled(t *testing.T, light, dark int) scene {
	t.Helper()
	s := newScene(t, func(x *referee.Settings) {
		x.Length, x.Score = 7, referee.Score{Light: light, Dark: dark}
	})
	p := position(t, "6/5 5/5 4/4", "1/1")
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &p})
	s.turn(rules.Light, 2, 1, "6/4 6/5")
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark, By: "dark"})
	return s
}

func (s scene) scored(phase string, light, dark int) {
	s.t.Helper()
	if st := s.Referee.State(); st.Phase != phase || st.Score != (referee.Score{Light: light, Dark: dark}) {
		s.t.Errorf("%s at %+v, want %s at %d-%d", st.Phase, st.Score, phase, light, dark)
	}
}

// types returns the types of the events since the number seq, clocks and decisions left out.
func (s scene) types(seq int64) (all []string) {
	for i := range s.Events {
		if e := &s.Events[i]; e.Seq > seq && e.Clock == nil && e.Type != referee.DecisionMade {
			all = append(all, e.Type)
		}
	}
	return all
}

func (s scene) nextGame() {
	s.t.Helper()
	s.LiftAll()
	s.Put(rules.Start(rules.Standard))
	s.Throw(append(s.Flat(rules.Light, 6), s.Flat(rules.Dark, 1)...)...)
	s.phase("rolled", rules.Light)
}

// CUBE-12: found before the next match, the score is corrected as if the cube had not been turned.
func TestAForgottenCrawfordGameCountsAsIfTheCubeHadNotBeenTurned(t *testing.T) {
	s := forgotten(t, 5, 3)
	s.scored("over", 5, 5)
	seq := s.Referee.State().Seq
	s.Decide(referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 6, Dark: 3}, By: "director", Why: "score sheets"})
	s.scored("over", 6, 4)
	if got, want := s.types(seq), []string{referee.RulingMade, referee.GameEnded}; !slices.Equal(got, want) {
		t.Errorf("said %v, want %v", got, want)
	}
	if said := s.corrected(seq); len(said) != 1 || said[0].Points != 1 || said[0].Cube != 1 || *said[0].Side != rules.Dark {
		t.Errorf("dark wins a point: %+v", said)
	}
	if e := s.heard("C3"); e == nil || *e.Side != rules.Dark || !slices.Equal(e.Ruling.Answers, []string{referee.DecideUndo, referee.DecideAgain}) {
		t.Errorf("dark has doubled in the Crawford game, and the director decides from where it is replayed: %+v", e)
	}
	if st := s.Referee.State(); !st.Crawford || st.Cube.Value != 1 {
		t.Errorf("%+v", st)
	}
	s.nextGame()
	if st := s.Referee.State(); st.Crawford || !st.Cube.Enabled || st.Game != 2 {
		t.Errorf("CUBE-11: it happens once a match: %+v", st)
	}
}

// SCORE-5, then CUBE-12: the score corrected first is the one after the game.
func TestTheScoreCorrectedFirstTellsThatItWasTheCrawfordGame(t *testing.T) {
	s := forgotten(t, 5, 3)
	s.Decide(referee.Decision{What: referee.DecideScore, Score: &referee.Score{Light: 6, Dark: 5}, By: "players"})
	s.scored("over", 6, 5)
	s.Decide(referee.Decision{What: referee.DecideCrawford, By: "director"})
	s.scored("over", 6, 4)
}

// CUBE-12: a match won through that cube by the trailing player is corrected and goes on.
func TestAMatchWonThroughTheCubeOfTheCrawfordGameGoesOn(t *testing.T) {
	s := forgotten(t, 5, 5)
	s.scored("match_over", 5, 7)
	seq := s.Referee.State().Seq
	s.Referee = restart(t, s.Referee)
	s.Decide(referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 6, Dark: 5}, By: "players"})
	s.scored("over", 6, 6)
	want := []string{referee.RulingMade, referee.GameEnded, referee.MatchReopened}
	if got := s.types(seq); !slices.Equal(got, want) {
		t.Errorf("said %v, want %v", got, want)
	}
	s.nextGame()
	if st := s.Referee.State(); st.Crawford || st.Winner != "" {
		t.Errorf("the match goes on with the cube: %+v", st)
	}
}

// CUBE-12: one he has won without that cube as well stays won.
func TestAMatchWonWithoutTheCubeOfTheCrawfordGameStaysWon(t *testing.T) {
	s := forgotten(t, 5, 5)
	seq := s.Referee.State().Seq
	s.Decide(referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 4, Dark: 6}, By: "director"})
	s.scored("match_over", 4, 7)
	if said := s.corrected(seq); len(said) != 2 || said[0].Type != referee.GameEnded || said[1].Type != referee.MatchEnded || *said[1].Side != rules.Dark {
		t.Errorf("%+v", said)
	}
}

// CUBE-12: the director decides whether it is replayed from the position of the double...
func TestTheCrawfordGameIsReplayedFromTheDouble(t *testing.T) {
	s := forgotten(t, 5, 5)
	s.Decide(referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 6, Dark: 5}, By: "director"})
	s.Decide(referee.Decision{What: referee.DecideUndo, Ruling: "C3", By: "director"})
	s.scored("await", 6, 5)
	s.phase("await", rules.Dark)
	st := s.Referee.State()
	if st.Cube.Value != 1 || st.Cube.Owner != "" || !st.Crawford || st.Clock.Running != "dark" || len(st.Plays) != 1 || len(st.Rulings) > 0 {
		t.Errorf("dark is to roll as before he doubled: %+v", st)
	}
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark, By: "dark"})
	if st := s.Referee.State(); st.Cube.Offered != "" || len(st.Rulings) != 1 || st.Rulings[0].Code != "C3" {
		t.Errorf("there is no doubling in it: %+v", st)
	}
	s.Put(position(t, "6/3 5/6 4/5", "1/1")) // the moves are put back by hand
	s.turn(rules.Dark, 2, 1, "1/off")
	s.scored("over", 6, 6)
}

// ...or from its start.
func TestTheCrawfordGameIsReplayedFromItsStart(t *testing.T) {
	s := forgotten(t, 5, 5)
	s.Decide(referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 6, Dark: 5}, By: "director"})
	s.Decide(referee.Decision{What: referee.DecideAgain, By: "director"})
	s.scored("setup", 6, 5)
	s.LiftAll()
	s.Put(rules.Start(rules.Standard))
	s.Decide(referee.Decision{What: referee.DecideStart, Side: rules.Dark, By: "director"})
	s.phase("await", rules.Dark)
	if st := s.Referee.State(); st.Game != 1 || !st.Crawford || len(st.Plays) > 0 || st.Pips != [2]int{167, 167} {
		t.Errorf("%+v", st)
	}
}

// CUBE-11, CUBE-12: a double in the Crawford game is void, so nobody has dropped it.
func TestAGameWonByADropInTheCrawfordGameGoesOn(t *testing.T) {
	s := doubled(t, 5, 3)
	s.Decide(referee.Decision{What: referee.DecideDrop, Side: rules.Light, By: "light"})
	s.scored("over", 5, 4)
	s.Decide(referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 6, Dark: 3}, By: "director"})
	s.scored("await", 6, 3)
	s.phase("await", rules.Dark)
	if st := s.Referee.State(); st.Winner != "" || !st.Crawford || st.Cube.Offered != "" || st.Clock.Running != "dark" {
		t.Errorf("%+v", st)
	}
	s.turn(rules.Dark, 2, 1, "1/off")
	s.scored("over", 6, 4)
}

// CUBE-12: in the game itself a cube that lies doubled is turned back, one on offer taken back.
func TestACubeTurnedInTheCrawfordGameIsTurnedBack(t *testing.T) {
	s := doubled(t, 5, 3)
	s.Decide(referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 6, Dark: 3}, By: "director"})
	s.phase("await", rules.Dark)
	if st := s.Referee.State(); st.Cube.Value != 1 || st.Cube.Offered != "" || !st.Crawford {
		t.Errorf("%+v", st)
	}
	s.mustRule("C3")
	s.turn(rules.Dark, 2, 1, "1/off")
	s.scored("over", 6, 4)
}

// CUBE-12: found before the next match begins, be it in a later game of this one.
func TestAForgottenCrawfordGameIsCorrectedInALaterGame(t *testing.T) {
	s := forgotten(t, 5, 3)
	double := s.Referee.State().Plays[1].Seq
	s.nextGame()
	s.scored("rolled", 5, 5)
	s.Decide(referee.Decision{What: referee.DecideCrawford, Seq: double, Score: &referee.Score{Light: 6, Dark: 3}, By: "director"})
	s.scored("rolled", 6, 4)
	if st := s.Referee.State(); st.Crawford || st.Game != 2 {
		t.Errorf("that one was the Crawford game, not this: %+v", st)
	}
	s.Referee = restart(t, s.Referee)
	s.Decide(referee.Decision{What: referee.DecideUndo, Seq: double, By: "director"})
	s.scored("await", 6, 3)
	s.phase("await", rules.Dark)
	if st := s.Referee.State(); !st.Crawford || st.Game != 1 || st.Cube.Value != 1 {
		t.Errorf("%+v", st)
	}
}

func TestAnEarlierGameCanBePlayedAnew(t *testing.T) {
	s := forgotten(t, 2, 3)
	first := s.Referee.State().Plays[0].Seq
	s.nextGame()
	s.Decide(referee.Decision{What: referee.DecideAgain, Seq: first, By: "director"})
	s.scored("setup", 2, 3)
	if st := s.Referee.State(); st.Game != 1 || st.Crawford || st.Cube.Value != 1 {
		t.Errorf("%+v", st)
	}
}

func TestNoGameIsCalledTheCrawfordGameAtAnyOtherScore(t *testing.T) {
	s := forgotten(t, 4, 2)
	seq := s.Referee.State().Plays[0].Seq
	s.Decide(referee.Decision{}) // the time of all that follow
	for _, d := range []referee.Decision{
		{By: "director"},
		{By: "director", Score: &referee.Score{Light: 5, Dark: 2}},
		{By: "director", Score: &referee.Score{Light: 7, Dark: 2}},
		{By: "director", Score: &referee.Score{Light: 6, Dark: -1}},
		{By: "director", Seq: 9999, Score: &referee.Score{Light: 6, Dark: 2}},
		{By: "dark", Score: &referee.Score{Light: 6, Dark: 2}},
		{By: "dark", Seq: seq, Score: &referee.Score{Light: 6, Dark: 2}},
	} {
		d.What = referee.DecideCrawford
		before := s.saved()
		s.Decide(d)
		s.mustRefuse()
		if !bytes.Equal(before, s.saved()) {
			t.Errorf("%+v has changed something", d)
		}
	}
}

// SCORE-5: the written score has priority, also over what the match was thought to be.
func TestTheScoreCorrectedAfterTheLastGameDecidesTheMatch(t *testing.T) {
	dark := rules.Dark
	for _, c := range []struct {
		name        string
		light, dark int // thought to be before the game, which dark wins with 2 points
		score       referee.Score
		phase       string
		said        []string
		winner      *rules.Side
	}{
		{"it goes on", 3, 5, referee.Score{Light: 4, Dark: 6}, "over", []string{referee.GameEnded, referee.MatchReopened}, nil},
		{"it is over", 3, 4, referee.Score{Light: 3, Dark: 7}, "match_over", []string{referee.GameEnded, referee.MatchEnded}, &dark},
		{"it stays over", 3, 5, referee.Score{Light: 4, Dark: 7}, "match_over", []string{referee.GameEnded, referee.MatchEnded}, &dark},
		{"it goes on as it was", 1, 2, referee.Score{Light: 4, Dark: 4}, "over", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := forgotten(t, c.light, c.dark)
			seq := s.Referee.State().Seq
			s.Decide(referee.Decision{What: referee.DecideScore, Score: &c.score, By: "director", Why: "score sheets"})
			s.scored(c.phase, c.score.Light, c.score.Dark)
			if got := s.types(seq); !slices.Equal(got, c.said) {
				t.Errorf("said %v, want %v", got, c.said)
			}
			for _, e := range s.Events {
				if e.Seq > seq && e.Type == referee.MatchEnded && (c.winner == nil || *e.Side != *c.winner) {
					t.Errorf("the match is not won by %v", *e.Side)
				}
			}
			if c.phase == "over" {
				s.nextGame()
			}
		})
	}
}

// SCORE-4, SCORE-6: the result is reported by both, at the end of the match as after any game.
func TestAScoreThatDiffersAfterTheLastGameIsPointedOut(t *testing.T) {
	s := forgotten(t, 3, 5)
	s.Decide(referee.Decision{What: referee.DecideNext, Score: &referee.Score{Light: 3, Dark: 6}, By: "players"})
	s.mustRule("S3")
	s.Decide(referee.Decision{What: referee.DecideNext, By: "director"})
	if st := s.Referee.State(); len(st.Rulings) > 0 || st.Phase != "match_over" {
		t.Errorf("the result is agreed on: %+v", st)
	}
}

// DIR-5: cube, plays and turns are corrected after the match was thought over as before.
func TestWhatWasPlayedIsCorrectedAfterTheMatchWasThoughtOver(t *testing.T) {
	open := position(t, "6/3 5/6 4/5", "1/1")
	for name, c := range map[string]struct {
		decide func(plays []referee.LastPlay) referee.Decision
		phase  string
		dark   int // score
	}{
		"the cube in the end": {func([]referee.LastPlay) referee.Decision {
			return referee.Decision{What: referee.DecideCube, Cube: 1}
		}, "over", 6},
		"the cube at its last play": {func(p []referee.LastPlay) referee.Decision {
			return referee.Decision{What: referee.DecideCube, Cube: 1, Seq: p[len(p)-1].Seq}
		}, "over", 6},
		"the cube, which was higher": {func([]referee.LastPlay) referee.Decision {
			return referee.Decision{What: referee.DecideCube, Cube: 4}
		}, "match_over", 9},
		"the last play": {func(p []referee.LastPlay) referee.Decision {
			return referee.Decision{What: referee.DecideSet, Side: rules.Dark, Position: &open, Seq: p[len(p)-1].Seq}
		}, "await", 5},
		"the last turn, to be played anew": {func([]referee.LastPlay) referee.Decision {
			return referee.Decision{What: referee.DecideUndo}
		}, "rolled", 5},
		"the last turn, an illegal one (IRREG-4)": {func([]referee.LastPlay) referee.Decision {
			return referee.Decision{What: referee.DecideReplay, Side: rules.Dark}
		}, "rolled", 5},
		"the double": {func(p []referee.LastPlay) referee.Decision {
			return referee.Decision{What: referee.DecideUndo, Seq: p[2].Seq}
		}, "await", 5},
	} {
		t.Run(name, func(t *testing.T) {
			s := forgotten(t, 3, 5)
			st := s.Referee.State()
			d := c.decide(st.Plays)
			d.By = "director"
			s.Decide(d)
			s.scored(c.phase, 3, c.dark)
			reopened := slices.Contains(s.types(st.Seq), referee.MatchReopened)
			if reopened != (c.phase != "match_over") {
				t.Errorf("said %v", s.types(st.Seq))
			}
			if after := s.Referee.State(); reopened && after.Phase != "over" && (after.Winner != "" || after.Clock.Running == "") {
				t.Errorf("the game goes on: %+v", after)
			}
		})
	}
}

// DIR-5: going back to a double and to what came before it keeps the rest of the game.
func TestADoubleCanBeGoneBackTo(t *testing.T) {
	s := closed(t, nil)
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark, By: "dark"})
	s.Decide(referee.Decision{What: referee.DecideTake, Side: rules.Light, By: "light"})
	s.turn(rules.Dark, 6, 5, "24/13")
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Light, By: "light"})
	s.Decide(referee.Decision{What: referee.DecideTake, Side: rules.Dark, By: "dark"})
	plays := s.Referee.State().Plays
	if len(plays) != 6 {
		t.Fatalf("%+v", plays)
	}
	s.Decide(referee.Decision{What: referee.DecideUndo, Seq: plays[4].Seq, By: "director"})
	s.phase("await", rules.Light)
	if c := cubeOf(s); c.Value != 2 || c.Owner != "light" || len(s.Referee.State().Plays) != 4 {
		t.Errorf("cube %+v", c)
	}
	s.Decide(referee.Decision{What: referee.DecideUndo, Seq: plays[1].Seq, By: "director"})
	s.phase("await", rules.Dark)
	if c := cubeOf(s); c.Value != 1 || c.Owner != "" || len(s.Referee.State().Plays) != 1 {
		t.Errorf("cube %+v", c)
	}
}

func TestACorrectionAfterTheMatchIsTheSameAfterARestart(t *testing.T) {
	var journals [2][]byte
	for i := range journals {
		s := forgotten(t, 5, 5)
		said := len(s.Events)
		if i == 1 {
			s.Referee = restart(t, s.Referee)
		}
		s.Decide(referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 6, Dark: 5}, By: "director"})
		if i == 1 {
			s.Referee = restart(t, s.Referee)
		}
		s.Decide(referee.Decision{What: referee.DecideUndo, Ruling: "C3", By: "director"})
		journals[i] = journal(t, matter(s.Events[said:]))
	}
	if !bytes.Equal(journals[0], journals[1]) {
		t.Errorf("%s\nafter a restart\n%s", journals[0], journals[1])
	}
}

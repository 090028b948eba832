package referee_test

import (
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

func TestK1AClockThatRunsForTheWrongSideIsPointedOut(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.OpeningSeen = true })
	s.Throw(append(s.Flat(rules.Light, 6), s.Flat(rules.Dark, 1)...)...)
	s.Wait(5 * time.Second)
	s.mustRule("K1")
}

func TestK2TimeRunOutLosesTheMatch(t *testing.T) {
	s := newScene(t, nil)
	s.Wait(16 * time.Minute)
	s.mustRule("K2")
	if st := s.Referee.State(); st.Phase != "match_over" || st.Winner != "dark" || st.Clock.Flagged != "light" {
		t.Errorf("light has lost on time, %+v", st)
	}
}

func TestK2TimeRunOutLosesTheGameWhereThatIsTheRule(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.Options.TimeLoss = "game_single" })
	s.Wait(16 * time.Minute)
	if st := s.Referee.State(); st.Phase != "over" && st.Game != 2 || st.Score.Dark != 1 {
		t.Errorf("light has lost a single game, %+v", st)
	}
}

func TestK4APressOutOfTurnIsIgnored(t *testing.T) {
	s := newScene(t, nil)
	s.Press(rules.Dark)
	s.mustRule("K4")
	if st := s.Referee.State(); st.Clock.Running != "light" {
		t.Errorf("light's time runs on, running %q", st.Clock.Running)
	}
}

func TestD11ATieInTheOpeningIsThrownAgain(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.OpeningSeen = true })
	s.Throw(append(s.Flat(rules.Light, 4), s.Flat(rules.Dark, 4)...)...)
	s.LiftAll()
	s.Throw(append(s.Flat(rules.Light, 2), s.Flat(rules.Dark, 5)...)...)
	s.mustRule("D11")
	s.phase("rolled", rules.Dark)
}

func TestD13AThrowOutOfTurnIsVoid(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Dark, 4, 2)...)
	s.mustRule("D13")
	s.phase("await", rules.Light)
}

func TestS4AGameBegunBeforeTheScoreIsAgreedIsPointedOut(t *testing.T) {
	s := closed(t, func(x *referee.Settings) { x.ConfirmScore = true })
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark})
	s.Decide(referee.Decision{What: referee.DecideDrop, Side: rules.Light})
	s.Put(rules.Start(rules.Standard))
	s.Throw(append(s.Flat(rules.Light, 2), s.Flat(rules.Dark, 5)...)...)
	s.mustRule("S4")
	s.Decide(referee.Decision{What: referee.DecideNext})
	s.Wait(time.Second)
	if st := s.Referee.State(); st.Game != 2 {
		t.Errorf("the score is agreed, the next game may begin: %+v", st)
	}
}

func TestS5AGameThatIsOpenCannotBeConceded(t *testing.T) {
	s := newScene(t, nil)
	s.Decide(referee.Decision{What: referee.DecideResign, Side: rules.Light, Points: 1})
	s.mustRule("S5")
	if st := s.Referee.State(); st.Phase == "over" {
		t.Error("the game goes on")
	}
}

func TestP2NoBreakInsideAGame(t *testing.T) {
	s := newScene(t, nil)
	s.Decide(referee.Decision{What: referee.DecidePause, Why: "break"})
	s.mustRule("P2")
	if st := s.Referee.State(); st.Clock.Running != "light" {
		t.Error("the clock runs on")
	}
}

func TestAClosedOutPlayerNeedNotPressWhereThatIsSo(t *testing.T) {
	s := newScene(t, func(s *referee.Settings) { s.NoClosedOutPress = true }).closedOutNow()
	s.Wait(time.Second)
	if st := s.Referee.State(); st.Turn != "light" || st.Clock.Running != "light" {
		t.Errorf("turn %s, clock %+v", st.Turn, st.Clock)
	}
}

func TestADirectorCanPauseResumeAndSetTheClock(t *testing.T) {
	s := newScene(t, nil)
	s.Decide(referee.Decision{What: referee.DecidePause, Why: "director", By: "director"})
	if st := s.Referee.State(); st.Clock.Running != "" || st.Clock.Paused != "director" {
		t.Errorf("paused, %+v", st.Clock)
	}
	s.Decide(referee.Decision{What: referee.DecideAdjust, Side: rules.Dark, RemainingMS: 60000, By: "director"})
	s.Decide(referee.Decision{What: referee.DecideResume, By: "director"})
	if st := s.Referee.State(); st.Clock.Running != "light" || st.Clock.RemainingMS[1] != 60000 {
		t.Errorf("light runs, dark has a minute, %+v", st.Clock)
	}
}

func TestTheNextGameSetsItselfUp(t *testing.T) {
	s := newScene(t, nil)
	var p rules.Position
	p.Checkers[rules.Light] = [26]uint8{rules.Off: 14, 1: 1}
	p.Checkers[rules.Dark] = [26]uint8{rules.Off: 0, 6: 5, 5: 5, 4: 5}
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &p})
	s.Throw(s.Flat(rules.Light, 2, 1)...)
	s.move(rules.Light, "1/off")
	s.Press(rules.Light)
	s.Wait(time.Second)
	if st := s.Referee.State(); st.Phase != "over" || st.Score.Light != 2 {
		t.Errorf("a gammon, %+v", st)
	}
	s.LiftAll()
	s.Put(rules.Start(rules.Standard))
	s.Throw(append(s.Flat(rules.Light, 6), s.Flat(rules.Dark, 3)...)...)
	if st := s.Referee.State(); st.Game != 2 || st.Phase != "rolled" || st.Turn != "light" {
		t.Errorf("light has begun the second game, %+v", st)
	}
}

func TestAGameIsTakenOverInTheMiddle(t *testing.T) {
	s := newSceneWith(t, closing())
	if st := s.Referee.State(); st.Phase != "setup" || st.Notice != "midgame" {
		t.Errorf("somebody must say who is on roll, %s %q", st.Phase, st.Notice)
	}
	s.Decide(referee.Decision{What: referee.DecideStart, Side: rules.Light})
	s.Throw(s.Flat(rules.Light, 6, 1)...)
	s.move(rules.Light, "8/2 8/7")
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustPlay("8/7 8/2")
}

func TestATurnOfWhichNoRollWasSeenIsInferred(t *testing.T) {
	s := newScene(t, pickup)
	s.move(rules.Light, "8/5 6/5")
	s.Throw(s.Flat(rules.Dark, 6, 5)...)
	s.mustPlay("8/5 6/5")
	s.mustRule()
	s.phase("rolled", rules.Dark)
}

func TestWithADirectorOnlyMonitorPlayersHearNothing(t *testing.T) {
	for _, mode := range []string{"director_only", "off"} {
		s := newScene(t, func(x *referee.Settings) { x.Mode = mode })
		s.Throw(s.Flat(rules.Light, 3, 1)...)
		s.move(rules.Light, illegal31)
		s.Press(rules.Light)
		s.Wait(2 * time.Second)
		for i := range s.Events {
			if e := &s.Events[i]; e.Ruling != nil && e.Ruling.Audience == "table" {
				t.Errorf("%s: %s was said at the table", mode, e.Ruling.Code)
			}
		}
		if st := s.Referee.State(); st.Clock.Running != "dark" {
			t.Errorf("%s: the clock runs on, running %q", mode, st.Clock.Running)
		}
	}
}

func TestADirectorGoesBackToAnyClosedTurn(t *testing.T) {
	s := closed(t, nil)
	s.Throw(s.Flat(rules.Dark, 6, 5)...)
	s.move(rules.Dark, "24/13")
	s.Press(rules.Dark)
	s.Lift(rules.Dark)
	s.mustPlay("8/5 6/5", "24/13")
	first := s.Referee.State().Plays[0].Seq
	s.Decide(referee.Decision{What: referee.DecideUndo, Seq: first, By: "director", Why: "misplayed"})
	s.phase("rolled", rules.Light)
	st := s.Referee.State()
	if len(st.Plays) != 0 || st.Pips != [2]int{167, 167} || st.Clock.Running != "light" {
		t.Errorf("light plays his first turn anew, %+v", st)
	}
	s.Put(rules.Start(rules.Standard))
	s.move(rules.Light, "13/10 6/5")
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustPlay("8/5 6/5", "24/13", "13/10 6/5")
	s.phase("await", rules.Dark)
}

func TestAGameThatWasOverIsTakenUpAgain(t *testing.T) {
	s := newScene(t, nil)
	var p rules.Position
	p.Checkers[rules.Light] = [26]uint8{rules.Off: 14, 1: 1}
	p.Checkers[rules.Dark] = [26]uint8{rules.Off: 1, 6: 5, 5: 5, 4: 4}
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &p})
	s.Throw(s.Flat(rules.Light, 2, 1)...)
	s.move(rules.Light, "1/off")
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.Decide(referee.Decision{What: referee.DecideUndo, By: "director"})
	if st := s.Referee.State(); st.Phase != "rolled" || st.Score.Light != 0 || st.Winner != "" {
		t.Errorf("the game goes on, %+v", st)
	}
}

func TestPlayersStateARollThatWasNotSeen(t *testing.T) {
	s := newScene(t, nil)
	s.Decide(referee.Decision{What: referee.DecideRoll, Side: rules.Light, Dice: []int{3, 1}})
	s.phase("rolled", rules.Light)
	s.move(rules.Light, illegal31)
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustRule("M3")
}

func TestADirectorPutsTheCube(t *testing.T) {
	s := newScene(t, nil)
	dark := rules.Dark
	said := len(s.Events)
	s.Decide(referee.Decision{What: referee.DecideCube, Cube: 4, Owner: &dark})
	if c := cubeOf(s); c.Value != 4 || c.Owner != "dark" {
		t.Errorf("cube %+v", c)
	}
	if e := s.Events[said]; e.Cube != 4 || e.Owner == nil || *e.Owner != dark {
		t.Errorf("the event does not say whose the cube is: %+v", e)
	}
	s.Decide(referee.Decision{What: referee.DecideCube, Cube: 5})
	if c := cubeOf(s); c.Value != 4 {
		t.Errorf("5 is no value, cube %+v", c)
	}
}

func TestACheckerOutOfTheGameIsExcluded(t *testing.T) {
	s := newScene(t, nil)
	p := rules.Start(rules.Standard)
	p.Checkers[rules.Dark][13]--
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideExclude, Side: rules.Light, Position: &p, By: "director"})
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, "8/5 6/5")
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustRule()
	s.mustPlay("8/5 6/5")
}

func TestOnePairOfDiceServesBothPlayersAtTheClock(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.DiceSets = 1 })
	side, moves := rules.Light, []string{"8/5 6/5", "24/13", "13/10 6/5", "13/10 13/8"}
	for i, dice := range [][]int{{3, 1}, {6, 5}, {3, 1}, {5, 3}} {
		s.LiftAll() // the player on roll picks up the pair that the other left lying (TURN-8)
		s.Throw(s.Flat(side, dice...)...)
		s.move(side, moves[i])
		s.Press(side)
		s.Wait(time.Second)
		side = side.Other()
	}
	s.mustRule()
	s.mustPlay(moves...)
}

func TestBothLayoutsOfTheTableAreRefereedAlike(t *testing.T) {
	for _, home := range []string{"left", "right"} {
		s := closed(t, func(x *referee.Settings) { x.Layout = referee.Layout{Bottom: "dark", Home: home} })
		s.mustPlay("8/5 6/5")
		s.mustRule()
	}
}

func TestACameraThatSeesNothingIsToldOnce(t *testing.T) {
	s := newScene(t, nil)
	for i := range 80 {
		at := s.Now() + time.Duration(i)*100*time.Millisecond
		s.Events = append(s.Events, s.Referee.Handle(referee.Input{T: at, Sighting: &sighting.Sighting{T: at, Scene: sighting.SceneLost}})...)
	}
	told := 0
	for i := range s.Events {
		if e := &s.Events[i]; e.Type == referee.Attention && e.Why == "camera" {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

func TestD8CoveringTheDiceAfterACompletePlayEndsTheTurnWithoutAClock(t *testing.T) {
	for _, c := range []struct {
		name  string
		play  string
		cover func(s scene)
		want  []string
	}{
		{"a hand lies over both", "24/14", func(s scene) { s.cover(1500*time.Millisecond, 9, 9) }, []string{"D8"}},
		{"a hand passes over them", "24/14", func(s scene) { s.cover(600*time.Millisecond, 9, 9) }, nil},
		{"a hand moves about above them", "24/14", func(s scene) { s.cover(1500*time.Millisecond, 3, 9) }, nil},
		{"the play is not complete", "24/18", func(s scene) { s.cover(1500*time.Millisecond, 9, 9) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, pickup)
			s.Throw(s.Flat(rules.Light, 6, 4)...)
			s.Wait(time.Second)
			s.move(rules.Light, c.play)
			c.cover(s)
			s.Wait(1500 * time.Millisecond)
			s.mustRule(c.want...)
			if c.want != nil {
				s.mustPlay(c.play)
				s.phase("await", rules.Dark)
			} else {
				s.phase("rolled", rules.Light)
			}
		})
	}
}

func TestP4AHandThatThrowsIsJudgedByItsThrowAlone(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.Wait(time.Second)
	s.reachBy(rules.Dark, time.Second)
	s.Idle(time.Second)
	s.Throw(s.Flat(rules.Dark, 5, 2)...)
	s.mustRule("D6")
}

func TestDiceCoveredAfterAPlayMadeAnewEndTheTurnToo(t *testing.T) {
	s := newScene(t, pickup)
	dice := s.Flat(rules.Light, 3, 1)
	s.Throw(dice...)
	s.move(rules.Light, illegal31)
	s.Lift(rules.Light)
	s.Wait(time.Second)
	s.mustRule("M3")
	s.Put(rules.Start(rules.Standard))
	s.Throw(dice...)
	s.Decide(referee.Decision{What: referee.DecideReplay, Side: rules.Light, Ruling: "M3", By: "director"})
	s.Wait(2 * time.Second)
	s.move(rules.Light, "8/5 6/5")
	s.Wait(time.Second)
	s.cover(1500*time.Millisecond, 3, 3)
	s.Wait(time.Second)
	s.mustRule("M3", "D8") // TURN-2
}

package referee_test

import (
	"slices"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// A table's life is no film: hands lie over it, it is bumped, the power fails, players take a break.

// under has a hand over the board while do is done, and for a second after each.
func (s scene) under(do ...func()) {
	s.Board.Hand = true
	for _, f := range do {
		f()
		s.Wait(time.Second)
	}
	s.Board.Hand = false
}

// made puts the checkers as side's moves leave them.
func (s scene) made(side rules.Side, notation string) {
	steps, err := rules.ParseNotation(notation)
	if err != nil {
		s.t.Fatal(err)
	}
	after, err := rules.Apply(&s.Board.Position, side, steps)
	if err != nil {
		s.t.Fatal(err)
	}
	s.Board.Position = after
}

func (s scene) asked(why string) bool {
	return slices.ContainsFunc(s.Events, func(e referee.Event) bool { return e.Type == referee.Attention && e.Why == why })
}

func TestTwoTurnsPlayedUnderAHandAreMadeOutTogether(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.under(
		func() { s.made(rules.Light, "24/14") },
		func() { s.Press(rules.Light) },
		func() { s.Board.Dice = s.Flat(rules.Dark, 3, 1) },
		func() { s.made(rules.Dark, "8/5 6/5") },
	)
	s.Wait(3 * time.Second)
	s.mustPlay("24/14")
	s.Press(rules.Dark)
	s.Wait(2 * time.Second)
	s.mustPlay("24/14", "8/5 6/5")
	s.mustRule()
	if len(s.rolls()) != 2 || s.asked("not_seen") || s.asked("turn_lost") {
		t.Errorf("nothing is asked; rolls %v", s.rolls())
	}
}

func TestTurnsThatCannotBeMadeOutAreAskedAboutAndHeldAgainstNobody(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.under(
		func() { s.made(rules.Light, "24/14") },
		func() { s.Press(rules.Light) },
		func() { s.Board.Dice = nil },
		func() { s.made(rules.Dark, "8/5 6/5") },
		func() { s.Press(rules.Dark) },
		func() { s.made(rules.Light, "13/7 8/7") },
	)
	s.Board.Dice = s.Flat(rules.Light, 6, 1)
	s.Wait(12 * time.Second)
	s.mustRule()
	if !s.asked("not_seen") && !s.asked("turn_lost") {
		t.Error("nobody was asked")
	}
}

func TestABoardThatWasBumpedIsGoneOnWith(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.Board.Scene = sighting.SceneBumped
	s.Wait(4 * time.Second)
	s.Board.Scene = sighting.SceneClear
	if e := s.heard("X2"); e == nil || e.Why != "camera" {
		t.Errorf("the referee is paused while the board is found again, %+v", e)
	}
	s.Wait(time.Second)
	if st := s.Referee.State(); st.Notice != "" {
		t.Errorf("it sees again, notice %q", st.Notice)
	}
	s.move(rules.Light, "24/14")
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustPlay("24/14")
	s.mustRule()
}

func TestAfterAPowerCutTheGameGoesOnWhereItWas(t *testing.T) {
	for _, moved := range []bool{false, true} { // while the power was off
		s := newScene(t, nil)
		s.Throw(s.Flat(rules.Light, 6, 4)...)
		text, err := s.Referee.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		if s.Referee, err = referee.Restore(text); err != nil {
			t.Fatal(err)
		}
		s.Table.Referee = s.Referee
		if c := s.Referee.State().Clock; c.Running != "" || c.Paused != "restart" {
			t.Errorf("the clocks stand until somebody lets them go on, %+v", c)
		}
		s.Decide(referee.Decision{What: referee.DecideResume, By: "players"})
		if moved {
			s.made(rules.Light, "24/14")
		} else {
			s.move(rules.Light, "24/14")
		}
		s.Wait(time.Second)
		s.Press(rules.Light)
		s.Wait(2 * time.Second)
		s.mustPlay("24/14")
		s.mustRule()
		s.running("dark")
	}
}

func TestAClockThatStillStandsAfterAPowerCutIsPointedOut(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	text, err := s.Referee.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	if s.Table.Referee, err = referee.Restore(text); err != nil {
		t.Fatal(err)
	}
	s.Wait(6 * time.Second)
	s.mustRule("K1")
}

func TestAGameMayBeTakenOverInTheMiddleOfATurn(t *testing.T) {
	table, err := refereetest.NewTable(referee.DefaultSettings(), refereetest.Noise{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := scene{table, t}
	s.Board.Position = closing()
	s.Board.Dice = s.Flat(rules.Light, 6, 1)
	s.Wait(3 * time.Second)
	if e := s.heard("X1"); e == nil || e.Why != "midgame" || !slices.Contains(e.Ruling.Answers, referee.DecideStart) {
		t.Fatalf("somebody must say who is on roll, %+v", e)
	}
	s.Decide(referee.Decision{What: referee.DecideStart, Side: rules.Light, By: "players"})
	s.Decide(referee.Decision{What: referee.DecideRoll, Side: rules.Light, Dice: []int{6, 1}, By: "players"})
	s.move(rules.Light, "8/2 8/7")
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustPlay("8/7 8/2")
	s.mustRule()
}

func TestAQuestionIsPutOnceInATurn(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6)...)
	s.Wait(20 * time.Second)
	n := 0
	for i := range s.Events {
		if s.Events[i].Type == referee.Attention {
			n++
		}
	}
	if n != 1 {
		t.Errorf("asked %d times", n)
	}
	if st := s.Referee.State(); st.Notice != "one_die" || st.NoticeTo != "table" {
		t.Errorf("the question stays in view, notice %q to %q", st.Notice, st.NoticeTo)
	}
}

func TestForADieThatIsMissingIsAskedWithinTwoSeconds(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Air = true
	s.Wait(500 * time.Millisecond)
	s.Board.Air = false
	s.Board.Dice = s.Flat(rules.Light, 6)
	s.Wait(2 * time.Second)
	if s.Referee.State().Notice != "one_die" {
		t.Error("one die has lain alone for two seconds, and nobody was asked for the other (DICE-2, IRREG-14)")
	}
	s = newScene(t, nil)
	s.oneByOne(rules.Light, 1200*time.Millisecond, 6, 4)
	for i := range s.Events {
		if s.Events[i].Type == referee.Attention {
			t.Errorf("asked for a die that came down after the other: %s", line(&s.Events[i]))
		}
	}
	s.mustRule("D4") // DICE-1
}

// Too few pictures show the dice before something is moved: what contradicts the position then is the play (IRREG-1).
func TestAnIllegalPlayIsRuledOnThoughItsRollWasReadOnlyAfterIt(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 3, 1)
	s.Wait(200 * time.Millisecond)
	s.move(rules.Light, illegal31)
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustRule("M3")
}

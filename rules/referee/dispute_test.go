package referee_test

import (
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// What looks like a breach and is none, and what becomes of a breach that is settled, put right or passed over.

func TestDiceThatArePutAsideCountAsTheyLay(t *testing.T) {
	for _, c := range []change{nil, pickup} {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 6, 4)...)
		s.jolt(0, 6)
		s.jolt(1, 4)
		s.mustRule()
		s.phase("rolled", rules.Light)
		s.move(rules.Light, "24/14")
		s.Press(rules.Light)
		s.Lift(rules.Light)
		s.Wait(2 * time.Second)
		s.mustRule()
		s.mustPlay("24/14")
	}
}

func TestAHandOverTheDiceEndsNoTurn(t *testing.T) {
	s := newScene(t, pickup)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.move(rules.Light, "24/18 13/9")
	s.Reach(time.Second)
	s.Wait(time.Second)
	s.Put(rules.Start(rules.Standard))
	s.move(rules.Light, "24/14")
	s.Lift(rules.Light)
	s.Wait(2 * time.Second)
	s.mustRule()
	s.mustPlay("24/14")
}

func TestADieThatIsHiddenForAWhileWasThrownWithTheOther(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 6, 4)
	s.Board.Dice[1].Covered = true
	s.Wait(time.Second)
	s.show(func(d *refereetest.Die) { d.Covered = false })
	s.Wait(3 * time.Second)
	s.mustRule()
	s.phase("rolled", rules.Light)
}

// show changes the second die on the board.
func (s scene) show(change func(*refereetest.Die)) {
	dice := append([]refereetest.Die{}, s.Board.Dice...)
	change(&dice[1])
	s.Board.Dice = dice
}

func TestDiceLiftedAfterThePlayersCouldAgreeAreNotHeldAgainstAnybody(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 6, 4)
	for range 3 { // whether it leans cannot be told
		s.show(func(d *refereetest.Die) { d.Cocked = true })
		s.Wait(300 * time.Millisecond)
		s.show(func(d *refereetest.Die) { d.Cocked = false })
		s.Wait(300 * time.Millisecond)
	}
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 6, 6)...)
	s.mustRule()
	s.phase("rolled", rules.Light)
}

func TestDiceLiftedAsCockedWithTheOpponentsWordAreThrownAgain(t *testing.T) {
	s := newScene(t, nil)
	dice := s.Flat(rules.Light, 6, 4)
	dice[1].Cocked = true
	s.Board.Dice = dice
	s.Wait(700 * time.Millisecond)
	s.Decide(referee.Decision{What: referee.DecideRethrow, Side: rules.Light, By: "players"})
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 6, 6)...)
	s.mustRule()
	s.phase("rolled", rules.Light)
}

func TestACalledThrowThatBothAgreeToRepeatIsSettled(t *testing.T) {
	s := provoke["D1"](t, nil)
	s.Decide(referee.Decision{What: referee.DecideRethrow, Side: rules.Light, By: "players"})
	s.mustOpen()
	s.LiftAll()
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.phase("rolled", rules.Light)
}

// mustOpen checks which rulings are open.
func (s scene) mustOpen(codes ...string) {
	s.t.Helper()
	open := s.Referee.State().Rulings
	same := len(open) == len(codes)
	for i := range min(len(open), len(codes)) {
		same = same && open[i].Code == codes[i]
	}
	if !same {
		s.t.Errorf("open %v, want %v", open, codes)
	}
}

func (s scene) running(want string) {
	s.t.Helper()
	if c := s.Referee.State().Clock; c == nil || c.Running != want {
		s.t.Errorf("running %+v, want %q", c, want)
	}
}

func TestADisputeStopsTheClocksUntilItIsSettled(t *testing.T) {
	for _, code := range []string{"D5", "D7", "D9", "C6"} {
		for _, what := range []string{referee.DecideStand, referee.DecideRethrow, referee.DecideOverrule} {
			if code == "C6" && what == referee.DecideRethrow {
				continue
			}
			t.Run(code+" "+what, func(t *testing.T) {
				s := provoke[code](t, nil)
				turn := s.Referee.State().Turn
				s.running("")
				s.mustOpen(code)
				s.Decide(referee.Decision{What: what, Side: s.side(), Ruling: code, By: "director"})
				s.mustOpen()
				s.running(turn)
				want := "rolled"
				if what == referee.DecideRethrow || code == "C6" {
					want = "await"
				}
				if st := s.Referee.State(); st.Phase != want || st.Turn != turn {
					t.Errorf("%s with %s on roll, want %s with %s", st.Phase, st.Turn, want, turn)
				}
			})
		}
	}
}

// side returns who is on roll.
func (s scene) side() rules.Side { return side(s.t, s.Referee.State().Turn) }

func TestADisputeIsOverWhenThePlayersPlayOn(t *testing.T) {
	for code, dice := range map[string]string{"D5": "24/12(2)", "D7": "24/14", "D9": "24/14"} {
		s := provoke[code](t, nil)
		if code == "D5" {
			dice = "24/18(2) 13/7(2)"
		}
		s.move(rules.Light, dice)
		s.Press(rules.Light)
		s.Wait(2 * time.Second)
		s.mustOpen()
		s.running("dark")
		if len(s.plays()) != 1 {
			t.Errorf("%s: plays %q", code, s.plays())
		}
	}
}

func TestWithoutAnAppointedMonitorNothingStopsTheClocks(t *testing.T) {
	for _, code := range []string{"D5", "D7", "D9", "C6", "M9", "S2"} {
		s := provoke[code](t, func(x *referee.Settings) { x.Mode = "director_only" })
		if s.Referee.State().Clock.Running == "" {
			t.Errorf("%s: the clocks stand", code)
		}
	}
}

func TestAMissingCheckerThatIsPutBackIsForgotten(t *testing.T) {
	s := provoke["M9"](t, nil)
	s.mustOpen("M9")
	if st := s.Referee.State(); st.Points != pointsOf(&[]rules.Position{rules.Start(rules.Standard)}[0]) {
		t.Errorf("an impossible position is not shown: %v", st.Points)
	}
	p := s.Board.Position
	p.Checkers[rules.Dark][13]++
	s.Put(p)
	s.Wait(time.Second)
	if !s.withdrawn("M9") {
		t.Error("the number is right again")
	}
	s.mustOpen()
	s.mustPlay("8/5 6/5")
	s.running("dark")
}

func TestPlayersWhoThrowOnKnowBetterHowManyCheckersThereAre(t *testing.T) {
	s := provoke["M9"](t, nil)
	s.LiftAll()
	s.Throw(s.Flat(rules.Dark, 6, 2)...) // void at first
	s.LiftAll()
	s.Throw(s.Flat(rules.Dark, 6, 2)...)
	s.mustPlay("8/5 6/5")
	s.phase("rolled", rules.Dark)
}

func TestACheckerThatWasPickedUpAndPutBackIsForgotten(t *testing.T) {
	s := provoke["S2"](t, nil)
	s.mustOpen("S2")
	s.running("")
	p := s.Board.Position
	p.Checkers[rules.Dark][13]++
	s.Put(p)
	s.Wait(2 * time.Second)
	if !s.withdrawn("S2") {
		t.Error("it is there again")
	}
	s.running("dark")
}

func TestACheckerMissingAtTheSetupIsPointedOut(t *testing.T) {
	p := rules.Start(rules.Standard)
	p.Checkers[rules.Dark][13]--
	s := newSceneWith(t, p)
	s.Wait(4 * time.Second)
	s.mustRule("S2")
	s.Put(rules.Start(rules.Standard))
	if !s.withdrawn("S2") || s.Referee.State().Phase != "opening" {
		t.Errorf("it was found, phase %s", s.Referee.State().Phase)
	}
}

func TestTheClockThatWasPointedOutIsPutRight(t *testing.T) {
	s := provoke["K1"](t, nil)
	s.Press(rules.Dark)
	s.Wait(time.Second)
	if !s.withdrawn("K1") {
		t.Error("it runs for light now")
	}
	s.mustOpen()
}

func TestACubeThatIsPutBackOrTurnedRightIsForgotten(t *testing.T) {
	s := provoke["C6"](t, nil)
	s.MoveCube(sighting.CubeMiddle, 64)
	if !s.withdrawn("C6") {
		t.Error("the cube is back in the middle")
	}
	s.running("dark")
	s = provoke["C4"](t, nil)
	s.MoveCube(sighting.CubeLight, 2)
	s.Wait(3 * time.Second)
	if !s.withdrawn("C4") {
		t.Error("the cube reads 2")
	}
	s = provoke["C1"](t, nil)
	s.mustOpen("C1")
	s.MoveCube(sighting.CubeMiddle, 64)
	s.mustOpen()
}

func TestTheNextGameWaitsUntilTheScoresAgree(t *testing.T) {
	s := provoke["S3"](t, nil)
	s.mustOpen("S3")
	s.Put(rules.Start(rules.Standard))
	if st := s.Referee.State(); st.Game != 1 {
		t.Error("the score is not agreed")
	}
	s.Decide(referee.Decision{What: referee.DecideScore, Score: &referee.Score{Dark: 2}, By: "players"})
	s.Decide(referee.Decision{What: referee.DecideNext, Score: &referee.Score{Dark: 2}, By: "players"})
	s.mustOpen()
	s.Wait(time.Second)
	if st := s.Referee.State(); st.Game != 2 || st.Score.Dark != 2 {
		t.Errorf("the written score prevails (SCORE-5), %+v", st)
	}
}

func TestABreakWithRecordedTimesFromWhichBothReturnInTimeIsNotReported(t *testing.T) {
	s := dropped(t, nil)
	s.Decide(referee.Decision{What: referee.DecideConfirm, By: "players"})
	s.Decide(referee.Decision{What: referee.DecidePause, Why: "break", By: "players"})
	s.Wait(9 * time.Minute)
	s.Press(rules.Light)
	s.Press(rules.Dark)
	s.Wait(20 * time.Minute)
	s.mustRule()
}

func TestALateStartIsReportedEveryFiveMinutes(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.OpeningSeen, x.StartDue = true, time.Minute })
	s.Press(rules.Light)
	s.Wait(12 * time.Minute)
	s.mustRule("P1", "P1")
	if e := s.heard("P1"); e.Ruling.Params["player"] != "dark" {
		t.Errorf("dark is not there, said of %s", e.Ruling.Params["player"])
	}
}

func TestWhileAnAppealIsOpenNothingCloses(t *testing.T) {
	for _, c := range []change{nil, pickup} {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 3, 1)...)
		s.move(rules.Light, illegal31)
		s.Press(rules.Light)
		s.Lift(rules.Light)
		s.Wait(time.Second)
		s.mustRule("M3")
		s.Decide(referee.Decision{What: referee.DecidePause, Why: "appeal", By: "players"})
		for range 2 {
			s.Throw(s.Flat(rules.Dark, 6, 5)...)
			s.LiftAll()
		}
		if st := s.Referee.State(); st.Phase != "ended" || len(st.Rulings) != 1 {
			t.Errorf("the window stays open (APP-3), %s, open %v", st.Phase, st.Rulings)
		}
		s.Decide(referee.Decision{What: referee.DecideReplay, Side: rules.Light, Ruling: "M3", By: "director"})
		s.phase("rolled", rules.Light)
	}
}

func TestAnAppealIsInTheStateWithAndWithoutAClock(t *testing.T) {
	for name, c := range map[string]change{"with a clock": nil, "without": pickup} {
		s := newScene(t, c)
		s.Throw(s.Flat(rules.Light, 3, 1)...)
		s.Decide(referee.Decision{What: referee.DecidePause, Why: "appeal", By: "players"})
		if !s.Referee.State().Appeal {
			t.Errorf("%s: the state tells of no appeal", name)
		}
		s.Decide(referee.Decision{What: referee.DecideResume, By: "director"})
		if s.Referee.State().Appeal {
			t.Errorf("%s: the state still tells of an appeal when play goes on", name)
		}
	}
}

func TestARollThrownAgainAtOnceWasAgreedToBeInvalid(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 6, 4)
	s.Wait(1400 * time.Millisecond)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.mustRule()
	s.move(rules.Light, "8/5 6/5")
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustPlay("8/5 6/5")
}

// Between the dice that may have leaned and the roll lay a throw of which one die was not seen: which of them the players hold
// for the roll is not known (DICE-5, IRREG-14).
func TestNobodyLiftedTheDiceBeforeTheLastThrowInDoubt(t *testing.T) {
	s := newScene(t, nil)
	leaning := s.Flat(rules.Light, 6, 4)
	leaning[1].Cocked = true
	s.Board.Air = true
	s.Wait(500 * time.Millisecond)
	s.Board.Air = false
	s.Board.Dice = leaning
	s.Wait(700 * time.Millisecond)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 3)...)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 4, 4)...)
	s.move(rules.Light, "8/4")
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustRule()
}

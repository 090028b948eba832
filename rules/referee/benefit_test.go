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

// Nothing is held against a player who may have done nothing wrong (IRREG-14). Where one die is thrown below, the camera has
// missed the other one; where none is, both.

// faint has the board lie for d with dice that are seen, but not surely taken for dice.
func (s scene) faint(d time.Duration, real float32, dice ...refereetest.Die) {
	s.Board.Dice = dice
	s.see(d, func(x *sighting.Sighting) {
		for i := range x.Dice {
			x.Dice[i].Real = real
		}
	})
	s.Idle(d)
}

func TestAPlayIsNotHeldAgainstWhoMayHaveThrownBefore(t *testing.T) {
	s := newScene(t, nil)
	s.faint(3*time.Second, 0.8, s.Flat(rules.Light, 6)...) // of a 6-4 that stands
	s.LiftAll()
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, "24/14")
	s.Press(rules.Light)
	s.Wait(3 * time.Second)
	s.mustRule()
	if st := s.Referee.State(); st.Notice != "not_seen" {
		t.Errorf("notice %q: nobody was asked", st.Notice)
	}
}

func TestAVoidDoubleThatLiesThereStillIsNoOffer(t *testing.T) {
	s := closed(t, nil)
	s.Throw(s.Flat(rules.Dark, 6)...)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.mustRule("C1")
	s.Reach(time.Second)
	s.Board.Dice = nil // under a hand
	s.Wait(3 * time.Second)
	if st := s.Referee.State(); st.Cube.Offered != "" {
		t.Errorf("%s has offered: %+v", st.Cube.Offered, st.Cube)
	}
}

func TestWhoDoublesWhileTheCubeSeemsOnOfferShowsThatItIsNot(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	if c := cubeOf(s); c.Offered != "dark" {
		t.Fatalf("%+v", c)
	}
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Light, By: "light"})
	for _, e := range s.Events {
		if e.Type == referee.RulingMade && *e.Side == rules.Dark {
			t.Errorf("%s of dark", e.Ruling.Code)
		}
	}
	if c := cubeOf(s); c.Offered != "" {
		t.Errorf("%+v", c)
	}
}

func TestADoubleAfterATurnThatMayHaveBeenADanceIsNotTooEarly(t *testing.T) {
	s := newScene(t, nil)
	s.from(closing(), rules.Dark) // dark is on the bar
	s.Throw(s.Flat(rules.Dark, 6)...)
	s.Press(rules.Dark)
	s.Wait(time.Second)
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Light, By: "light"})
	s.mustRule()
}

func TestADoubleWithTheCubeAfterAnOpeningOfWhichOneDieWasSeenIsTheNextPlayers(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.TurnEnd, x.OpeningSeen = "pickup", true })
	s.Throw(s.Flat(rules.Light, 2)...)
	s.move(rules.Light, "13/10")
	s.Wait(2 * time.Second)
	s.LiftAll()
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.Wait(2 * time.Second)
	s.mustRule()
	if c := cubeOf(s); c.Offered != "dark" {
		t.Errorf("dark offers: %+v", c)
	}
}

func TestDiceOfATurnThatShowedTheOneBeforeAreNotCalledThrownApart(t *testing.T) {
	s := newScene(t, pickup)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, "8/5 6/5")
	s.Lift(rules.Light)
	s.move(rules.Dark, "24/18 13/10") // of whose 6-3 nothing is seen
	dice := s.Flat(rules.Light, 6, 2)
	s.Throw(dice[0])
	s.Reach(500 * time.Millisecond) // pushes the other one, which comes into view
	s.Board.Dice = slices.Clone(dice)
	s.Wait(3 * time.Second)
	s.mustRule()
}

// lostTurn is a table at which dark's turn could not be made out, and light, who goes on, has thrown and pressed too soon.
func lostTurn(t *testing.T) scene {
	t.Helper()
	s := closed(t, nil)
	s.Throw(s.Flat(rules.Dark, 1)...)
	s.move(rules.Dark, "24/18 6/3") // by 6-3, and a 1 lies there
	s.Press(rules.Dark)
	s.Lift(rules.Dark)
	s.Throw(s.Flat(rules.Light, 3, 2)...)
	s.Press(rules.Light)
	s.Wait(9 * time.Second)
	if st := s.Referee.State(); st.Notice != "turn_lost" {
		t.Fatalf("notice %q", st.Notice)
	}
	return s
}

func TestTheDirectorMayHaveATurnPlayedAnewThatWasLost(t *testing.T) {
	s := lostTurn(t)
	s.Decide(referee.Decision{What: referee.DecideReplay, Side: rules.Light, By: "director"})
	s.Wait(2 * time.Second)
	s.phase("rolled", rules.Light)
	if st := s.Referee.State(); st.Clock.Running != "light" || !slices.Equal(st.Dice, []int{3, 2}) && !slices.Equal(st.Dice, []int{2, 3}) {
		t.Errorf("light has thrown 3-2: %+v", st)
	}
	s.mustRule()
}

func TestNobodyPressesTheWrongClockAfterATurnThatWasLost(t *testing.T) {
	s := lostTurn(t)
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustRule()
}

// dim has the board lie for d with its i-th die seen less surely than the other.
func (s scene) dim(d time.Duration, i int) {
	s.see(d, func(x *sighting.Sighting) {
		if i < len(x.Dice) {
			x.Dice[i].Real = 0.8
		}
	})
	s.Idle(d)
}

func TestTheSecondDieOfAThrowNeedNotBeSeenSoSurely(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 3, 1)
	s.dim(3*time.Second, 0)
	s.phase("rolled", rules.Light)
	s.Board.Hand = true
	s.dim(300*time.Millisecond, 0)
	s.Board.Dice = slices.Clone(s.Board.Dice)
	s.Board.Dice[0].Value, s.Board.Dice[0].V = 5, s.Board.Dice[0].V+0.06
	s.dim(200*time.Millisecond, 0)
	s.Board.Hand = false
	s.dim(2*time.Second, 0)
	s.mustRule("D7")
}

func TestAThrowIsNotOutOfTurnWhenSomethingOfTheOneBeforeWasSeen(t *testing.T) {
	s := newScene(t, nil)
	s.from(closing(), rules.Dark) // dark is on the bar
	s.faint(3*time.Second, 0.8, s.Flat(rules.Dark, 6)...)
	s.LiftAll()
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	for _, e := range s.Events {
		if e.Type == referee.RulingMade && e.Ruling.Code == "D13" {
			t.Errorf("D13 of light: dark has danced")
		}
	}
}

func TestADoubleWithTheCubeAfterATurnThatMayHaveBeenADanceIsTheNextPlayers(t *testing.T) {
	s := newScene(t, nil)
	s.from(closing(), rules.Dark)
	s.MoveCube(sighting.CubeMiddle, 64)
	s.Throw(s.Flat(rules.Dark, 6)...)
	s.Press(rules.Dark)
	s.Lift(rules.Dark)
	s.MoveCube(sighting.CubeOfferedRight, 2)
	s.Wait(2 * time.Second)
	s.mustRule()
	if c := cubeOf(s); c.Offered != "light" {
		t.Errorf("light offers: %+v", c)
	}
}

func TestABreakAfterAGameOfWhichTheEndIsNotMadeOutIsNoBreakWithinIt(t *testing.T) {
	s := newScene(t, nil)
	s.from(position(t, "5/1 2/3", "1/5 2/5 3/5"), rules.Light)
	s.Throw(s.Flat(rules.Light, 5, 2)...) // misread: it was 5-5
	s.Put(position(t, "", "1/5 2/5 3/5"))
	s.Press(rules.Light)
	s.Wait(3 * time.Second)
	s.Decide(referee.Decision{What: referee.DecidePause, Why: "break", By: "players"})
	for _, e := range s.Events {
		if e.Type == referee.RulingMade && e.Ruling.Code == "P2" {
			t.Error("P2")
		}
	}
}

func TestAPlayThatMayBeLegalBesideACheckerTooManyIsNotCalledWronglyMoved(t *testing.T) {
	s := newScene(t, nil)
	before := position(t, "2/2 3/2 4/5 5/2 6/2 20/2", "6/4 2/5 1/5 bar/1")
	s.from(before, rules.Light)
	s.Throw(s.Flat(rules.Light, 2, 1)...)
	played := after(before, rules.Light, "20/18 5/4")
	played.Checkers[rules.Light][6]++ // one too many
	doubtful := func(x *sighting.Sighting) {
		row := &x.Points[3].Counts
		six, five := &row[sighting.MaxCount+6], &row[sighting.MaxCount+5]
		*five, *six = 0.69, 0.28 // the six checkers on 4 are rather taken for five
	}
	s.Board.Position = played
	s.see(500*time.Millisecond, func(x *sighting.Sighting) { x.Hand, x.Still = 1, false })
	s.Idle(500 * time.Millisecond)
	s.see(2*time.Second, doubtful)
	s.Idle(2 * time.Second)
	s.Press(rules.Light)
	s.see(2*time.Second, doubtful)
	for _, e := range s.Events {
		if e.Type == referee.RulingMade && e.Ruling.Code != "M9" {
			t.Errorf("%s was said", e.Ruling.Code)
		}
	}
}

func TestWhichOfThreeThrowsStandsIsNotHeldAgainstAnybody(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 3, 2) // called invalid by the players
	s.Wait(1500 * time.Millisecond)
	s.LiftAll()
	s.Throw(s.Flat(rules.Light, 2)...) // 2-1, which counts
	s.Wait(2 * time.Second)
	s.LiftAll()
	s.Throw(s.Flat(rules.Light, 2, 2)...)
	s.Decide(referee.Decision{What: referee.DecideStand, Ruling: "D9", By: "director"})
	s.move(rules.Light, "24/23 13/11")
	s.Press(rules.Light)
	s.Wait(3 * time.Second)
	s.mustRule()
}

func TestWhoThrowsAgainAfterHisPressHasNotHisTurnBack(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 3, 4)
	s.see(3*time.Second, func(x *sighting.Sighting) {
		for i := range x.Dice {
			x.Dice[i].Values = [7]float32{0, 0.05, 0.05, 0.3, 0.3, 0.25, 0.05}
		}
	})
	s.Idle(3 * time.Second)
	s.Press(rules.Light) // nothing is played, and what was thrown is not certain
	s.Lift(rules.Light)
	s.Wait(2 * time.Second)
	s.Throw(s.Flat(rules.Light, 6, 5)...)
	s.Wait(5 * time.Second)
	for _, e := range s.Events {
		if e.Type == referee.RulingMade && e.Ruling.Code == "K1" {
			t.Error("the clock is right: light has pressed")
		}
	}
}

func TestWhatPeopleHaveSettledIsNotRaisedLater(t *testing.T) {
	s := newScene(t, nil)
	dice := s.Flat(rules.Light, 6, 4)
	dice[1].Cocked = true
	s.Board.Dice = dice
	s.Wait(700 * time.Millisecond)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 6)...) // the other one is not seen yet
	s.Decide(referee.Decision{What: referee.DecideStand, Ruling: "D5", By: "director"})
	s.Board.Dice = append(slices.Clone(s.Board.Dice), s.Flat(rules.Light, 2)...)
	s.Wait(3 * time.Second)
	s.mustRule()
}

func TestAThrowTooEarlyThatWasNotSeenLeavesTheRollAsItIs(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.Decide(referee.Decision{What: referee.DecideRethrow, Side: rules.Light, Ruling: "D6", By: "players"})
	s.mustRefuse()
	s.phase("rolled", rules.Light)
}

package referee_test

import (
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// closed plays light's first turn, so that dark is on roll and may double.
func closed(t *testing.T, change func(*referee.Settings)) scene {
	s := newScene(t, change)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, "8/5 6/5")
	s.Press(rules.Light)
	s.Lift(rules.Light)
	return s
}

func cubeOf(s scene) referee.CubeState { return s.Referee.State().Cube }

func TestADoubleOfferedAndTakenOnTheBoardIsFollowed(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	if c := cubeOf(s); c.Offered != "dark" || c.Value != 1 {
		t.Errorf("dark offers, cube %+v", c)
	}
	s.MoveCube(sighting.CubeLight, 2)
	if c := cubeOf(s); c.Offered != "" || c.Value != 2 || c.Owner != "light" {
		t.Errorf("light has taken, cube %+v", c)
	}
	s.mustRule()
}

func TestADoubleIsTakenByAPressWhenTheCubeIsSlow(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.Press(rules.Dark)
	s.Wait(time.Second)
	s.Press(rules.Light)
	s.Wait(time.Second)
	if c := cubeOf(s); c.Owner != "light" || c.Value != 2 {
		t.Errorf("the press answers, cube %+v", c)
	}
}

func TestADroppedDoubleEndsTheGame(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.Decide(referee.Decision{What: referee.DecideDrop, Side: rules.Light})
	st := s.Referee.State()
	if st.Phase != "over" || st.Winner != "dark" || st.Score.Dark != 1 || st.Clock.Running != "" {
		t.Errorf("dark wins one point, %+v", st)
	}
}

func TestSettingUpTheNextGameDropsADouble(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.Put(rules.Start(rules.Standard))
	s.Wait(2 * time.Second)
	if st := s.Referee.State(); st.Score.Dark != 1 || st.Game != 2 {
		t.Errorf("dropped, and the next game set up by itself: %+v", st)
	}
}

func TestRollingAfterADoubleMeansItWasTaken(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.Throw(s.Flat(rules.Dark, 6, 5)...)
	if c := cubeOf(s); c.Value != 2 || c.Owner != "light" {
		t.Errorf("taken by deed, cube %+v", c)
	}
	s.phase("rolled", rules.Dark)
}

func TestC1ADoubleAfterTheRollIsPointedOut(t *testing.T) {
	s := closed(t, nil)
	s.Throw(s.Flat(rules.Dark, 6, 5)...)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.mustRule("C1")
	if c := cubeOf(s); c.Offered != "" {
		t.Errorf("the offer is void, cube %+v", c)
	}
}

func TestC1NoDoubleBeforeTheOpeningPlay(t *testing.T) {
	s := newScene(t, nil)
	s.Wait(time.Second)
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Light})
	s.mustRule("C1")
}

func TestC2OnlyTheOwnerRedoubles(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.MoveCube(sighting.CubeLight, 2)
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark})
	s.mustRule("C2")
}

func TestC3NoDoublingInTheCrawfordGame(t *testing.T) {
	s := closed(t, func(x *referee.Settings) { x.Score = referee.Score{Light: 6, Dark: 3} })
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.mustRule("C3")
}

func TestC4ACubeThatShowsAWrongValueIsPointedOutOnce(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.MoveCube(sighting.CubeLight, 2)
	s.Board.Cube.Value = 8
	s.Wait(10 * time.Second)
	s.mustRule("C4")
}

func TestC5ADropThatWouldEndTheMatchCountsAsATake(t *testing.T) {
	s := closed(t, func(x *referee.Settings) { x.Score, x.CrawfordDone = referee.Score{Light: 3, Dark: 6}, true })
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.Decide(referee.Decision{What: referee.DecideDrop, Side: rules.Light})
	s.mustRule("C5")
	if c := cubeOf(s); c.Value != 2 || c.Owner != "light" {
		t.Errorf("taken, cube %+v", c)
	}
}

func TestC6ACubeMovedWithoutAWordIsAskedAbout(t *testing.T) {
	s := closed(t, nil)
	s.MoveCube(sighting.CubeLight, 64)
	s.Wait(2 * time.Second)
	s.mustRule("C6")
}

func TestACubeThatWasNeverWhereItBelongsIsNoOffer(t *testing.T) {
	settings := referee.DefaultSettings()
	settings.OpeningSeen, settings.DiceSets = false, 2
	table, err := refereetest.NewTable(settings, refereetest.Noise{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := scene{table, t}
	s.PutCube(sighting.CubeOfferedLeft, 64)
	s.Wait(time.Second)
	s.Decide(referee.Decision{What: referee.DecideStart, Side: rules.Light})
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, "8/5 6/5")
	s.Press(rules.Light)
	s.Lift(rules.Light)
	s.Wait(3 * time.Second)
	s.mustRule()
	if c := cubeOf(s); c.Offered != "" {
		t.Errorf("what is taken for a cube there is none, cube %+v", c)
	}
}

package referee_test

import (
	"slices"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

func TestAnIllegalPlayObjectedToInTimeIsReplayedWithTheSameRoll(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, illegal31)
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustRule("M3")
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Dark, 6, 5)...)
	if len(s.rolls()) != 1 {
		t.Errorf("dark's throw after the objection is void, rolls %v", s.rolls())
	}
	s.LiftAll()
	s.Put(rules.Start(rules.Standard))
	s.Decide(referee.Decision{What: referee.DecideReplay, Side: rules.Light, Ruling: "M3"})
	s.phase("rolled", rules.Light)
	if st := s.Referee.State(); !slices.Equal(st.Dice, []int{3, 1}) || len(st.Rulings) != 0 || st.Clock.Running != "light" {
		t.Errorf("light replays 3-1 on his own time, got %v, rulings %v, running %q", st.Dice, st.Rulings, st.Clock.Running)
	}
	s.move(rules.Light, "8/5 6/5")
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustPlay("8/5 6/5")
	s.phase("await", rules.Dark)
}

func TestAnIllegalPlayNotObjectedToBeforeTheNextThrowStands(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.Mode = "director_only" })
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, illegal31)
	s.Press(rules.Light)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Dark, 6, 5)...)
	s.mustRule("M3", "M13")
	for i := range s.Events {
		if e := &s.Events[i]; e.Ruling != nil && e.Ruling.Audience != "director" {
			t.Errorf("%s is for the director alone, not %s", e.Ruling.Code, e.Ruling.Audience)
		}
	}
	s.mustPlay("!")
	s.phase("rolled", rules.Dark)
}

func fastRoll(t *testing.T) scene {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.move(rules.Light, "24/14")
	s.Throw(s.Flat(rules.Dark, 5, 5)...)
	s.mustRule("D6")
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustPlay("24/14")
	return s
}

func TestAfterAFastRollTheInterruptedPlayerDecides(t *testing.T) {
	s := fastRoll(t)
	if len(s.rolls()) != 1 {
		t.Errorf("the fast roll waits for light's decision, rolls %v", s.rolls())
	}
	if open := s.Referee.State().Rulings; len(open) != 1 || open[0].Remedy != "stand_or_rethrow" {
		t.Errorf("light may let it stand or have it rethrown, open %v", open)
	}
	s.Decide(referee.Decision{What: referee.DecideStand, Side: rules.Light, Ruling: "D6"})
	s.phase("rolled", rules.Dark)
	if st := s.Referee.State(); !slices.Equal(st.Dice, []int{5, 5}) || len(st.Rulings) != 0 {
		t.Errorf("the roll stands: 5-5, got %v, open %v", st.Dice, st.Rulings)
	}
}

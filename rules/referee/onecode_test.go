package referee_test

import (
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// doubtfulScene is a table on which light is on roll and each four is read as a four, as surely as given, or else a two.
func doubtfulScene(t *testing.T, sure float64, changes ...change) scene {
	t.Helper()
	fourOrTwo := make([][]float64, 6)
	for n := range fourOrTwo {
		fourOrTwo[n] = make([]float64, 6)
		fourOrTwo[n][(n+1)%6] = 1
	}
	fourOrTwo[3] = []float64{0, 1, 0, 0, 0, 0}
	noise := refereetest.Noise{Dice: refereetest.DiceNoise{Certain: []float64{sure}, Confused: fourOrTwo, Persist: 1}}
	s := referee.DefaultSettings()
	s.Match, s.OpeningSeen, s.DiceSets = "doubtful", false, 2
	with(changes...)(&s)
	table, err := refereetest.NewTable(s, noise, 1)
	if err != nil {
		t.Fatal(err)
	}
	sc := scene{table, t}
	sc.Wait(time.Second)
	sc.Decide(referee.Decision{What: referee.DecideStart, Side: rules.Light})
	return sc
}

// By 6-4 thirteen to eleven matches nothing (M3), by 6-2 it leaves the six unplayed (M1): illegal it is in any case.
func TestAPlayIsHeldAgainstNobodyUnderACodeThatTheDiceMayNotCallFor(t *testing.T) {
	for sure, want := range map[float64][]string{0.85: nil, 0.97: nil, 0.9998: {"M3"}} {
		s := doubtfulScene(t, sure)
		s.Throw(s.Flat(rules.Light, 6, 4)...)
		s.move(rules.Light, "13/11")
		s.Press(rules.Light)
		s.Wait(3 * time.Second)
		s.mustRule(want...)
		if asked := s.Referee.State().Notice == "not_seen"; asked != (want == nil) {
			t.Errorf("a four read with %v: asked %v (IRREG-14)", sure, asked)
		}
	}
}

func TestANumberThatOnePictureReadOtherwiseIsHeldAgainstNobodyWhereTheCodeDependsOnIt(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.see(200*time.Millisecond, func(x *sighting.Sighting) {
		for i := range x.Dice {
			if v, _ := x.Dice[i].Best(); v == 4 {
				x.Dice[i].Values = [7]float32{2: 0.99, 4: 0.01}
			}
		}
	})
	s.Wait(200 * time.Millisecond)
	s.move(rules.Light, "13/11")
	s.Press(rules.Light)
	s.Wait(3 * time.Second)
	s.mustRule()
	if s.Referee.State().Notice != "not_seen" {
		t.Error("nobody was asked (IRREG-14)")
	}
}

// A checker moved backwards was moved wrongly (MOVE-1, M7), whatever was thrown.
func TestAPlayThatIsIllegalInOneWayByAnyDiceIsRuledOnThoughTheyAreInDoubt(t *testing.T) {
	s := doubtfulScene(t, 0.85)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	backwards := rules.Start(rules.Standard)
	backwards.Checkers[rules.Light][13]--
	backwards.Checkers[rules.Light][15]++
	s.Put(backwards)
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustRule("M7")
}

// The lower die presses (OPEN-9). Who seems to have the higher one and presses may have the lower, so the clock may be right.
func TestTheClockIsNotCalledWrongBeforeTheStarterIsKnown(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.OpeningSeen = true })
	s.Throw(append(s.Flat(rules.Light, 6), s.Flat(rules.Dark, 5)...)...)
	s.phase("rolled", rules.Light)
	s.Press(rules.Light)
	s.Wait(6 * time.Second)
	s.mustRule()
	s.move(rules.Light, "24/13")
	s.Wait(time.Second)
	s.mustRule("K1") // it was light's turn all the same, and dark's time runs
}

func TestWhoThrowsAfterATurnOfHisThatWasOnlyGuessedIsFollowed(t *testing.T) {
	s := doubtfulScene(t, 0.85, pickup)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.move(rules.Light, "24/18 18/16") // by 6-2, as it may be
	s.Lift(rules.Light)
	s.Wait(10 * time.Second)
	s.mustPlay("24/16")
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.Wait(2 * time.Second)
	s.mustRule() // not D13: his turn it may be (IRREG-12, IRREG-14)
	s.phase("rolled", rules.Light)
}

func TestATieIsNotCalledWhileThePicturesContradictEachOther(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.OpeningSeen = true })
	s.Board.Dice = append(s.Flat(rules.Light, 2), s.Flat(rules.Dark, 4)...)
	asTwo := func(x *sighting.Sighting) { x.Dice[1].Values = [7]float32{2: 0.99, 4: 0.01} }
	s.see(400*time.Millisecond, asTwo)
	s.see(100*time.Millisecond, func(*sighting.Sighting) {})
	s.see(time.Second, asTwo)
	s.mustRule() // if it is none, they play (OPEN-3, IRREG-14)
}

package referee_test

import (
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

// thrownTwice has light throw 6-4, lift it so soon that it may have been called cocked (DICE-5), and throw 3-1.
func thrownTwice(t *testing.T) scene {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 6, 4)
	s.Wait(1400 * time.Millisecond)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	return s
}

func TestAPlayThatNeitherOfTwoThrowsAllowsIsIllegalWhicheverCounts(t *testing.T) {
	s := thrownTwice(t)
	backwards := rules.Start(rules.Standard)
	backwards.Checkers[rules.Light][13]--
	backwards.Checkers[rules.Light][15]++
	s.Put(backwards)
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustRule("M7") // MOVE-1
}

func TestAPlayThatOneOfTwoThrowsAllowsIsHeldAgainstNobody(t *testing.T) {
	s := thrownTwice(t)
	s.move(rules.Light, "24/14") // the first throw (IRREG-13)
	s.Press(rules.Light)
	s.Wait(3 * time.Second)
	s.mustRule()
}

func TestAThrowThatPeopleSayDoesNotCountExplainsNoPlay(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.Wait(time.Second)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.mustRule("D9")
	s.Decide(referee.Decision{What: referee.DecideStand, Side: rules.Light, Ruling: "D9", By: "director"})
	s.move(rules.Light, "8/5 6/5")
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	s.mustRule("D9", "M12") // IRREG-13: it was 6-4
}

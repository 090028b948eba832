package referee_test

import (
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// confirmedScore has the next game wait until the score is agreed.
func confirmedScore(x *referee.Settings) { x.ConfirmScore = true }

// dropped ends the first game by a dropped double: dark wins a point.
func dropped(t *testing.T, c change) scene {
	t.Helper()
	s := closed(t, c)
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark})
	s.Decide(referee.Decision{What: referee.DecideDrop, Side: rules.Light})
	return s
}

// oneByOne throws the dice of side one after the other, so long apart.
func (s scene) oneByOne(side rules.Side, apart time.Duration, numbers ...int) {
	for i, d := range s.Flat(side, numbers...) {
		if i > 0 {
			s.Wait(apart)
		}
		s.Board.Air = true
		s.Wait(300 * time.Millisecond)
		s.Board.Air = false
		s.Board.Dice = append(append([]refereetest.Die{}, s.Board.Dice...), d)
	}
	s.Wait(2 * time.Second)
}

// liftedAsCocked has light throw, lift a leaning die before anybody could agree that it is cocked, and throw again.
func (s scene) liftedAsCocked() scene {
	dice := s.Flat(rules.Light, 6, 4)
	dice[1].Cocked = true
	s.Board.Air = true
	s.Wait(500 * time.Millisecond)
	s.Board.Air = false
	s.Board.Dice = dice
	s.Wait(700 * time.Millisecond)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Light, 6, 6)...)
	return s
}

// jolt pushes the i-th die a little aside; it then shows that number.
func (s scene) jolt(i, value int) {
	s.Board.Hand = true
	s.Wait(300 * time.Millisecond)
	dice := append([]refereetest.Die{}, s.Board.Dice...)
	dice[i].Value = value
	dice[i].V += 0.06
	s.Board.Dice = dice
	s.Wait(200 * time.Millisecond)
	s.Board.Hand = false
	s.Wait(2 * time.Second)
}

// closedOutNow has dark closed out when light has played.
func (s scene) closedOutNow() scene {
	p := closing()
	p.Checkers[rules.Light] = [26]uint8{6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 1, 7: 1, 13: 3}
	s.from(p, rules.Light)
	s.Throw(s.Flat(rules.Light, 6, 2)...)
	s.move(rules.Light, "7/1 13/11")
	if s.Referee.State().Clock != nil {
		s.Press(rules.Light)
		s.Wait(time.Second)
	}
	s.Lift(rules.Light)
	s.Wait(time.Second)
	return s
}

// see hands the referee pictures of the board for d, changed as given.
func (s scene) see(d time.Duration, change func(*sighting.Sighting)) {
	eye := refereetest.NewEye(refereetest.Noise{}, 1)
	from := s.Now()
	for t := time.Duration(0); t < d; t += time.Second / refereetest.FrameRate {
		picture, _ := eye.Look(&s.Board, from+t, 0)
		change(&picture)
		s.Events = append(s.Events, s.Referee.Handle(referee.Input{T: from + t, Sighting: &picture})...)
	}
}

// reachBy has a hand of side over the board for d.
func (s scene) reachBy(side rules.Side, d time.Duration) {
	s.see(d, func(x *sighting.Sighting) {
		x.Hand, x.Still = 1, false
		x.Reach[side] = 0.97
	})
}

// blind has the camera give nothing for d.
func (s scene) blind(d time.Duration) {
	s.see(d, func(x *sighting.Sighting) { *x = sighting.Sighting{T: x.T, Scene: sighting.SceneLost} })
}

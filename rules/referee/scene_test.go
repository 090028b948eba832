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

// scene is a table that is seen perfectly, in a test.
type scene struct {
	*refereetest.Table
	t *testing.T
}

// newScene sets up a table on which light is on roll, by the director's word.
func newScene(t *testing.T, change func(*referee.Settings)) scene {
	t.Helper()
	s := referee.DefaultSettings()
	s.Match, s.OpeningSeen, s.DiceSets = "scene", false, 2
	if change != nil {
		change(&s)
	}
	table, err := refereetest.NewTable(s, refereetest.Noise{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	sc := scene{table, t}
	sc.Wait(time.Second)
	if !s.OpeningSeen {
		sc.Decide(referee.Decision{What: referee.DecideStart, Side: rules.Light})
	}
	sc.Wait(500 * time.Millisecond)
	t.Cleanup(func() {
		if t.Failed() {
			for i := range sc.Events {
				t.Log(line(&sc.Events[i]))
			}
		}
	})
	return sc
}

func pickup(s *referee.Settings) { s.TurnEnd = "pickup" }

func (s scene) move(side rules.Side, notation string) {
	s.t.Helper()
	if err := s.Move(side, notation); err != nil {
		s.t.Fatal(err)
	}
}

func (s scene) mustRule(codes ...string) {
	s.t.Helper()
	var said []string
	for i := range s.Events {
		if e := &s.Events[i]; e.Type == referee.RulingMade {
			said = append(said, e.Ruling.Code)
		}
	}
	if !slices.Equal(said, codes) {
		s.t.Errorf("rulings %v, want %v", said, codes)
	}
}

// rolls and plays return what the referee took for rolled and played, in the order of the events.
func (s scene) rolls() (all [][]int) {
	for i := range s.Events {
		if e := &s.Events[i]; e.Type == referee.Roll {
			all = append(all, e.Dice)
		}
	}
	return all
}

func (s scene) plays() (all []string) {
	for i := range s.Events {
		if e := &s.Events[i]; e.Type == referee.PlayMade {
			text := e.Notation
			if !*e.Legal {
				text += "!"
			}
			all = append(all, text)
		}
	}
	return all
}

func (s scene) mustPlay(want ...string) {
	s.t.Helper()
	if got := s.plays(); !slices.Equal(got, want) {
		s.t.Errorf("plays %q, want %q", got, want)
	}
}

func (s scene) phase(want string, side rules.Side) {
	s.t.Helper()
	if st := s.Referee.State(); st.Phase != want || st.Turn != side.String() {
		s.t.Errorf("phase %s with %s on roll, want %s with %s", st.Phase, st.Turn, want, side)
	}
}

const illegal31 = "8/5 6/4" // 3-2 played for 3-1

func leaning(s scene, d time.Duration) {
	dice := s.Flat(rules.Light, 6, 2)
	dice[1].Cocked = true
	s.Board.Dice = dice
	s.Wait(d)
	flat := slices.Clone(dice)
	flat[1].Cocked = false
	s.Board.Dice = flat
	s.Wait(2 * time.Second)
}

func onChecker(s scene) {
	dice := s.Flat(rules.Light, 3, 3)
	dice[0].Place = sighting.OnChecker
	s.Throw(dice...)
}

func wrongStart() rules.Position {
	p := rules.Start(rules.Standard)
	p.Checkers[rules.Light][6]--
	p.Checkers[rules.Light][7]++
	return p
}

// newSceneWith begins with that position on the board.
func newSceneWith(t *testing.T, p rules.Position, changes ...change) scene {
	t.Helper()
	s := referee.DefaultSettings()
	with(changes...)(&s)
	table, err := refereetest.NewTable(s, refereetest.Noise{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	table.Board.Position = p
	sc := scene{table, t}
	sc.Wait(3 * time.Second)
	return sc
}

// closing is a position in which light closes his board with 6-1 while dark has a checker on the bar.
func closing() rules.Position {
	var p rules.Position
	p.Checkers[rules.Light] = [26]uint8{6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 7: 1, 8: 2, 13: 2}
	p.Checkers[rules.Dark] = [26]uint8{rules.Bar: 1, 13: 5, 8: 4, 6: 5}
	return p
}

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

// cover has a hand lie over the dice for d, which hides the points from first to last, another one of them in each picture
// when they are more than one.
func (s scene) cover(d time.Duration, first, last int) {
	n := 0
	s.see(d, func(x *sighting.Sighting) {
		x.Hand, x.Still, x.DiceHidden, x.Dice = 1, false, true, nil
		x.Points[first+n%(last-first+1)-1].Hidden = true
		n++
	})
	s.Idle(d)
}

// blind has the camera give nothing for d.
func (s scene) blind(d time.Duration) {
	s.see(d, func(x *sighting.Sighting) { *x = sighting.Sighting{T: x.T, Scene: sighting.SceneLost} })
}

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

// The timelines S60 to S81 of the rule book's scenarios, played at a table that is seen perfectly.

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

// count returns how many rulings of that code the table heard.
func (s scene) count(code string) int {
	n := 0
	for i := range s.Events {
		if e := &s.Events[i]; e.Type == referee.RulingMade && e.Ruling.Code == code {
			n++
		}
	}
	return n
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

func TestS60AnIllegalPlayObjectedToInTimeIsReplayedWithTheSameRoll(t *testing.T) {
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

func TestS61AnIllegalPlayNotObjectedToBeforeTheNextThrowStands(t *testing.T) {
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

func TestS62UnderTheOpponentsOptionAThrowAcceptsAnIllegalPlay(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { pickup(x); x.Options.Regime = "opponent_option" })
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, illegal31)
	s.Lift(rules.Light)
	s.Throw(s.Flat(rules.Dark, 6, 5)...)
	s.mustRule("M3", "M13")
	for i := range s.Events {
		if e := &s.Events[i]; e.Ruling != nil && e.Ruling.Audience == "table" {
			t.Errorf("players are never told of an illegal play, but %s was said", e.Ruling.Code)
		}
	}
	s.mustPlay("!")
	s.phase("rolled", rules.Dark)
}

func TestS63UnderTheOpponentsOptionADoubleAcceptsAnIllegalPlay(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { pickup(x); x.Options.Regime = "opponent_option" })
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, illegal31)
	s.Lift(rules.Light)
	s.MoveCube(sighting.CubeOfferedLeft, 2)
	s.mustPlay("!")
	if st := s.Referee.State(); st.Cube.Offered != "dark" {
		t.Errorf("dark has doubled, cube %+v", st.Cube)
	}
}

func TestS64APositionIllegalForAWhileIsNothingToAnnounce(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, illegal31)
	s.Wait(2 * time.Second)
	s.Put(rules.Start(rules.Standard))
	s.move(rules.Light, "8/5 6/5")
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustRule()
	s.mustPlay("8/5 6/5")
}

func fastRoll(t *testing.T, regime string) scene {
	s := newScene(t, func(x *referee.Settings) { x.FastRoll = regime })
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.move(rules.Light, "24/14")
	s.Throw(s.Flat(rules.Dark, 5, 5)...)
	s.mustRule("D6")
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustPlay("24/14")
	return s
}

func TestS65AfterAFastRollTheInterruptedPlayerDecides(t *testing.T) {
	s := fastRoll(t, "opponent_choice")
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

func TestS66AFastRollIsAlwaysRethrownUnderTheOtherOption(t *testing.T) {
	s := fastRoll(t, "reroll")
	s.phase("await", rules.Dark)
	if open := s.Referee.State().Rulings; len(open) != 0 {
		t.Errorf("nothing is left to decide, open %v", open)
	}
	s.LiftAll()
	s.Throw(s.Flat(rules.Dark, 2, 1)...)
	s.phase("rolled", rules.Dark)
}

func TestS68WithAClockTouchingADieDoesNotEndTheTurn(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.move(rules.Light, "24/18 13/9")
	s.Reach(500 * time.Millisecond)
	s.Wait(time.Second)
	s.Put(rules.Start(rules.Standard))
	s.move(rules.Light, "24/14")
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustRule()
	s.mustPlay("24/14")
}

func TestS69OneDieInTheOtherHalfMakesBothBeThrownAgain(t *testing.T) {
	s := newScene(t, nil)
	dice := s.Flat(rules.Light, 6, 4)
	dice[1] = s.Flat(rules.Dark, 4)[0]
	dice[1].Owner = rules.Light
	s.Throw(dice...)
	s.mustRule("D2")
	s.phase("await", rules.Light)
	s.LiftAll()
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.phase("rolled", rules.Light)
}

func TestS70ABadOpeningDieIsThrownAgainAlone(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.OpeningSeen = true })
	light, dark := s.Flat(rules.Light, 4)[0], s.Flat(rules.Dark, 6)[0]
	dark.Cocked = true
	s.Throw(light, dark)
	s.mustRule("D12")
	s.Lift(rules.Dark)
	s.Throw(s.Flat(rules.Dark, 2)...)
	s.mustRule("D12")
	if got := s.rolls(); len(got) != 1 || !slices.Equal(got[0], []int{4, 2}) {
		t.Errorf("light starts with 4-2, rolls %v", got)
	}
	s.phase("rolled", rules.Light)
}

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

func TestS71ADieThatLeanedForLongIsCockedThoughItFallsFlat(t *testing.T) {
	s := newScene(t, nil)
	leaning(s, 1500*time.Millisecond)
	s.mustRule("D1")
	s.phase("await", rules.Light)
}

func TestS72ADieThatLeanedForAMomentIsAValidRoll(t *testing.T) {
	s := newScene(t, nil)
	leaning(s, 400*time.Millisecond)
	s.mustRule()
	if got := s.rolls(); len(got) != 1 || !slices.Equal(got[0], []int{6, 2}) {
		t.Errorf("6-2 was rolled, got %v", got)
	}
}

func onChecker(s scene) {
	dice := s.Flat(rules.Light, 3, 3)
	dice[0].Place = sighting.OnChecker
	s.Throw(dice...)
}

func TestS73ADieOnACheckerCountsWhereThatIsTheRule(t *testing.T) {
	s := newScene(t, func(x *referee.Settings) { x.OnChecker = true })
	onChecker(s)
	s.mustRule()
	s.phase("rolled", rules.Light)
}

func TestS74ADieOnACheckerIsThrownAgainOtherwise(t *testing.T) {
	s := newScene(t, nil)
	onChecker(s)
	s.mustRule("D3")
	s.phase("await", rules.Light)
}

func wrongStart() rules.Position {
	p := rules.Start(rules.Standard)
	p.Checkers[rules.Light][6]--
	p.Checkers[rules.Light][7]++
	return p
}

func TestS76AWrongSetupIsPutRight(t *testing.T) {
	s := newSceneWith(t, wrongStart())
	s.mustRule("S1")
	s.Put(rules.Start(rules.Standard))
	if s.count("S1") != 1 || len(s.Referee.State().Rulings) != 0 {
		t.Errorf("the setup was put right: the ruling is withdrawn")
	}
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

func TestS79WhoLetAFastRollPassHasNoClaimLater(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 6, 4)...)
	s.move(rules.Light, "24/14")
	s.Throw(s.Flat(rules.Dark, 3, 1)...)
	s.Press(rules.Light)
	s.Lift(rules.Light)
	s.move(rules.Dark, "8/5 6/5")
	s.phase("rolled", rules.Dark) // played without a word: it stands
	s.Press(rules.Dark)
	s.Lift(rules.Dark)
	s.mustPlay("24/14", "8/5 6/5")
	s.Throw(s.Flat(rules.Light, 6, 5)...)
	s.move(rules.Light, "24/13")
	s.Throw(s.Flat(rules.Dark, 2, 1)...)
	s.mustRule("D6", "D6")
	last := ""
	for i := range s.Events {
		if e := &s.Events[i]; e.Ruling != nil {
			last = e.Ruling.Audience
		}
	}
	if last != "director" {
		t.Errorf("the second time it is for the director alone, not for the %s", last)
	}
}

// closing is a position in which light closes his board with 6-1 while dark has a checker on the bar.
func closing() rules.Position {
	var p rules.Position
	p.Checkers[rules.Light] = [26]uint8{6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 7: 1, 8: 2, 13: 2}
	p.Checkers[rules.Dark] = [26]uint8{rules.Bar: 1, 13: 5, 8: 4, 6: 5}
	return p
}

func TestS78AgainstAClosedBoardNoRollIsAwaited(t *testing.T) {
	s := newScene(t, pickup)
	s.Put(closing())
	p := closing()
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &p})
	s.Throw(s.Flat(rules.Light, 6, 1)...)
	s.move(rules.Light, "8/2 8/7")
	s.Lift(rules.Light)
	p = s.Board.Position
	if p.ClosedOut(rules.Dark) {
		t.Fatal("not closed yet")
	}
	p.Checkers[rules.Light] = [26]uint8{6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 1, 7: 1, 13: 3}
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &p})
	s.Throw(s.Flat(rules.Light, 6, 2)...)
	s.move(rules.Light, "7/1 13/11")
	s.Lift(rules.Light)
	s.Wait(time.Second)
	if s.count("D10") != 1 {
		t.Errorf("the closed board is announced once")
	}
	s.phase("await", rules.Light)
}

func TestS80TheWindowStaysOpenWhileTheOtherIsClosedOut(t *testing.T) {
	s := newScene(t, nil)
	var p rules.Position
	p.Checkers[rules.Dark] = [26]uint8{6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 1, 7: 1, 13: 3}
	p.Checkers[rules.Light] = [26]uint8{rules.Bar: 1, 13: 5, 8: 4, 6: 5}
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Dark, Position: &p})
	s.Throw(s.Flat(rules.Dark, 6, 1)...)
	s.move(rules.Dark, "7/1 13/11")
	s.Press(rules.Dark)
	s.Wait(2 * time.Second)
	s.mustRule("M3")
	s.Decide(referee.Decision{What: referee.DecideReplay, Side: rules.Dark, Ruling: "M3"})
	s.phase("rolled", rules.Dark)
	if st := s.Referee.State(); !slices.Equal(st.Dice, []int{6, 1}) {
		t.Errorf("dark replays 6-1, got %v", st.Dice)
	}
}

func TestS81AnIllegalPlayThatBearsOffTheLastCheckerCanBeCorrected(t *testing.T) {
	s := newScene(t, nil)
	var p rules.Position
	p.Checkers[rules.Light] = [26]uint8{rules.Off: 13, 6: 1, 5: 1}
	p.Checkers[rules.Dark] = [26]uint8{rules.Off: 10, 3: 2, 2: 3}
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &p})
	s.Throw(s.Flat(rules.Light, 2, 1)...)
	s.move(rules.Light, "6/off 5/off")
	s.Press(rules.Light)
	s.Wait(2 * time.Second)
	if len(s.plays()) != 0 || s.Referee.State().Phase != "ended" {
		t.Errorf("the play is not accepted, plays %v, phase %s", s.plays(), s.Referee.State().Phase)
	}
	s.Decide(referee.Decision{What: referee.DecideReplay, Side: rules.Light})
	s.phase("rolled", rules.Light)
}

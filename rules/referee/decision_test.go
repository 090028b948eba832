package referee_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// threeTurns returns a table at which light has played 8/5 6/5 with 3-1, dark 24/13 with 6-5 and light 13/10 6/5 with
// 3-1; dark is on roll.
func threeTurns(t *testing.T, change func(*referee.Settings)) scene {
	t.Helper()
	s := closed(t, change)
	s.turn(rules.Dark, 6, 5, "24/13")
	s.turn(rules.Light, 3, 1, "13/10 6/5")
	s.mustPlay("8/5 6/5", "24/13", "13/10 6/5")
	return s
}

func (s scene) turn(side rules.Side, a, b int, notation string) {
	s.t.Helper()
	s.Throw(s.Flat(side, a, b)...)
	s.move(side, notation)
	s.Press(side)
	s.Lift(side)
}

// corrected returns the corrections published since the event number since.
func (s scene) corrected(since int64) (all []referee.Event) {
	for _, e := range s.Events {
		if e.Seq > since && e.Why == "corrected" {
			all = append(all, e)
		}
	}
	return all
}

func after(from rules.Position, side rules.Side, notation string) rules.Position {
	steps, err := rules.ParseNotation(notation)
	if err != nil {
		panic(err)
	}
	pos, err := rules.Apply(&from, side, steps)
	if err != nil {
		panic(err)
	}
	return pos
}

func TestARollCorrectedLateHasItsPlayJudgedAnew(t *testing.T) {
	s := threeTurns(t, nil)
	plays := s.Referee.State().Plays
	now := s.Referee.State()
	s.Decide(referee.Decision{
		What: referee.DecideRoll, Side: rules.Light, Dice: []int{4, 2}, Seq: plays[0].Seq, By: "director", Why: "read on the film",
	})
	said := s.corrected(now.Seq)
	if len(said) != 2 || said[0].Type != referee.Roll || !slices.Equal(said[0].Dice, []int{4, 2}) || said[1].Type != referee.PlayMade ||
		*said[1].Legal || said[1].Corrects != plays[0].Seq {
		t.Errorf("the roll and that its play was illegal, not %+v", said)
	}
	st := s.Referee.State()
	if st.Plays[0].Legal || st.Points != now.Points || st.Plays[0].Seq != said[1].Seq {
		t.Errorf("%+v, the position stands as it was", st.Plays)
	}
	s.Decide(referee.Decision{What: referee.DecideRoll, Side: rules.Light, Dice: []int{1, 3}, Seq: st.Plays[0].Seq, By: "director"})
	if st := s.Referee.State(); !st.Plays[0].Legal || st.Plays[0].Notation != "8/5 6/5" {
		t.Errorf("%+v", st.Plays)
	}
	s.phase("await", rules.Dark)
	s.turn(rules.Dark, 6, 5, "24/18 13/8")
	s.mustRule()
}

func TestAPositionCorrectedLateIsTheBaseOfAllThatFollows(t *testing.T) {
	s := threeTurns(t, nil)
	before := s.Referee.State()
	// The camera took two checkers for others: light had played 24/20.
	first := after(rules.Start(rules.Standard), rules.Light, "24/20")
	s.Decide(referee.Decision{
		What: referee.DecideSet, Side: rules.Light, Position: &first, Seq: before.Plays[0].Seq, By: "director", Why: "seen by all",
	})
	want := after(after(first, rules.Dark, "24/13"), rules.Light, "13/10 6/5")
	st := s.Referee.State()
	if st.Plays[2].Position != want.ID(rules.Light) {
		t.Errorf("position %v after %+v", st.Points, st.Plays)
	}
	said := s.corrected(before.Seq)
	if len(said) != 3 {
		t.Fatalf("three plays lead elsewhere, said %+v", said)
	}
	for i, e := range said {
		if e.Type != referee.PlayMade || e.Corrects != before.Plays[i].Seq || !*e.Legal {
			t.Errorf("correction %d: %+v", i, e)
		}
	}
	if st.Plays[0].Notation != "24/20" || st.Plays[1].Notation != "24/13" || st.Plays[2].Notation != "13/10 6/5" {
		t.Errorf("%+v", st.Plays)
	}
	s.phase("await", rules.Dark)
}

func TestADecisionAfterACorrectionHoldsAsItWasGiven(t *testing.T) {
	s := threeTurns(t, nil)
	set := after(rules.Start(rules.Standard), rules.Light, "13/7")
	s.Put(set)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Dark, Position: &set, By: "director"})
	first := after(rules.Start(rules.Standard), rules.Light, "24/20")
	plays := s.Referee.State().Plays
	// The director's own position starts a new list of plays: a turn before it can no longer be corrected.
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &first, Seq: 1, By: "director"})
	s.mustRefuse()
	if st := s.Referee.State(); st.Pips[0] != 161 || len(st.Plays) != len(plays) {
		t.Errorf("%+v", st)
	}
}

// mustRefuse fails unless the last thing the referee did was to refuse, giving a reason.
func (s scene) mustRefuse() {
	s.t.Helper()
	if e := s.Events[len(s.Events)-1]; e.Type != referee.DecisionRefused || e.Refusal == "" {
		s.t.Errorf("not refused: %+v", e)
	}
}

func TestACubeCorrectedLateGoesOnFromThere(t *testing.T) {
	s := closed(t, nil)
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark})
	s.Decide(referee.Decision{What: referee.DecideTake, Side: rules.Light})
	s.PutCube(sighting.CubeLight, 2)
	s.turn(rules.Dark, 6, 5, "24/13")
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Light})
	s.Decide(referee.Decision{What: referee.DecideTake, Side: rules.Dark})
	s.PutCube(sighting.CubeDark, 4)
	s.turn(rules.Light, 3, 1, "13/10 6/5")
	plays := s.Referee.State().Plays
	light := rules.Light
	s.Decide(referee.Decision{
		What: referee.DecideCube, Cube: 4, Owner: &light, Seq: plays[3].Seq, By: "director", Why: "beaver overlooked",
	})
	if c := cubeOf(s); c.Value != 8 || c.Owner != "dark" {
		t.Errorf("4 in light's hands, then doubled: cube %+v", c)
	}
}

// lastTurn returns a table at which light has borne off his last checker: he wins a single game.
func lastTurn(t *testing.T) scene {
	t.Helper()
	s := newScene(t, nil)
	var p rules.Position
	p.Checkers[rules.Light] = [26]uint8{rules.Off: 14, 1: 1}
	p.Checkers[rules.Dark] = [26]uint8{rules.Off: 1, 6: 5, 5: 5, 4: 4}
	s.Put(p)
	s.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &p})
	s.turn(rules.Light, 2, 1, "1/off")
	if st := s.Referee.State(); st.Phase != "over" || st.Score.Light != 1 {
		t.Fatalf("light has won a point, %+v", st)
	}
	return s
}

func TestAGameThatHasEndedIsCountedAnewWhenItsCubeIsCorrected(t *testing.T) {
	s := lastTurn(t)
	before := s.Referee.State()
	s.Decide(referee.Decision{What: referee.DecideCube, Cube: 2, Side: rules.Light, Seq: before.Plays[0].Seq, By: "director"})
	st := s.Referee.State()
	if st.Score.Light != 2 || st.Phase != "over" {
		t.Errorf("two points, %+v", st)
	}
	if said := s.corrected(before.Seq); len(said) != 1 || said[0].Type != referee.GameEnded || said[0].Points != 2 {
		t.Errorf("%+v", said)
	}
}

func TestAGameThatHadNotEndedGoesOn(t *testing.T) {
	s := lastTurn(t)
	p := rules.Position{}
	p.Checkers[rules.Light] = [26]uint8{rules.Off: 14, 1: 1}
	p.Checkers[rules.Dark] = [26]uint8{rules.Off: 1, 6: 5, 5: 5, 4: 4}
	s.Decide(referee.Decision{
		What: referee.DecideSet, Side: rules.Light, Position: &p, Seq: s.Referee.State().Plays[0].Seq, By: "director",
	})
	st := s.Referee.State()
	if st.Score.Light != 0 || st.Winner != "" || st.Plays[0].Legal || st.Clock.Running != "dark" {
		t.Errorf("the checker is still there and dark on roll, %+v", st)
	}
	s.phase("await", rules.Dark)
}

func TestAScoreThatMakesItTheCrawfordGameTurnsTheCubeBack(t *testing.T) {
	s := closed(t, nil)
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark})
	s.Decide(referee.Decision{What: referee.DecideTake, Side: rules.Light})
	s.Decide(referee.Decision{What: referee.DecideScore, Score: &referee.Score{Light: 6, Dark: 2}, By: "director", Why: "score sheet"})
	st := s.Referee.State()
	if !st.Crawford || st.Cube.Value != 1 || st.Cube.Owner != "" || st.Score.Light != 6 {
		t.Errorf("CUBE-11, CUBE-12: %+v", st)
	}
	s.mustRule("C3")
}

func TestAnOverruledPlayIsLegal(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, illegal31)
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.mustRule("M3")
	s.Decide(referee.Decision{What: referee.DecideOverrule, Ruling: "M3", By: "director", Why: "the dice showed 3-2"})
	st := s.Referee.State()
	if len(st.Rulings) != 0 || len(st.Plays) != 1 || !st.Plays[0].Legal || st.Clock.Running != "dark" {
		t.Errorf("the play counts, %+v", st)
	}
	s.phase("await", rules.Dark)
}

func TestAPlayRuledOnIsJudgedByTheCorrectedRoll(t *testing.T) {
	s := newScene(t, nil)
	s.Throw(s.Flat(rules.Light, 3, 1)...)
	s.move(rules.Light, illegal31)
	s.Press(rules.Light)
	s.Wait(time.Second)
	s.Decide(referee.Decision{What: referee.DecideRoll, Side: rules.Light, Dice: []int{3, 2}, By: "players"})
	s.mustPlay(illegal31)
	if st := s.Referee.State(); len(st.Rulings) != 0 || st.Clock.Running != "dark" {
		t.Errorf("nothing is wrong any more, %+v", st)
	}
}

func TestPlayersConfirmWhatWasNotSeen(t *testing.T) {
	s := newScene(t, nil)
	s.Decide(referee.Decision{What: referee.DecideRoll, Side: rules.Light, Dice: []int{6, 1}, By: "players"})
	s.Decide(referee.Decision{What: referee.DecideStart, Side: rules.Dark, By: "players", Why: "the turn is his"})
	s.phase("await", rules.Dark)
}

// saved returns all the referee knows but the number of the last event.
func (s scene) saved() []byte {
	s.t.Helper()
	text, err := s.Referee.Checkpoint()
	if err != nil {
		s.t.Fatal(err)
	}
	var all map[string]json.RawMessage
	var known map[string]json.RawMessage
	if json.Unmarshal(text, &all) != nil || json.Unmarshal(all["table"], &known) != nil {
		s.t.Fatal("no checkpoint")
	}
	delete(known, "seq")
	all["table"], err = json.Marshal(known)
	if err != nil {
		s.t.Fatal(err)
	}
	text, err = json.Marshal(all)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

func TestADecisionThatDoesNotFitIsRefusedWithTheReasonAndChangesNothing(t *testing.T) {
	dark := rules.Dark
	tooMany := rules.Start(rules.Standard)
	tooMany.Checkers[rules.Light][6] = 9
	off := rules.Start(rules.Standard)
	off.Checkers[rules.Light][6] = 3
	off.Checkers[rules.Light][rules.Off] = 1
	start := rules.Start(rules.Standard)
	s := threeTurns(t, nil) // dark on roll
	seq := s.Referee.State().Plays[1].Seq
	s.Decide(referee.Decision{}) // the time of all that follow
	for _, d := range []referee.Decision{
		{What: "nonsense"},
		{What: referee.DecideReplay, Side: rules.Dark},
		{What: referee.DecideRethrow, Side: rules.Light},
		{What: referee.DecideStand},
		{What: referee.DecideOverrule, Ruling: "M3"},
		{What: referee.DecideResume},
		{What: referee.DecideTake, Side: rules.Light},
		{What: referee.DecideDrop, Side: rules.Light},
		{What: referee.DecideNext},
		{What: referee.DecideScore},
		{What: referee.DecideScore, Score: &referee.Score{Light: 7}},
		{What: referee.DecideScore, Score: &referee.Score{Light: -1}},
		{What: referee.DecideSet, Side: rules.Light},
		{What: referee.DecideSet, Side: rules.Light, Position: &tooMany},
		{What: referee.DecideSet, Side: 7, Position: &start},
		{What: referee.DecideResign, Side: rules.Light},
		{What: referee.DecideAdjust, Side: rules.Light, RemainingMS: -1},
		{What: referee.DecideAdjust, Side: rules.Light, RemainingMS: 0},
		{What: referee.DecideRoll, Side: rules.Light, Dice: []int{3, 1}},
		{What: referee.DecideRoll, Side: rules.Dark, Dice: []int{3}},
		{What: referee.DecideRoll, Side: rules.Dark, Dice: []int{0, 7}},
		{What: referee.DecideCube, Cube: 5},
		{What: referee.DecideCube, Cube: 128, Owner: &dark},
		{What: referee.DecideUndo, Seq: 9999},
		{What: referee.DecideExclude, Side: rules.Light},
		{What: referee.DecideExclude, Side: rules.Light, Position: &tooMany},
		{What: referee.DecideExclude, Side: rules.Light, Position: &off},
		// Of closed turns: one there is not, the other player's, things that cannot have been.
		{What: referee.DecideRoll, Side: rules.Dark, Dice: []int{3, 1}, Seq: 9999},
		{What: referee.DecideRoll, Side: rules.Light, Dice: []int{3, 1}, Seq: seq},
		{What: referee.DecideRoll, Side: rules.Dark, Dice: []int{3, 8}, Seq: seq},
		{What: referee.DecideSet, Side: rules.Dark, Seq: seq},
		{What: referee.DecideSet, Side: rules.Dark, Position: &tooMany, Seq: seq},
		{What: referee.DecideCube, Cube: 3, Seq: seq},
		{What: referee.DecideScore, Score: &referee.Score{Light: 2}, Seq: seq},
		// One player alone.
		{What: referee.DecideScore, Score: &referee.Score{Light: 2}, By: "light"},
		{What: referee.DecideUndo, By: "dark"},
		{What: referee.DecideDouble, Side: rules.Dark, By: "light"},
	} {
		before, last := s.saved(), s.Referee.State().Seq
		if d.By == "" {
			d.By = "director"
		}
		d.Why = "to try"
		said := len(s.Events)
		s.Decide(d)
		if now := s.Events[said:]; len(now) != 1 || now[0].Type != referee.DecisionRefused || now[0].Refusal == "" ||
			now[0].By != d.By || now[0].Why != d.Why || now[0].What != d.What || now[0].Seq != last+1 {
			t.Errorf("%+v: %+v", d, now)
		}
		if after := s.saved(); !bytes.Equal(before, after) {
			at := 0
			for at < min(len(before), len(after))-1 && before[at] == after[at] {
				at++
			}
			t.Errorf("%+v changed ...%.200s\nto ...%.200s", d, before[at:], after[at:])
		}
	}
}

func TestADecisionIsLoggedWithWhoWhenAndWhy(t *testing.T) {
	s := threeTurns(t, nil)
	seq := s.Referee.State().Plays[1].Seq
	said := len(s.Events)
	s.Decide(referee.Decision{What: referee.DecideUndo, By: "A. Director", Why: "appeal upheld", Seq: seq})
	e := s.Events[said]
	if e.Type != referee.DecisionMade || e.By != "A. Director" || e.Why != "appeal upheld" || e.Corrects != seq || e.TMS == 0 {
		t.Errorf("%+v", e)
	}
	s.phase("rolled", rules.Dark)
}

func TestWhatIsDerivedAnewIsTheSameAfterARestart(t *testing.T) {
	var journals [2][]byte
	for i := range journals {
		s := threeTurns(t, func(x *referee.Settings) { x.TurnEnd = "pickup" })
		said := len(s.Events)
		if i == 1 {
			s.Referee = restart(t, s.Referee)
		}
		first := after(rules.Start(rules.Standard), rules.Light, "24/20")
		s.Decide(referee.Decision{
			What: referee.DecideSet, Side: rules.Light, Position: &first, Seq: s.Referee.State().Plays[0].Seq, By: "director",
		})
		journals[i] = journal(t, s.Events[said:])
	}
	if !bytes.Equal(journals[0], journals[1]) {
		t.Errorf("%s\nafter a restart\n%s", journals[0], journals[1])
	}
}

func TestAnEarlierGameOfTheMatchCanBeGoneBackTo(t *testing.T) {
	s := threeTurns(t, nil)
	first := s.Referee.State()
	s.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark, By: "dark"})
	s.Decide(referee.Decision{What: referee.DecideDrop, Side: rules.Light, By: "light"})
	s.LiftAll()
	s.Put(rules.Start(rules.Standard))
	s.Throw(append(s.Flat(rules.Light, 6), s.Flat(rules.Dark, 1)...)...)
	if st := s.Referee.State(); st.Game != 2 || st.Score.Dark != 1 || st.Phase != "rolled" {
		t.Fatalf("the second game is not on: %+v", st)
	}
	s.Referee = restart(t, s.Referee)
	s.Decide(referee.Decision{What: referee.DecideUndo, Seq: first.Plays[1].Seq, By: "director"})
	st := s.Referee.State()
	if st.Game != 1 || st.Score != (referee.Score{}) || st.Winner != "" || len(st.Plays) != 1 || st.Plays[0].Seq != first.Plays[0].Seq {
		t.Errorf("the first game is not on again: %+v", st)
	}
	s.phase("rolled", rules.Dark)
	if want := []int{6, 5}; !slices.Equal(st.Dice, want) {
		t.Errorf("dice %v, want %v", st.Dice, want)
	}
	s.LiftAll()
	s.Put(after(rules.Start(rules.Standard), rules.Light, "8/5 6/5"))
	s.turn(rules.Dark, 6, 5, "24/18 13/8")
	s.phase("await", rules.Light)
	if plays := s.Referee.State().Plays; len(plays) != 2 || plays[1].Notation != "24/18 13/8" {
		t.Errorf("played anew: %+v", plays)
	}
}

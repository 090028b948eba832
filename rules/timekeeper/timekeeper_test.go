package timekeeper

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"davar/clock"
	"davar/rules"
	"davar/rules/referee"
)

const sec = time.Second

// table drives a timekeeper through a story.
type table struct {
	t *testing.T
	k *Timekeeper
}

func settings(change ...func(*referee.Settings)) referee.Settings {
	s := referee.DefaultSettings()
	s.Match, s.Players = "m", [2]string{"A", "B"}
	control, _ := clock.Preset("usbgf-singles")
	s.Clock = &control
	for _, f := range change {
		f(&s)
	}
	return s
}

func newTable(t *testing.T, change ...func(*referee.Settings)) *table {
	k, err := New(settings(change...))
	if err != nil {
		t.Fatal(err)
	}
	b := &table{t, k}
	b.is(k.Handle(referee.Input{}), referee.MatchStarted)
	return b
}

func (b *table) is(events []referee.Event, want ...string) {
	b.t.Helper()
	var got []string
	for _, e := range events {
		got = append(got, e.Type)
	}
	if !reflect.DeepEqual(got, want) {
		b.t.Fatalf("events %v, want %v", got, want)
	}
}

func (b *table) press(at time.Duration, side rules.Side, want ...string) {
	b.t.Helper()
	b.is(b.k.Handle(referee.Input{T: at, Press: &referee.Press{Side: side}}), want...)
}

func (b *table) decide(at time.Duration, d referee.Decision, want ...string) []referee.Event {
	b.t.Helper()
	d.By = "director"
	events := b.k.Handle(referee.Input{T: at, Decision: &d})
	b.is(events, want...)
	return events
}

func (b *table) clocks(at time.Duration, light, dark string) {
	b.t.Helper()
	still, _ := b.k.Clock()
	v := still.View(at)
	if clock.Text(v.Remaining[0]) != light || clock.Text(v.Remaining[1]) != dark {
		b.t.Errorf("at %v: %v, want %s %s", at, v.Remaining, light, dark)
	}
}

func TestSevenPointsAreFourteenMinutesAndNineWhenIntroducedAtThreeTwo(t *testing.T) { // CLOCK-6
	newTable(t).clocks(0, "14:00", "14:00")
	newTable(t, func(s *referee.Settings) { s.Score = referee.Score{Light: 3, Dark: 2} }).clocks(0, "9:00", "9:00")
}

func TestAGameIsKeptFromTheOpeningRollToTheNext(t *testing.T) {
	b := newTable(t)
	b.press(5*sec, rules.Dark, referee.ClockStarted, referee.GameStarted)                  // the lower die
	b.decide(6*sec, referee.Decision{What: referee.DecideDouble}, referee.DecisionRefused) // OPEN-8
	b.press(35*sec, rules.Light, referee.ClockPressed)
	b.clocks(35*sec, "13:42", "14:00")
	b.press(36*sec, rules.Light) // not his clock
	b.decide(38*sec, referee.Decision{What: referee.DecideDouble, Side: rules.Dark}, referee.DecisionMade, referee.CubeOffered)
	b.press(40*sec, rules.Dark, referee.ClockPressed)
	if s := b.k.State(); s.Cube.Offered != "dark" || s.Clock.Running != "light" {
		t.Errorf("the double: %+v", s)
	}
	b.press(45*sec, rules.Light, referee.ClockPressed, referee.CubeTaken) // CLOCK-8: the answer is a press back
	if s := b.k.State(); s.Cube.Value != 2 || s.Cube.Owner != "light" || s.Turn != "dark" {
		t.Errorf("the take: %+v", s)
	}
	b.decide(50*sec, referee.Decision{What: referee.DecideResign, Side: rules.Light, Points: 2},
		referee.DecisionMade, referee.GameEnded, referee.ClockPaused)
	s := b.k.State()
	if s.Score != (referee.Score{Dark: 4}) || s.Phase != "over" || s.Winner != "dark" || s.Clock.Paused != "between_games" {
		t.Errorf("the result: %+v", s)
	}
	b.decide(55*sec, referee.Decision{What: referee.DecidePause, Why: "break"}, referee.DecisionMade, referee.ClockPaused)
	b.decide(60*sec, referee.Decision{What: referee.DecideNext}, referee.DecisionMade, referee.ClockPaused)
	b.press(70*sec, rules.Light, referee.ClockStarted, referee.GameStarted)
	if s := b.k.State(); s.Turn != "dark" || s.Game != 2 {
		t.Errorf("the next game: %+v", s)
	}
	b.decide(71*sec, referee.Decision{What: referee.DecidePause, Why: "break"}, referee.DecisionRefused) // one a match, between games
}

func TestADropStopsBothSides(t *testing.T) { // CLOCK-8
	b := newTable(t)
	b.press(0, rules.Dark, referee.ClockStarted, referee.GameStarted)
	b.press(5*sec, rules.Light, referee.ClockPressed)
	b.decide(6*sec, referee.Decision{What: referee.DecideDouble, Side: rules.Dark}, referee.DecisionMade, referee.CubeOffered)
	b.press(7*sec, rules.Dark, referee.ClockPressed)
	b.decide(8*sec, referee.Decision{What: referee.DecideDrop, Side: rules.Light},
		referee.DecisionMade, referee.CubeDropped, referee.GameEnded, referee.ClockPaused)
	if s := b.k.State(); s.Score.Dark != 1 || s.Clock.Running != "" {
		t.Errorf("%+v", s)
	}
}

func TestAFlagLosesTheMatchUnlessOvertimeIsLeft(t *testing.T) { // CLOCK-4
	b := newTable(t, func(s *referee.Settings) { s.Clock.Overtime = time.Minute })
	b.press(0, rules.Dark, referee.ClockStarted, referee.GameStarted)
	flag := 14*time.Minute + 12*sec
	events := b.k.Handle(referee.Input{T: flag + 5*sec})
	b.is(events, referee.ClockFlagged)
	if events[0].TMS != flag.Milliseconds() {
		t.Errorf("the flag fell at %d ms, want %v", events[0].TMS, flag)
	}
	b.decide(flag+10*sec, referee.Decision{What: referee.DecideOvertime}, referee.DecisionMade, referee.ClockAdjusted)
	b.decide(flag+20*sec, referee.Decision{What: referee.DecideResume}, referee.DecisionMade, referee.ClockResumed)
	b.clocks(flag+30*sec, "0:50", "14:00")
	b.is(b.k.Handle(referee.Input{T: flag + 100*sec}), referee.ClockFlagged, referee.MatchEnded, referee.ClockPaused)
	if s := b.k.State(); s.Phase != "match_over" || s.Winner != "dark" {
		t.Errorf("%+v", s)
	}
}

func TestTheDirectorsWordIsLogged(t *testing.T) { // DIR-5
	b := newTable(t)
	b.press(0, rules.Dark, referee.ClockStarted, referee.GameStarted)
	e := b.decide(10*sec, referee.Decision{What: referee.DecideAdjust, Side: rules.Dark, RemainingMS: 90_000, Why: "spilt coffee"},
		referee.DecisionMade, referee.ClockAdjusted)
	if e[0].By != "director" || e[0].Why != "spilt coffee" || e[1].By != "director" {
		t.Errorf("the log: %+v", e)
	}
	b.clocks(10*sec, "14:00", "1:30")
	b.decide(11*sec, referee.Decision{What: referee.DecideForfeit, Side: rules.Dark}, referee.DecisionMade, referee.ClockAdjusted)
	b.press(12*sec, rules.Light, referee.ClockPressed)
	b.clocks(22*sec, "14:00", "1:20") // no delay
	b.decide(22*sec, referee.Decision{What: referee.DecideUndo}, referee.DecisionMade, referee.ClockAdjusted, referee.ClockResumed)
	b.clocks(22*sec, "14:00", "1:30")
	if e := b.decide(30*sec, referee.Decision{What: referee.DecideRethrow}, referee.DecisionRefused); !strings.Contains(e[0].Refusal, "camera") {
		t.Errorf("%+v", e)
	}
}

func TestAfterAPowerCutTheClockStandsAndSaysSo(t *testing.T) {
	b := newTable(t)
	b.press(0, rules.Dark, referee.ClockStarted, referee.GameStarted)
	b.k.Handle(referee.Input{T: 20 * sec})
	text, err := b.k.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Restore(text)
	if err != nil {
		t.Fatal(err)
	}
	b.k = back
	b.clocks(30*sec, "13:52", "14:00")
	b.is(back.Handle(referee.Input{T: 21 * sec}), referee.ClockPaused)
	if s := back.State(); s.Clock.Paused != "restart" || s.Clock.Running != "" || s.Turn != "light" {
		t.Errorf("%+v", s)
	}
	b.decide(40*sec, referee.Decision{What: referee.DecideResume}, referee.DecisionMade, referee.ClockResumed)
	b.clocks(50*sec, "13:42", "14:00")
	for _, text := range []string{"", "{}", `{"v":1,"table":{}}`, `{"timekeeper":1}`} {
		if _, err := Restore([]byte(text)); err == nil {
			t.Errorf("%q was taken for a timekeeper", text)
		}
	}
}

// inputs draws what people might do at a table.
var inputs = rapid.Custom(func(t *rapid.T) referee.Input {
	in := referee.Input{T: time.Duration(rapid.Int64Range(0, int64(40*sec)).Draw(t, "after"))}
	side := rules.Side(rapid.IntRange(0, 1).Draw(t, "side"))
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
	case 1, 2:
		in.Press = &referee.Press{Side: side}
	case 3:
		in.Decision = &referee.Decision{Side: side, By: "director", Points: rapid.IntRange(0, 4).Draw(t, "points"),
			RemainingMS: rapid.Int64Range(-1, 1e6).Draw(t, "ms"), Cube: rapid.SampledFrom([]int{1, 2, 3, 64}).Draw(t, "cube"),
			Why:   rapid.SampledFrom([]string{"", "break", "ruling"}).Draw(t, "why"),
			Score: &referee.Score{Light: rapid.IntRange(0, 8).Draw(t, "light")},
			What: rapid.SampledFrom([]string{referee.DecideStart, referee.DecidePause, referee.DecideResume, referee.DecideUndo,
				referee.DecideAdjust, referee.DecideOvertime, referee.DecideForfeit, referee.DecideDouble, referee.DecideTake,
				referee.DecideDrop, referee.DecideResign, referee.DecideScore, referee.DecideNext, referee.DecideCube, "nonsense"}).Draw(t, "what"),
		}
	}
	return in
})

func TestTheSameInputsGiveTheSameEventsWhateverWasSavedInBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := settings(func(s *referee.Settings) { s.Length, s.Clock.Overtime = 3, time.Minute })
		one, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		two, _ := New(s)
		var now time.Duration
		var seq int64
		for _, in := range rapid.SliceOfN(inputs, 0, 60).Draw(t, "inputs") {
			now += in.T
			in.T = now
			a, b := one.Handle(in), two.Handle(in)
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("%+v gives %+v and %+v", in, a, b)
			}
			for _, e := range a {
				if seq++; e.Seq != seq {
					t.Fatalf("event %d has the number %d", seq, e.Seq)
				}
			}
			if a, b := one.State(), two.State(); !reflect.DeepEqual(a, b) {
				t.Fatalf("states %+v and %+v", a, b)
			}
			if _, err := one.Checkpoint(); err != nil {
				t.Fatal(err)
			}
		}
		text, _ := one.Checkpoint()
		back, err := Restore(text)
		if err != nil {
			t.Fatal(err)
		}
		was, _ := one.Clock()
		is, _ := back.Clock()
		v, w := was.View(now), is.View(now)
		if w.Running != clock.Nobody || v.Remaining != w.Remaining || v.OnMove != w.OnMove {
			t.Fatalf("before the power cut %+v, after %+v", v, w)
		}
	})
}

func FuzzRestore(f *testing.F) {
	k, err := New(settings())
	if err != nil {
		f.Fatal(err)
	}
	k.Handle(referee.Input{T: sec, Press: &referee.Press{Side: rules.Dark}})
	text, _ := k.Checkpoint()
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := Restore(text)
		if err != nil {
			return
		}
		k.Handle(referee.Input{T: k.Now, Press: &referee.Press{Side: rules.Light}})
		if _, err := json.Marshal(k.State()); err != nil {
			t.Error(err)
		}
	})
}

package clock

import (
	"errors"
	"testing"
	"time"
)

const sec = time.Second

// table drives one clock through a story and fails on any surprise.
type table struct {
	t       *testing.T
	c       *Clock
	changes []Change // of the last call
}

// sevenPoints is the clock of a seven-point match, singles: 14:00 and 12 s, unless changed.
func sevenPoints(t *testing.T, change ...func(*Control)) *table {
	t.Helper()
	control := preset(t, "usbgf-singles")
	for _, f := range change {
		f(&control)
	}
	r, err := control.Reserve(7, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(control, [2]time.Duration{r, r}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &table{t: t, c: c}
}

func (b *table) does(changes []Change, err error) *table {
	b.t.Helper()
	b.changes = changes
	if err != nil {
		b.t.Fatalf("refused: %v", err)
	}
	return b
}

func (b *table) refuses(want error) func([]Change, error) *table {
	return func(changes []Change, err error) *table {
		b.t.Helper()
		b.changes = changes
		if !errors.Is(err, want) {
			b.t.Fatalf("got error %v, want %v", err, want)
		}
		return b
	}
}

func (b *table) shows(at time.Duration, light, dark string, delay time.Duration, running Side) *table {
	b.t.Helper()
	v := b.c.View(at)
	if Text(v.Remaining[Light]) != light || Text(v.Remaining[Dark]) != dark || v.Delay != delay || v.Running != running {
		b.t.Errorf("at %v: %s %s delay %v running %q, want %s %s %v %q", at,
			Text(v.Remaining[Light]), Text(v.Remaining[Dark]), v.Delay, v.Running, light, dark, delay, running)
	}
	return b
}

func (b *table) stands(at time.Duration, why Reason) *table {
	b.t.Helper()
	if v := b.c.View(at); v.Running != Nobody || v.Paused != why {
		b.t.Errorf("at %v: running %q, paused %q, want to stand for %q", at, v.Running, v.Paused, why)
	}
	return b
}

func (b *table) saw(kinds ...Kind) *table {
	b.t.Helper()
	if len(b.changes) != len(kinds) {
		b.t.Fatalf("changes %+v, want %v", b.changes, kinds)
	}
	for i, k := range kinds {
		if b.changes[i].Kind != k {
			b.t.Fatalf("change %d is %s, want %s", i, b.changes[i].Kind, k)
		}
	}
	return b
}

func TestTheClockStandsForTheOpeningRollAndTheLowerDiePresses(t *testing.T) {
	b := sevenPoints(t).stands(time.Hour, Opening).shows(time.Hour, "14:00", "14:00", 0, Nobody)
	b.does(b.c.Press(20*sec, Dark)).saw(Started)
	if b.changes[0].Side != Light {
		t.Errorf("dark threw the lower die and pressed, but %q was started", b.changes[0].Side)
	}
	b.shows(20*sec, "14:00", "14:00", 12*sec, Light)
}

func TestTheReserveStandsDuringTheDelayAndUnusedDelayIsLost(t *testing.T) { // CLOCK-7
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.shows(5*sec, "14:00", "14:00", 7*sec, Light)
	b.does(b.c.Press(5*sec, Light)).saw(Pressed)
	if turn := *b.changes[0].Turn; turn != (Turn{Side: Light, Start: 0, Free: 5 * sec, Used: 0}) {
		t.Errorf("turn %+v", turn)
	}
	b.shows(5*sec, "14:00", "14:00", 12*sec, Dark) // not 19 s
	b.shows(17*sec, "14:00", "14:00", 0, Dark)
	b.shows(18*sec, "14:00", "13:59", 0, Dark)
	b.does(b.c.Press(77*sec, Dark))
	b.shows(77*sec, "14:00", "13:00", 12*sec, Light)
}

func TestADoubleAndATakeArePressedAndADropStopsBothSides(t *testing.T) { // CLOCK-8
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.does(b.c.Press(4*sec, Light)).shows(4*sec, "14:00", "14:00", 12*sec, Dark) // double
	b.does(b.c.Press(20*sec, Dark)).shows(20*sec, "14:00", "13:56", 12*sec, Light)
	b.does(b.c.Press(30*sec, Light))
	b.does(b.c.Press(40*sec, Dark)) // redouble
	b.does(b.c.Stop(55*sec, BetweenGames)).saw(Stopped).stands(55*sec, BetweenGames)
	b.shows(time.Hour, "13:57", "13:56", 0, Nobody)
	b.refuses(ErrStanding)(b.c.Press(56*sec, Dark))
	b.does(b.c.Stop(80*sec, Opening))
	b.does(b.c.Press(90*sec, Light)).shows(90*sec, "13:57", "13:56", 12*sec, Dark)
}

func TestAPressByTheWrongSideOrFromThePastChangesNothing(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(10*sec, Dark))
	before := b.c.Checkpoint(10 * sec).Now
	b.refuses(ErrNotOnMove)(b.c.Press(10*sec, Dark))
	b.refuses(ErrStale)(b.c.Press(9*sec, Light))
	b.refuses(ErrArgument)(b.c.Press(11*sec, Nobody))
	if b.c.Checkpoint(10*sec).Now != before {
		t.Error("a refused press left a trace")
	}
	b.refuses(ErrRunning)(b.c.Start(11*sec, Light))
	b.refuses(ErrRunning)(b.c.Resume(11 * sec))
}

func TestAPauseKeepsTheDelayThatWasLeft(t *testing.T) { // CLOCK-9
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.does(b.c.Pause(5*sec, DieOffTable, 0)).saw(Paused).stands(6*sec, DieOffTable)
	b.refuses(ErrStanding)(b.c.Press(7*sec, Light))
	b.does(b.c.Pause(8*sec, Ruling, 0)).stands(9*sec, Ruling) // the die under the table becomes a case for the director
	b.shows(65*sec, "14:00", "14:00", 7*sec, Nobody)
	b.does(b.c.Resume(65*sec)).saw(Resumed).shows(70*sec, "14:00", "14:00", 2*sec, Light)
	b.refuses(ErrArgument)(b.c.Pause(71*sec, Opening, 0))
	b.refuses(ErrArgument)(b.c.Pause(71*sec, "cocked_die", 0)) // a cocked die stops no clock
}

func TestABreakOfTenMinutesThatLastsLongerIsReportedOnce(t *testing.T) { // PROC-2
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.does(b.c.Stop(60*sec, BetweenGames))
	b.does(b.c.Pause(70*sec, Break, 10*time.Minute))
	if due, ok := b.c.Due(); !ok || due != 670*sec {
		t.Errorf("due %v %v", due, ok)
	}
	b.does(b.c.Tick(669*sec), nil).saw()
	b.does(b.c.Tick(700*sec), nil).saw(LimitPassed)
	if b.changes[0].At != 670*sec {
		t.Errorf("the break ended at %v", b.changes[0].At)
	}
	b.does(b.c.Tick(800*sec), nil).saw()
	b.does(b.c.Resume(810*sec)).stands(811*sec, Opening)
	b.does(b.c.Pause(900*sec, Break, sec))
	b.does(b.c.Resume(950*sec)).saw(LimitPassed, Resumed)
}

func TestZeroIsShownAtTheFlagAndNotBefore(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	flag, ok := b.c.NextFlag()
	if !ok || flag != 12*sec+14*time.Minute {
		t.Fatalf("next flag %v %v", flag, ok)
	}
	b.shows(flag-1, "0:01", "14:00", 0, Light)
	b.shows(flag, "0:00", "14:00", 0, Nobody)
	b.does(b.c.Tick(flag-1), nil).saw()
	b.does(b.c.Tick(flag+3*sec), nil).saw(Flagged).stands(flag, Flag)
	if ch := b.changes[0]; ch.At != flag || ch.Side != Light || ch.After[Light] != 0 {
		t.Errorf("flag %+v", ch)
	}
	b.does(b.c.Tick(flag+4*sec), nil).saw()
	for text, d := range map[string]time.Duration{"0:00": 0, "0:01": 1, "0:10": 10 * sec, "0:11": 10*sec + 1,
		"59:59": 3599 * sec, "1:00:00": time.Hour - 1, "1:04:30": time.Hour + 270*sec} {
		if Text(d) != text {
			t.Errorf("%d ns are shown as %s, want %s", d, Text(d), text)
		}
	}
}

func TestAFlagFreezesBothSidesAndTheDirectorDecides(t *testing.T) { // CLOCK-4
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	flag, _ := b.c.NextFlag()
	b.refuses(ErrFlagged)(b.c.Press(flag, Light))
	b.saw(Flagged) // the press came too late, and says so
	v := b.c.View(flag + time.Hour)
	if v.Remaining[Dark] != 14*time.Minute || v.Flagged != Light || !v.Final || v.OnMove != Light {
		t.Errorf("view %+v", v)
	}
	b.refuses(ErrFlagged)(b.c.Resume(flag + 1))
	b.refuses(ErrFlagged)(b.c.Start(flag+1, Dark))
	b.refuses(ErrFlagged)(b.c.Pause(flag+1, Ruling, 0))
	b.refuses(ErrArgument)(b.c.GrantOvertime(flag+1, "director"))
	b.does(b.c.Adjust(flag+60*sec, Light, 30*sec, "director", "the dice fell under the table")).saw(Adjusted)
	b.stands(flag+60*sec, Ruling)
	b.does(b.c.Resume(flag+70*sec)).shows(flag+80*sec, "0:20", "14:00", 0, Light)
}

func TestAPressStampedBeforeTheFlagButHeardAfterTheTickIsStale(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	flag, _ := b.c.NextFlag()
	b.c.Tick(flag - 1)
	b.does(b.c.Press(flag-2, Light)).saw(Pressed) // a tick that brought nothing stands in nobody's way
	b = sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.c.Tick(flag + Grace)
	b.refuses(ErrStale)(b.c.Press(flag-1, Light)) // which is why a shell ticks only Grace after the moment
}

func TestOvertimeIsGivenOnce(t *testing.T) {
	b := sevenPoints(t, func(c *Control) { c.Overtime = time.Minute })
	b.does(b.c.Press(0, Dark))
	flag, _ := b.c.NextFlag()
	b.does(b.c.Tick(flag), nil).saw(Flagged)
	if b.c.View(flag).Final {
		t.Error("the first flag is not final where there is overtime")
	}
	b.does(b.c.GrantOvertime(flag+20*sec, "director")).saw(OvertimeGiven).stands(flag+30*sec, Ruling)
	b.does(b.c.Resume(flag+30*sec)).shows(flag+40*sec, "0:50", "14:00", 0, Light)
	b.does(b.c.Tick(flag+95*sec), nil).saw(Flagged)
	if !b.c.View(flag + 95*sec).Final {
		t.Error("the second flag is final")
	}
	b.refuses(ErrArgument)(b.c.GrantOvertime(flag+96*sec, "director"))
	b.refuses(ErrFlagged)(b.c.Stop(flag+97*sec, Opening))
	b.does(b.c.Stop(flag+97*sec, MatchOver)).stands(flag+98*sec, MatchOver)
}

func TestAMechanicalClockRunsOnAndReportsBothFlags(t *testing.T) { // CLOCK-4, exception
	b := sevenPoints(t, func(c *Control) { c.Mechanical = true })
	b.does(b.c.Press(0, Dark))
	first, _ := b.c.NextFlag()
	b.does(b.c.Press(first+100*sec, Light)).saw(Flagged, Pressed)
	b.shows(first+101*sec, "0:00", "14:00", 11*sec, Dark)
	second, _ := b.c.NextFlag()
	b.does(b.c.Press(second+1, Dark)).saw(Flagged, Pressed)
	if v := b.c.View(second + 2); v.Flagged != Light || v.Fallen != [2]bool{true, true} {
		t.Errorf("view %+v", v)
	}
	if _, ok := b.c.NextFlag(); ok {
		t.Error("no flag falls twice")
	}
}

func TestADelayIsForfeitForOneTurn(t *testing.T) { // fast grab
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.does(b.c.ForfeitDelay(3*sec, Dark, "director", "lifted the dice before the press")).saw(DelayForfeit)
	b.does(b.c.Press(5*sec, Light)).shows(6*sec, "14:00", "13:59", 0, Dark)
	b.does(b.c.Press(15*sec, Dark))
	b.does(b.c.ForfeitDelay(20*sec, Light, "director", "")).shows(30*sec, "13:50", "13:50", 0, Light)
	b.does(b.c.Press(30*sec, Light)).shows(30*sec, "13:50", "13:50", 12*sec, Dark)
	plain := sevenPoints(t, func(c *Control) { c.System, c.Delay = Plain, 0 })
	plain.refuses(ErrArgument)(plain.c.ForfeitDelay(0, Light, "director", ""))
}

func TestUndoRestoresBothSidesAndLeavesTheTurnInterrupted(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.does(b.c.Press(32*sec, Light)).shows(32*sec, "13:40", "14:00", 12*sec, Dark)
	b.does(b.c.Press(104*sec, Dark)).shows(104*sec, "13:40", "13:00", 12*sec, Light)
	b.does(b.c.Undo(120*sec, "director", "the play was illegal")).saw(TakenBack).stands(120*sec, Undone)
	b.shows(121*sec, "13:40", "13:00", 0, Nobody)
	b.does(b.c.Undo(122*sec, "director", "and so was the one before")).shows(123*sec, "13:40", "14:00", 0, Nobody)
	b.does(b.c.Adjust(124*sec, Dark, 10*time.Minute, "director", "penalty"))
	b.does(b.c.Resume(130*sec)).shows(140*sec, "13:30", "10:00", 0, Light)
	b.does(b.c.Undo(141*sec, "director", "start again")).stands(142*sec, Opening)
	b.shows(142*sec, "14:00", "10:00", 0, Nobody) // the correction outlives it
	b.refuses(ErrNothing)(b.c.Undo(143*sec, "director", ""))
	b.does(b.c.Press(150*sec, Light)).shows(150*sec, "14:00", "10:00", 12*sec, Dark)
}

func TestADropTakenBackGoesOnWhereItWas(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.does(b.c.Press(10*sec, Light))
	b.does(b.c.Stop(14*sec, BetweenGames))
	b.does(b.c.Undo(60*sec, "director", "he had taken")).stands(60*sec, Undone)
	b.does(b.c.Resume(61*sec)).shows(62*sec, "14:00", "14:00", 7*sec, Dark)
}

func TestADirectorStartsEitherSide(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Start(7*sec, Dark)).saw(Started).shows(8*sec, "14:00", "14:00", 11*sec, Dark)
	b.does(b.c.Start(29*sec, Light)).shows(30*sec, "14:00", "13:50", 11*sec, Light)
	b.refuses(ErrArgument)(b.c.Adjust(31*sec, Light, 0, "director", ""))
	b.refuses(ErrArgument)(b.c.Stop(31*sec, Ruling))
	b.refuses(ErrNobody)(sevenPoints(t).c.Resume(sec))
}

func TestEachSystemSpendsAndGivesAsItsName(t *testing.T) {
	for _, c := range []struct {
		sentence    string
		system      System
		delay       time.Duration
		light, dark time.Duration // after light used 20 s and dark 5 s
		flag        time.Duration // of light's second turn, from its start
	}{
		{"simple delay: the reserve loses what exceeds the delay", Simple, 12 * sec, 832 * sec, 840 * sec, 844 * sec},
		{"Bronstein: the same total, given back at the press", Bronstein, 12 * sec, 832 * sec, 840 * sec, 832 * sec},
		{"Fischer: the increment is kept", Fischer, 12 * sec, 832 * sec, 847 * sec, 832 * sec},
		{"plain: all of it", Plain, 0, 820 * sec, 835 * sec, 820 * sec},
		{"hourglass: what one loses the other gains", Hourglass, 0, 825 * sec, 855 * sec, 825 * sec},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			b := sevenPoints(t, func(ctl *Control) { ctl.System, ctl.Delay = c.system, c.delay })
			b.does(b.c.Press(0, Dark))
			b.does(b.c.Press(20*sec, Light))
			b.does(b.c.Press(25*sec, Dark))
			if r := b.c.View(25 * sec).Remaining; r != [2]time.Duration{c.light, c.dark} {
				t.Errorf("remaining %v, want %v %v", r, c.light, c.dark)
			}
			if flag, _ := b.c.NextFlag(); flag != 25*sec+c.flag {
				t.Errorf("flag %v after the turn's start, want %v", flag-25*sec, c.flag)
			}
		})
	}
}

func TestBronsteinShowsTheDelayGoingAndTheReserveToo(t *testing.T) {
	b := sevenPoints(t, func(c *Control) { c.System = Bronstein })
	b.does(b.c.Press(0, Dark)).shows(5*sec, "13:55", "14:00", 7*sec, Light)
	b.does(b.c.Press(5*sec, Light)).shows(5*sec, "14:00", "14:00", 12*sec, Dark)
	b.does(b.c.Adjust(6*sec, Dark, 3*sec, "director", ""))
	b.does(b.c.Tick(20*sec), nil).saw(Flagged) // inside the delay
	if b.changes[0].At != 9*sec {
		t.Errorf("flag at %v", b.changes[0].At)
	}
}

func TestACorrectionAfterALostGameLiftsTheFlagInThePastToo(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	flag, _ := b.c.NextFlag()
	b.does(b.c.Stop(flag+10*sec, BetweenGames)).saw(Flagged, Stopped) // CLOCK-5: time loses the game
	b.does(b.c.Adjust(flag+20*sec, Light, 2*time.Minute, "director", "agreed"))
	b.does(b.c.Undo(flag+30*sec, "director", "it does not lose the game")).stands(flag+31*sec, Undone)
	b.does(b.c.Resume(flag+40*sec)).shows(flag+50*sec, "1:50", "14:00", 0, Light)
}

func TestARefusedPressDoesNotMakeAnEarlierOneStale(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.refuses(ErrNotOnMove)(b.c.Press(20*sec+5*time.Millisecond, Dark)) // heard first, though pressed second
	b.does(b.c.Press(20*sec, Light)).shows(20*sec, "13:52", "14:00", 12*sec, Dark)
}

func TestAStillShowsWhatItsClockWouldShowHadNothingHappened(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	still, same := b.c.Still(), b.c.Still()
	if b.c.Tick(5 * sec); still != same || still != b.c.Still() {
		t.Error("time alone changes no still")
	}
	want := b.c.View(20 * sec)
	b.does(b.c.Press(10*sec, Light))
	if v := still.View(20 * sec); v != want || still.Delay() != 12*sec {
		t.Errorf("shows %+v, want %+v", v, want)
	}
	if still == b.c.Still() {
		t.Error("a press makes another still")
	}
	if v := still.View(time.Hour); v.Flagged != Light || v.Remaining[Light] != 0 {
		t.Errorf("a flag falls in a still too: %+v", v)
	}
}

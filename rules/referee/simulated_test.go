package referee_test

import (
	"reflect"
	"testing"

	"davar/rules/referee/refereetest"
)

// busy are players who double now and then and of whom something goes wrong in every tenth turn.
var busy = refereetest.Habits{Careless: 0.1, Doubles: 0.04}

// The aim is a false ruling in 10,000 turns; so many turns take davar eval referee. These few must be as good as they
// were, and every announcement that is made must come in time.
func TestSimulatedGamesOfCarelessPlayersAreRefereedWithHardlyAFalseWord(t *testing.T) {
	report, err := refereetest.Evaluate(32, 1, refereetest.UsualNoise(), busy, "")
	if err != nil {
		t.Fatal(err)
	}
	if report.FalseRulings.Count > 1 || report.Questions.Share > 0.02 {
		t.Errorf("false rulings %v, questions %+v: %q", report.FalseRulings, report.Questions, report.Worst)
	}
	if report.Rolls.Share < 0.99 || report.Plays.Share < 0.99 || report.Cube.Share < 1 {
		t.Errorf("rolls %+v, plays %+v, cube %+v", report.Rolls, report.Plays, report.Cube)
	}
	if report.Detected.Share < 0.97 || report.Delay.InTime.Share < 0.99 {
		t.Errorf("found %+v, in time %+v: %q", report.Detected, report.Delay.InTime, report.Worst)
	}
}

func TestSimulatedGamesSeenPerfectlyAreRefereedWithoutFault(t *testing.T) {
	report, err := refereetest.Evaluate(32, 100, refereetest.Noise{}, busy, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Worst) > 0 || report.Questions.Count > 0 {
		t.Errorf("%d questions, %q", report.Questions.Count, report.Worst)
	}
}

func TestASimulationIsRepeatable(t *testing.T) {
	habits := refereetest.Habits{Careless: 0.2, Doubles: 0.1, Turns: 20}
	a, errA := refereetest.Evaluate(4, 7, refereetest.UsualNoise(), habits, "clock")
	b, errB := refereetest.Evaluate(4, 7, refereetest.UsualNoise(), habits, "clock")
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs with one seed differ")
	}
}

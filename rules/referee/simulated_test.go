package referee_test

import (
	"reflect"
	"testing"

	"davar/rules/referee/refereetest"
)

func TestSimulatedGamesOfCarelessPlayersAreRefereedWithoutAFalseWord(t *testing.T) {
	report, err := refereetest.Evaluate(16, 1, refereetest.MeasuredNoise(), refereetest.Habits{Careless: 0.1, Doubles: 0.04})
	if err != nil {
		t.Fatal(err)
	}
	if report.FalseRulings.Count > 0 || report.Questions.Share > 0.02 {
		t.Errorf("false rulings %v, questions %+v", report.False, report.Questions)
	}
	if report.Rolls.Share < 0.995 || report.Plays.Share < 0.995 || report.Cube.Share < 1 {
		t.Errorf("rolls %+v, plays %+v, cube %+v", report.Rolls, report.Plays, report.Cube)
	}
	found, all := 0, 0
	for _, r := range report.Detected {
		found, all = found+r.Count, all+r.Of
	}
	if float64(found) < 0.97*float64(all) {
		t.Errorf("found %d of %d breaches: %v", found, all, report.Worst)
	}
}

func TestSimulatedGamesSeenPerfectlyAreRefereedWithoutFault(t *testing.T) {
	report, err := refereetest.Evaluate(12, 100, refereetest.Noise{}, refereetest.Habits{Careless: 0.1, Doubles: 0.04})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Worst) > 0 || report.Questions.Count > 0 {
		t.Errorf("%d questions, %q", report.Questions.Count, report.Worst)
	}
}

func TestASimulationIsRepeatable(t *testing.T) {
	habits := refereetest.Habits{Careless: 0.2, Doubles: 0.1, Turns: 20}
	a, errA := refereetest.Evaluate(2, 7, refereetest.MeasuredNoise(), habits)
	b, errB := refereetest.Evaluate(2, 7, refereetest.MeasuredNoise(), habits)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs with one seed differ")
	}
}

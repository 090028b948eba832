package referee_test

import (
	"reflect"
	"testing"

	"davar/rules/referee/refereetest"
)

// busy are players who double now and then and of whom something goes wrong in every tenth turn.
var busy = refereetest.Habits{Careless: 0.1, Doubles: 0.04, Incidents: []string{
	"M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M10", "M11", "D1", "D2", "D3", "D6", "D13", "C2", "C3", "C5", "K1", "K3", "K4",
	"S1", "S3", "S4", "S5", "P1", "P2", "P3",
}}

func TestSimulatedGamesOfCarelessPlayersAreRefereedWithoutAFalseWord(t *testing.T) {
	report, err := refereetest.Evaluate(32, 1, refereetest.MeasuredNoise(), busy, "")
	if err != nil {
		t.Fatal(err)
	}
	if report.FalseRulings.Count > 0 || report.Questions.Share > 0.02 {
		t.Errorf("false rulings %v, questions %+v", report.FalseRulings, report.Questions)
	}
	if report.Rolls.Share < 0.995 || report.Plays.Share < 0.995 || report.Cube.Share < 1 {
		t.Errorf("rolls %+v, plays %+v, cube %+v", report.Rolls, report.Plays, report.Cube)
	}
	if report.Detected.Share < 0.97 {
		t.Errorf("found %+v: %q", report.Detected, report.Worst)
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
	a, errA := refereetest.Evaluate(4, 7, refereetest.MeasuredNoise(), habits, "clock")
	b, errB := refereetest.Evaluate(4, 7, refereetest.MeasuredNoise(), habits, "clock")
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs with one seed differ")
	}
}

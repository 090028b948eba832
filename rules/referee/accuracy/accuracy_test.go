package accuracy_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
)

const game = `{"t":0,"type":"start"}
{"t":2,"turn":1,"player":"light","type":"roll","dice":[3,1],"valid":true}
{"t":4,"turn":1,"player":"light","type":"move","dice":[3,1],"move":"8/5 6/5","legal":true}
{"t":8,"turn":2,"player":"dark","type":"incident","kind":"cocked_die","dice":[6,2],"valid":false,"ruling":{"pickup":"D1","clock":"D1"}}
{"t":12,"turn":2,"player":"dark","type":"roll","dice":[4,2],"valid":true}
{"t":14,"turn":2,"player":"dark","type":"incident","kind":"wrong_distance","dice":[4,2],"move":"8/5","legal":false,"corrected":true,"ruling":{"pickup":null,"clock":"M3"}}
{"t":18,"turn":2,"player":"dark","type":"move","dice":[4,2],"move":"8/4 6/4","legal":true}
{"t":20,"type":"end"}
`

func after(t *testing.T, moves ...string) []string {
	t.Helper()
	pos, side := rules.Start(rules.Standard), rules.Light
	var ids []string
	for _, m := range moves {
		steps, err := rules.ParseNotation(m)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = rules.Apply(&pos, side, steps); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, pos.ID(side))
		side = side.Other()
	}
	return ids
}

func events(t *testing.T) []referee.Event {
	light, dark := rules.Light, rules.Dark
	ids := after(t, "8/5 6/5", "8/4 6/4")
	return []referee.Event{
		{TMS: 2300, Type: referee.Roll, Side: &light, Dice: []int{1, 3}},
		{TMS: 6000, Type: referee.PlayMade, Side: &light, Position: ids[0]},
		{TMS: 9000, Type: referee.RulingMade, Side: &dark, Ruling: &referee.RulingBody{Code: "D1", Severity: "R", Audience: "table"}},
		{TMS: 12300, Type: referee.Roll, Side: &dark, Dice: []int{4, 3}},
		{TMS: 17000, Type: referee.Roll, Side: &dark, Dice: []int{4, 2}, Why: "corrected"},
		{TMS: 19000, Type: referee.PlayMade, Side: &dark, Position: ids[1]},
	}
}

func compare(t *testing.T, said []referee.Event, mode string) accuracy.Result {
	t.Helper()
	truth, err := accuracy.ReadTruth(strings.NewReader(game))
	if err != nil {
		t.Fatal(err)
	}
	r, err := accuracy.Compare(truth, said, mode)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAFaithfulRefereeIsPerfect(t *testing.T) {
	if r := compare(t, events(t), "pickup"); !r.Perfect() {
		t.Errorf("not perfect: %+v", r)
	}
}

func TestTheSameFilmCallsForOtherRulingsWithAClock(t *testing.T) {
	r := compare(t, events(t), "clock")
	if r.Incidents != (accuracy.Tally{Expected: 2, Right: 1}) || r.FalseRulings != 0 || len(r.Differences) != 1 {
		t.Errorf("one ruling is missing, got %+v", r)
	}
}

func TestAWordWhereNothingMayBeSaidIsFalse(t *testing.T) {
	dark := rules.Dark
	said := append(events(t), referee.Event{
		TMS: 15000, Type: referee.RulingMade, Side: &dark,
		Ruling: &referee.RulingBody{Code: "M3", Severity: "R", Audience: "table"},
	})
	r := compare(t, said, "pickup")
	if r.FalseRulings != 1 || r.Incidents.Right != 1 {
		t.Errorf("one false ruling, got %+v", r)
	}
}

func TestAMissedRollAndAnInventedOneAreBothSaid(t *testing.T) {
	said := events(t)
	said[0].Dice = []int{5, 5}
	r := compare(t, said, "pickup")
	if r.Rolls != (accuracy.Tally{Expected: 2, Right: 1}) || len(r.Differences) != 2 {
		t.Errorf("one roll wrong, got %+v", r)
	}
}

func TestAResultThatDidNotComeAboutIsWrong(t *testing.T) {
	light := rules.Light
	said := append(events(t), referee.Event{Type: referee.GameEnded, Side: &light, Points: 1, How: "single"})
	if r := compare(t, said, "pickup"); r.ResultRight {
		t.Error("the game did not end")
	}
}

func TestTheBundledFilmsTruthIsRead(t *testing.T) {
	for _, name := range []string{"dev1", "dev2"} {
		file, err := os.Open("../refereetest/testdata/" + name + "/events.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		truth, err := accuracy.ReadTruth(file)
		_ = file.Close()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := accuracy.Compare(truth, nil, "pickup"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadTruth(f *testing.F) {
	f.Add([]byte(game))
	f.Add([]byte(`{"t":0,"type":"start","position":{"points":{"1":-2},"bar":{"light":0,"dark":0},"off":{"light":0}}}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, text []byte) {
		truth, err := accuracy.ReadTruth(bytes.NewReader(text))
		if err != nil {
			return
		}
		_, _ = accuracy.Compare(truth, nil, "clock")
	})
}

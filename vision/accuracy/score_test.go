package accuracy

import (
	"errors"
	"strings"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/sighting"
	"davar/vision"
)

// trueReading is a reading that agrees with the truth in everything.
func trueReading(t *testing.T, truth *Truth) *vision.Reading {
	t.Helper()
	r := &vision.Reading{}
	var corners [4]vision.Pixel
	for i, c := range *truth.Corners {
		corners[i] = vision.Pixel{X: c[0], Y: c[1]}
	}
	var err error
	if r.Geometry, err = vision.NewGeometry(corners, 0.46, 0.54); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		r.Top[i].Counts[sighting.MaxCount+truth.Top[i]] = 1
		r.Bottom[i].Counts[sighting.MaxCount+truth.Bottom[i]] = 1
	}
	for i := range r.Bar {
		r.Bar[i].P[0], r.Bar[i].Visible = 1, true
	}
	for _, d := range truth.Dice {
		die := vision.Die{Center: vision.Pixel{X: d.Center[0] + 3, Y: d.Center[1]}}
		if d.Value != nil {
			die.Values[*d.Value] = 1
		}
		r.Dice = append(r.Dice, die)
	}
	return r
}

func someTruth(t *testing.T) *Truth {
	t.Helper()
	line := strings.Replace(goodLine, `"dice":[`, `"dice":[{"value":3,"center":[300,200],"on":"left","cocked":false},`, 1)
	line = strings.Replace(line, `[[0,0],[9,0],[9,9],[0,9]]`, `[[50,50],[550,60],[560,440],[40,430]]`, 1)
	truths, err := ReadTruth(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	return &truths[0]
}

func is(t *testing.T, name string, got *float64, want float64) {
	t.Helper()
	if got == nil || *got != want {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

func TestAPictureReadRightScoresFull(t *testing.T) {
	truth := someTruth(t)
	var s Score
	s.Add(truth, trueReading(t, truth), nil, 12*time.Millisecond)
	r := s.Report()
	is(t, "points_exact", r.PointsExact, 1)
	is(t, "positions_exact", r.PositionsExact, 1)
	is(t, "corners_ok", r.CornersOK, 1)
	is(t, "recall", r.Dice.Recall, 1)
	is(t, "value_accuracy", r.Dice.ValueAccuracy, 1)
	is(t, "pictures_exact", r.Dice.PicturesExact, 1)
	if r.Dice.False != 0 || len(r.Wrong) != 0 || r.MS.Median != 12 {
		t.Errorf("false %d, wrong %v, median %v ms", r.Dice.False, r.Wrong, r.MS.Median)
	}
}

func TestOnePointReadWrongSpoilsThePosition(t *testing.T) {
	truth := someTruth(t)
	reading := trueReading(t, truth)
	reading.Top[0].Counts = sighting.Counts{sighting.MaxCount + 4: 0.8, sighting.MaxCount + 5: 0.2}
	var s Score
	s.Add(truth, reading, nil, 0)
	r := s.Report()
	is(t, "points_exact", r.PointsExact, round(22.0/23)) // one point is mixed and does not count
	is(t, "positions_exact", r.PositionsExact, 0)
	if len(r.Wrong) != 1 || len(r.Wrong[0].Points) != 1 || r.Wrong[0].Points[0].Read != 4 {
		t.Errorf("the wrong point is listed as %+v", r.Wrong)
	}
}

func TestCheckersBorneOffCountBySideWhereTheTruthTellsThem(t *testing.T) {
	truth := someTruth(t)
	none, two := 0, 2
	reading := trueReading(t, truth)
	reading.Off[rules.Light].P[3], reading.Off[rules.Dark].P[0] = 1, 1
	for name, c := range map[string]struct {
		off  *Pile
		want *float64
	}{
		"one side wrong":        {&Pile{Light: &two, Dark: &none}, new(0.5)},
		"only the right one":    {&Pile{Dark: &none}, new(1.0)},
		"nobody can tell":       {&Pile{}, nil},
		"the truth has no such": {nil, nil},
	} {
		truth.Off = c.off
		var s Score
		s.Add(truth, reading, nil, 0)
		if got := s.Report().OffExact; (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: off exact %v, want %v", name, got, c.want)
		}
		is(t, name+": positions_exact", s.Report().PositionsExact, 1) // they are no part of it
	}
}

func TestAPointReportedHiddenDoesNotCountOnlyWhereSomethingHidesIt(t *testing.T) {
	for name, c := range map[string]struct {
		occluded bool
		visible  float64 // of the checkers on the point
		want     float64
	}{
		"nothing hides anything":            {false, 1, 0},
		"an arm hides half of its checkers": {true, 0.5, 1},
		"an arm hides another point":        {true, 1, 0},
	} {
		truth := someTruth(t)
		truth.Occluded = c.occluded
		for i := range truth.Top[0] {
			truth.Checkers = append(truth.Checkers, Checker{Center: [2]float64{70, 70 + 30*float64(i)}, Where: "point", Visible: c.visible})
		}
		reading := trueReading(t, truth)
		reading.Top[0].Hidden = true
		var s Score
		s.Add(truth, reading, nil, 0)
		if got := s.Report().PositionsExact; got == nil || *got != c.want {
			t.Errorf("%s: positions exact %v, want %v", name, *got, c.want)
		}
	}
}

func TestAnEmptyPointReportedHiddenWhereSomethingHidesDoesNotCount(t *testing.T) {
	truth := someTruth(t)
	truth.Occluded = true
	reading := trueReading(t, truth)
	reading.Top[1].Hidden = true
	var s Score
	s.Add(truth, reading, nil, 0)
	is(t, "positions_exact", s.Report().PositionsExact, 1)
}

func TestAPictureThatCouldNotBeReadIsAllWrong(t *testing.T) {
	var s Score
	s.Add(someTruth(t), nil, errors.New("no board"), 0)
	r := s.Report()
	is(t, "points_exact", r.PointsExact, 0)
	is(t, "corners_ok", r.CornersOK, 0)
	is(t, "recall", r.Dice.Recall, 0)
	if len(r.Wrong) != 1 || r.Wrong[0].Error != "no board" {
		t.Errorf("listed as %+v", r.Wrong)
	}
}

func TestADieWhereNoneLiesIsFalse(t *testing.T) {
	truth := someTruth(t)
	reading := trueReading(t, truth)
	reading.Dice = append(reading.Dice, vision.Die{Center: vision.Pixel{X: 500, Y: 400}})
	var s Score
	s.Add(truth, reading, nil, 0)
	if r := s.Report(); r.Dice.False != 1 || *r.Dice.PicturesExact != 0 {
		t.Errorf("false %d, pictures exact %v", r.Dice.False, *r.Dice.PicturesExact)
	}
}

func TestTheReliabilityTableSetsConfidenceBesideTruth(t *testing.T) {
	var table reliability
	for i := range 10 {
		table.add(0.8, i < 8)
	}
	table.add(1, true)
	got := table.report()
	if len(got.Bins) != 2 || got.Bins[0] != (Bin{0.7, 10, 0.8, 0.8}) || got.Bins[1] != (Bin{0.999, 1, 1, 1}) || got.N != 11 {
		t.Errorf("the table is %+v", got)
	}
	is(t, "ece", got.ECE, 0)
	table.add(1, false)
	is(t, "ece", table.report().ECE, round(1.0/12))
	if empty := new(reliability).report(); empty.ECE != nil || empty.Bins == nil {
		t.Errorf("of nothing it is %+v", empty)
	}
}

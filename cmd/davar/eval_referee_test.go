package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
	"davar/vision"
	"davar/vision/accuracy"
)

func TestTheRefereeIsMeasuredInSimulatedGames(t *testing.T) {
	var reports [2]bytes.Buffer
	for i := range reports {
		var errors bytes.Buffer
		args := []string{"eval", "referee", "--games", "2", "--seed", "3", "--noise", "usual", "--json"}
		if code := run(t.Context(), args, &reports[i], &errors); code != 0 {
			t.Fatalf("status %d: %s", code, &errors)
		}
	}
	if !bytes.Equal(reports[0].Bytes(), reports[1].Bytes()) {
		t.Error("two runs with equal flags differ")
	}
	var report refereetest.Report
	if err := json.Unmarshal(reports[0].Bytes(), &report); err != nil || report.Games != 2 || report.Turns == 0 || len(report.Codes) == 0 {
		t.Errorf("%+v, %v", report, err)
	}
	var text, errors bytes.Buffer
	if code := run(t.Context(), []string{"eval", "referee", "--games", "1", "--noise", "none"}, &text, &errors); code != 0 {
		t.Fatalf("status %d: %s", code, &errors)
	}
	for _, want := range []string{"false rulings a turn", "questions a turn", "found within 2 s", "median"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, &text)
		}
	}
}

func TestASimulationThatCannotBeIsRefused(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "noise.json")
	if err := os.WriteFile(bad, []byte(`{"fog":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--games", "0"}, {"--mode", "sundial"}, {"--incidents", "M99"}, {"--times", "-1"}, {"--noise", bad},
	} {
		var text, errors bytes.Buffer
		if code := run(t.Context(), append([]string{"eval", "referee"}, args...), &text, &errors); code != exitUsage || errors.Len() == 0 {
			t.Errorf("%v: status %d, %q", args, code, &errors)
		}
	}
}

func TestANoiseFileIsFittedToHowPicturesWereRead(t *testing.T) {
	three, four := 3, 4
	truth := accuracy.Truth{
		Size: [2]int{1280, 720}, Corners: &[][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, Top: make([]int, 12), Bottom: make([]int, 12),
		Dice: []accuracy.Die{{Value: &three, Center: [2]float64{100, 100}}, {Value: &four, Center: [2]float64{500, 500}}},
	}
	truth.Top[0], truth.Bottom[0] = 2, -5
	var reading vision.Reading
	for i := range 12 {
		reading.Top[i].Counts[sighting.MaxCount+truth.Top[i]] = 1
		reading.Bottom[i].Counts[sighting.MaxCount+truth.Bottom[i]] = 1
	}
	reading.Bottom[0].Counts = sighting.Counts{sighting.MaxCount - 6: 0.7, sighting.MaxCount - 5: 0.3}
	reading.Dice = []vision.Die{
		{Die: sighting.Die{Values: [7]float32{3: 0.4, 5: 0.6}, Real: 0.9}, Center: vision.Pixel{X: 101, Y: 100}},
		{Die: sighting.Die{Values: [7]float32{1: 1}, Real: 0.5}, Center: vision.Pixel{X: 900, Y: 100}},
	}
	fit := noiseFit{file: filepath.Join(t.TempDir(), "noise.json")}
	fit.add(&truth, &reading, 40*time.Millisecond)
	if err := fit.save("stills/truth.jsonl", true); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(fit.file)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n, err := refereetest.ReadNoise(file)
	if err != nil {
		t.Fatal(err)
	}
	if n.Points.Empty != 0 || n.Points.Light[1] > n.Points.Dark[4] || !slices.Equal(n.Points.Sure, []float64{0.7}) || n.Points.Truth != 1 || n.Points.Colour != 0 || n.Points.Far != 0 {
		t.Errorf("of all points a dark stack of five alone was misread: %+v", n.Points)
	}
	if n.Dice.Missed != 0.5 || n.Dice.Value != 1 || !slices.Equal(n.Dice.ValueSure, []float64{0.6}) || n.Dice.False != 1 || !slices.Equal(n.Dice.FalseReal, []float64{0.5}) {
		t.Errorf("one die was missed, one misread, one is none: %+v", n.Dice)
	}
	if n.DelayMS != 40 || !strings.Contains(n.Source, "stills/truth.jsonl --given-corners: 1 pictures") {
		t.Errorf("%d ms, %q", n.DelayMS, n.Source)
	}
}

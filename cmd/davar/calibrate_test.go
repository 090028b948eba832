package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/vision"
)

// underWay is a rendered board in the middle of a game, underWayCorners are where it lies.
const (
	underWay        = "../../vision/testdata/oblique.jpg"
	underWayCorners = "295.4,126.9,924.3,89.5,1034.4,600,193.6,616.5"
)

// done runs a command that must succeed and returns what it prints.
func done(t *testing.T, args ...string) string {
	t.Helper()
	out, complaints, status := davar(t, args...)
	if status != exitDone {
		t.Fatalf("davar %s: status %d: %s", strings.Join(args, " "), status, complaints)
	}
	return out
}

func TestACalibrationWrittenIsReadAgainAndCornersByHandWin(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "board.json")
	said := done(t, "calibrate", underWay, "--corners", underWayCorners, "--out", file, "--overlay", filepath.Join(dir, "board.jpg"))
	if !strings.Contains(said, "does not show the starting position") {
		t.Errorf("of a game under way it says %q", said)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	board, err := vision.ReadCalibration(text)
	if err != nil {
		t.Fatal(err)
	}
	if board.Version != vision.CalibrationVersion || board.Corners[2] != [2]float64{1034.4, 600} || board.Looks != nil {
		t.Errorf("the calibration holds %+v", board)
	}
	shown := func(args ...string) (d vision.Description) {
		t.Helper()
		if err := json.Unmarshal([]byte(done(t, append([]string{"read", underWay, "--json", "--calibration", file}, args...)...)), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := shown(); d.Corners[2] != [2]float64{1034.4, 600} {
		t.Errorf("read with the calibration, the corners are %v", d.Corners)
	}
	if d := shown("--corners", "300,130,920,92,1030,598,198,614"); d.Corners[2] != [2]float64{1030, 598} {
		t.Errorf("with other corners by hand, they are %v", d.Corners)
	}
}

package accuracy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"davar/vision"
	"davar/vision/accuracy"

	"gocv.io/x/gocv"
)

// sharedData is where the pictures lie that are measured and not part of the project.
const sharedData = "../../../shared/data"

// figures reads every picture of a truth file and returns the report.
func figures(t *testing.T, file string, given bool) *accuracy.Report {
	t.Helper()
	f, err := os.Open(filepath.Join(sharedData, file))
	if err != nil {
		t.Skipf("the measured pictures are not here: %v", err)
	}
	defer f.Close()
	truths, err := accuracy.ReadTruth(f)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := vision.NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var score accuracy.Score
	for i := range truths {
		truth := &truths[i]
		img := gocv.IMRead(filepath.Join(sharedData, filepath.Dir(file), truth.Image), gocv.IMReadColor)
		var reading *vision.Reading
		began := time.Now()
		if given && truth.Corners != nil {
			var corners [4]vision.Pixel
			for k, c := range *truth.Corners {
				corners[k] = vision.Pixel{X: c[0], Y: c[1]}
			}
			reading, err = reader.ReadAt(img, corners)
		} else {
			reading, err = reader.Read(img)
		}
		score.Add(truth, reading, err, time.Since(began))
		img.Close()
	}
	return score.Report()
}

func TestFiguresOfTheSharedPictures(t *testing.T) {
	for _, set := range []string{"stills/dev/truth.jsonl", "real/truth.jsonl"} {
		for _, given := range []bool{true, false} {
			name := map[bool]string{true: "corners given", false: "alone"}[given]
			t.Run(set+" "+name, func(t *testing.T) {
				report := figures(t, set, given)
				if !testing.Verbose() {
					report.Wrong = nil
				}
				text, err := json.Marshal(report)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s", text)
			})
		}
	}
}

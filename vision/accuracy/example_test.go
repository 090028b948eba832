package accuracy_test

import (
	"fmt"
	"strings"
	"time"

	"davar/vision"
	"davar/vision/accuracy"
)

// A board that is not found counts as wrong on every point.
func ExampleScore() {
	truths, err := accuracy.ReadTruth(strings.NewReader(`{"image":"a.jpg","size":[640,480],"corners":[[100,60],[540,60],[540,420],[100,420]],` +
		`"top":[5,0,0,0,-3,0,-5,0,0,0,0,2],"bottom":[-5,0,0,0,3,0,5,0,0,0,0,-2],"dice":[]}`))
	if err != nil {
		panic(err)
	}
	var score accuracy.Score
	for i := range truths {
		score.Add(&truths[i], nil, vision.ErrNoBoard, 40*time.Millisecond)
	}
	report := score.Report()
	fmt.Printf("%d picture, corners right %.0f, points right %.0f, whole boards right %.0f\n",
		report.Images, *report.CornersOK, *report.PointsExact, *report.PositionsExact)
	// Output:
	// 1 picture, corners right 0, points right 0, whole boards right 0
}

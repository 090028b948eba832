//go:build matprofile

package feed

import (
	"context"
	"testing"

	"gocv.io/x/gocv"

	"davar/rules/referee"
)

func TestAFeedKeepsNoMat(t *testing.T) {
	f := film(t, 50)
	before := gocv.MatProfile.Count()
	if err := f.Run(t.Context(), func(context.Context, referee.Input) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if after := gocv.MatProfile.Count(); after != before {
		t.Errorf("%d Mats before, %d after", before, after)
	}
}

//go:build matprofile

package table

import (
	"context"
	"testing"

	"gocv.io/x/gocv"

	"davar/rules/referee"
)

func TestAFeedKeepsNoMat(t *testing.T) {
	table, _, _ := newTable(t, 50, nil)
	table.Feed.Wait = nil
	before := gocv.MatProfile.Count()
	err := table.Feed.Run(t.Context(), func(context.Context, referee.Input) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if after := gocv.MatProfile.Count(); after != before {
		t.Errorf("%d Mats before, %d after", before, after)
	}
}

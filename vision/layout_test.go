package vision

import (
	"testing"

	"davar/rules"
)

func TestPointsAreNumberedFromLightsSideInEveryLayout(t *testing.T) {
	for _, c := range []struct {
		layout Layout
		point  int
		top    bool
		column int
	}{
		{Layout{"light", "right"}, 1, false, 11},
		{Layout{"light", "right"}, 6, false, 6},
		{Layout{"light", "right"}, 7, false, 5},
		{Layout{"light", "right"}, 12, false, 0},
		{Layout{"light", "right"}, 13, true, 0},
		{Layout{"light", "right"}, 24, true, 11},
		{Layout{"light", "left"}, 1, false, 0},
		{Layout{"light", "left"}, 12, false, 11},
		{Layout{"light", "left"}, 24, true, 0},
		{Layout{"dark", "right"}, 1, true, 11},
		{Layout{"dark", "right"}, 12, true, 0},
		{Layout{"dark", "right"}, 13, false, 0},
		{Layout{"dark", "right"}, 24, false, 11},
		{Layout{"dark", "left"}, 1, true, 0},
		{Layout{"dark", "left"}, 24, false, 0},
	} {
		if top, column := c.layout.place(c.point); top != c.top || column != c.column {
			t.Errorf("%v: point %d lies at top %v, column %d; want %v, %d", c.layout, c.point, top, column, c.top, c.column)
		}
	}
}

func TestTheStartingPositionOfAReadingIsSetup1(t *testing.T) {
	r := startReading()
	pos, err := Layout{"light", "right"}.Position(r)
	if err != nil {
		t.Fatal(err)
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		for p, want := range map[int]uint8{24: 2, 13: 5, 8: 3, 6: 5, rules.Off: 0, rules.Bar: 0} {
			if got := pos.Checkers[side][p]; got != want {
				t.Errorf("%s has %d checkers on %d, want %d", side, got, p, want)
			}
		}
	}
}

func TestMoreThanFifteenCheckersMakeNoPosition(t *testing.T) {
	r := startReading()
	r.Top[1] = sure(1)
	if _, err := (Layout{"light", "right"}).Position(r); err == nil {
		t.Error("sixteen light checkers were taken")
	}
}

func TestLayoutsInOtherWordsAreRefused(t *testing.T) {
	for _, l := range []Layout{{}, {"white", "right"}, {"light", "top"}} {
		if l.check() == nil {
			t.Errorf("%v was taken", l)
		}
	}
}

package camera

import (
	"log/slog"
	"testing"
)

func TestExposureIsHeldOnceTheBoardIsKnownAndFreedWhenTheLightChanges(t *testing.T) {
	fake := &Fake{Automatic: []Held{{"Gain", 40}}}
	s := Steadier{Source: fake, Log: slog.New(slog.DiscardHandler)}
	for i, look := range []struct {
		light float64
		board bool
		held  bool
	}{
		{0.2, false, false},
		{0.5, true, true},
		{0.5, false, true},  // a player leans over the board
		{0.25, false, true}, // a sleeve before the lens
		{0.5, true, true},
		{0.3, true, true}, // the lamp goes out
		{0.3, true, false},
		{0.45, true, true}, // the camera has adapted
		{0.6, true, true},
		{0.8, true, true}, // the sun comes in
		{0.8, true, false},
		{0.5, false, false},
		{0.5, true, true},
	} {
		if s.See(look.light, look.board); fake.holding != look.held {
			t.Fatalf("look %d, %+v: held is %v", i, look, fake.holding)
		}
	}
}

func TestACameraWithNothingToHoldIsLeftAlone(t *testing.T) {
	s := Steadier{Source: &Fake{}, Log: slog.New(slog.DiscardHandler)}
	for range 3 {
		s.See(0.5, true)
	}
	if s.held || !s.given {
		t.Errorf("%+v", s)
	}
}

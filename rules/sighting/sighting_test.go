package sighting

import (
	"math"
	"testing"

	"davar/rules"
)

// sure returns a sighting that shows pos and nothing else, with certainty.
func sure(pos *rules.Position) *Sighting {
	s := &Sighting{}
	for p := 1; p <= 24; p++ {
		n := int(pos.Checkers[rules.Light][p]) - int(pos.Checkers[rules.Dark][25-p])
		s.Points[p-1].Counts[MaxCount+n] = 1
	}
	for side := range s.Bar {
		s.Bar[side].Visible = true
		s.Bar[side].P[pos.Checkers[side][rules.Bar]] = 1
	}
	return s
}

const floor = 1e-3

func TestThePositionSeenIsCertainAndAnyOtherPaysForEachDifference(t *testing.T) {
	start := rules.Start(rules.Standard)
	s := sure(&start)
	if got := s.LogP(&start, floor); got != 0 {
		t.Errorf("the position seen has log-likelihood %v, want 0", got)
	}
	other := start
	other.Checkers[rules.Light][13]--
	other.Checkers[rules.Light][10]++
	if got, want := s.LogP(&other, floor), 2*math.Log(floor); math.Abs(got-want) > 1e-6 {
		t.Errorf("one checker moved has %v, want %v", got, want)
	}
}

func TestAHiddenPointSaysNothing(t *testing.T) {
	start := rules.Start(rules.Standard)
	s := sure(&start)
	s.Points[13-1].Hidden = true
	other := start
	other.Checkers[rules.Light][13] = 0
	if got := s.LogP(&other, floor); got != 0 {
		t.Errorf("a difference on a hidden point costs %v", got)
	}
}

func TestBothColoursOnAPointAreWeighedByMixed(t *testing.T) {
	start := rules.Start(rules.Standard)
	s := sure(&start)
	s.Points[6-1].Mixed = 0.25
	both := start
	both.Checkers[rules.Dark][25-6] = 1
	if got, want := s.LogP(&both, floor), math.Log(0.25); math.Abs(got-want) > 1e-6 {
		t.Errorf("both colours have %v, want %v", got, want)
	}
	if got, want := s.LogP(&start, floor), math.Log(0.75); math.Abs(got-want) > 1e-6 {
		t.Errorf("light alone has %v, want %v", got, want)
	}
}

func TestBestIsTheMostProbableCount(t *testing.T) {
	var c Counts
	c[MaxCount-3], c[MaxCount+2] = 0.7, 0.3
	if n, p := c.Best(); n != -3 || p != 0.7 {
		t.Errorf("best is %d (%v)", n, p)
	}
	if c.P(16) != 0 || c.P(-16) != 0 {
		t.Error("more than fifteen checkers have a probability")
	}
}

func TestNamesAreThoseOfTheTruthFiles(t *testing.T) {
	for got, want := range map[string]string{
		LeftHalf.String(): "left", Outside.String(): "outside", CubeOfferedRight.String(): "offered-right",
		SceneNoBoard.String(): "no board", Place(99).String(): "unknown",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package sighting

import "testing"

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

package referee_test

import (
	"slices"
	"testing"
	"time"

	"davar/rules"
)

func TestDiceThatHungInTheAirNearWhereTheyLieAreReadAsTheyLie(t *testing.T) {
	s := newScene(t, nil)
	s.Board.Dice = s.Flat(rules.Light, 5, 3)
	s.Wait(500 * time.Millisecond)
	lying := slices.Clone(s.Board.Dice)
	for i := range lying {
		lying[i].Value, lying[i].U = i+1, lying[i].U+0.015
	}
	s.Board.Dice = lying
	s.Wait(2 * time.Second)
	rolls := 0
	for _, e := range s.Events {
		if e.Type != "roll" {
			continue
		}
		rolls++
		if e.Dice[0]+e.Dice[1] != 3 || e.Confidence < 0.95 {
			t.Errorf("rolled %v with a confidence of %.2f, want 2-1 beyond doubt", e.Dice, e.Confidence)
		}
	}
	if rolls != 1 {
		t.Errorf("%d rolls", rolls)
	}
}

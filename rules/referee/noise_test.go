package referee_test

import (
	"testing"

	"davar/rules/referee/refereetest"
)

func TestFilmsSeenWithUsualNoiseAreFollowedWithoutAFalseWord(t *testing.T) {
	for _, name := range films {
		for _, mode := range modes {
			for seed := uint64(1); seed <= 5; seed++ {
				r, _ := compareFilm(t, name, mode, refereetest.MeasuredNoise(), seed)
				if r.Rolls.Right != r.Rolls.Expected || r.Plays.Right != r.Plays.Expected || r.FalseRulings > 0 || !r.ResultRight {
					t.Errorf("%s/%s with seed %d: %+v", name, mode, seed, r)
				}
			}
		}
	}
}

func TestFilmsSeenWithThreefoldNoiseAreFollowedWithHardlyAFault(t *testing.T) {
	var rolls, plays, wrongly int
	for _, name := range films {
		for _, mode := range modes {
			for seed := uint64(1); seed <= 5; seed++ {
				r, _ := compareFilm(t, name, mode, refereetest.MeasuredNoise().Times(3), seed)
				rolls += r.Rolls.Expected - r.Rolls.Right
				plays += r.Plays.Expected - r.Plays.Right
				wrongly += r.FalseRulings
			}
		}
	}
	if rolls > 2 || plays > 2 || wrongly > 0 {
		t.Errorf("of some 530 turns %d rolls and %d plays were missed, %d rulings false", rolls, plays, wrongly)
	}
}

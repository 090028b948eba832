package referee_test

import (
	"testing"

	"davar/rules/referee/refereetest"
)

func TestFilmsSeenWithUsualNoiseAreFollowedWithoutAFalseWord(t *testing.T) {
	missed, all := 0, 0
	for _, name := range films {
		for _, mode := range modes {
			for seed := uint64(1); seed <= 5; seed++ {
				r, _ := compareFilm(t, name, mode, refereetest.UsualNoise(), seed)
				missed, all = missed+r.Rolls.Expected-r.Rolls.Right, all+r.Rolls.Expected
				if r.Plays.Right != r.Plays.Expected || r.FalseRulings > 0 || !r.ResultRight {
					t.Errorf("%s/%s with seed %d: %+v", name, mode, seed, r)
				}
			}
		}
	}
	// A die misread as long as it lies is found out only when the play does not fit.
	if missed*200 > all {
		t.Errorf("%d of %d rolls missed", missed, all)
	}
}

func TestFilmsSeenWithThreefoldNoiseAreFollowedWithHardlyAFault(t *testing.T) {
	var rolls, plays, wrongly int
	for _, name := range films {
		for _, mode := range modes {
			for seed := uint64(1); seed <= 5; seed++ {
				r, _ := compareFilm(t, name, mode, refereetest.UsualNoise().Times(3), seed)
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

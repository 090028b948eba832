package referee_test

import (
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
)

// Light's three checkers on his 8 point are read as four, before the moves and after them (IRREG-11).
func TestAnExtraCheckerIsCountedThoughAnotherStackWasMisreadBefore(t *testing.T) {
	s := referee.DefaultSettings()
	s.Match, s.OpeningSeen, s.DiceSets = "one too many", false, 2
	misread := refereetest.PointNoise{Light: []float64{0, 0, 1, 0}, Sure: []float64{0.9}, Truth: 1, Persist: 1}
	for seed, want := range map[uint64][]string{4: {"M9"}, 1: nil} { // read as two it might make up for that
		table, err := refereetest.NewTable(s, refereetest.Noise{Points: misread}, seed)
		if err != nil {
			t.Fatal(err)
		}
		sc := scene{table, t}
		sc.Wait(time.Second)
		sc.Decide(referee.Decision{What: referee.DecideStart, Side: rules.Light})
		sc.Throw(sc.Flat(rules.Light, 6, 2)...)
		sc.move(rules.Light, "24/18 13/11")
		more := sc.Board.Position
		more.Checkers[rules.Light][18]++
		sc.Put(more)
		sc.Press(rules.Light)
		sc.Wait(2 * time.Second)
		sc.mustRule(want...)
	}
}

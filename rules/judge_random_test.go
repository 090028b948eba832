package rules

import (
	"math/rand/v2"
	"testing"
)

// incompletePositions returns what the slow generator passes on its way to complete plays.
func incompletePositions(pos *Position, mover Side, dice Dice, o Options) map[Position]bool {
	numbers := []int{int(dice[0]), int(dice[1])}
	if dice.Double() {
		numbers = append(numbers, numbers...)
	}
	start := slowState{plain: pos.Checkers[mover]}
	for p := 1; p <= 24; p++ {
		start.enemy[p] = pos.Checkers[mover.Other()][25-p]
	}
	start.enemy[0] = pos.Checkers[mover.Other()][Bar]
	passed := map[Position]bool{}
	level := map[slowState]bool{start: true}
	for len(level) > 0 {
		next := map[slowState]bool{}
		for s := range level {
			passed[s.position(pos, mover)] = true
			for i, n := range numbers {
				if !s.used[i] {
					slowMoves(s, i, n, o, next)
				}
			}
		}
		level = next
	}
	return passed
}

func TestWhatIsPassedOnTheWayToAPlayIsIncomplete(t *testing.T) {
	for _, o := range []Options{OptionsFor(Standard), OptionsFor(Iran)} {
		judge := NewJudge(o)
		for i, row := range corpus(t) {
			if i%10 != 0 {
				continue
			}
			pos, err := ParseID(row.PositionID, Light)
			if err != nil {
				t.Fatal(err)
			}
			legal := slowPlays(&pos, Light, row.Dice, o)
			for after := range incompletePositions(&pos, Light, row.Dice, o) {
				v := judge.Judge(&pos, Light, row.Dice, &after, [2]int{})
				switch good := v.Code == TooFew || v.Code == SmallerNumber; {
				case legal[after] || len(legal) == 0:
					if !v.Legal {
						t.Errorf("row %d, %v: %s is %v", row.I, row.Dice, after.ID(Light), v.Code)
					}
				case !good:
					t.Errorf("row %d, %v: %s is %q, want M1 or M2", row.I, row.Dice, after.ID(Light), v.Code)
				}
			}
		}
	}
}

func TestWhatOnlyHitAndRunBarsIsM10(t *testing.T) {
	judge := NewJudge(OptionsFor(Iran))
	found := 0
	for _, row := range corpus(t) {
		pos, err := ParseID(row.PositionID, Light)
		if err != nil {
			t.Fatal(err)
		}
		passed := incompletePositions(&pos, Light, row.Dice, OptionsFor(Iran))
		plays := Plays(&pos, Light, row.Dice)
		for i := range plays {
			after := &plays[i].Final
			if passed[*after] {
				continue
			}
			found++
			if v := judge.Judge(&pos, Light, row.Dice, after, [2]int{}); v.Code != HitAndRun {
				t.Errorf("row %d: %s is %q", row.I, &plays[i], v.Code)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d such plays in the corpus", found)
	}
}

func TestAHitCheckerLeftOnItsPointIsM8(t *testing.T) {
	judge := NewJudge(Options{})
	random := rand.New(rand.NewPCG(2, 2))
	found := 0
	for _, row := range corpus(t) {
		pos, err := ParseID(row.PositionID, Light)
		if err != nil {
			t.Fatal(err)
		}
		plays := Plays(&pos, Light, row.Dice)
		if len(plays) == 0 {
			continue
		}
		play := &plays[random.IntN(len(plays))]
		for _, m := range play.Moves[:play.N] {
			if !m.Hit {
				continue
			}
			after := play.Final
			after.Checkers[Dark][25-m.To]++
			after.Checkers[Dark][Bar]--
			mixed := after.Checkers[Light][m.To] > 0
			if v := judge.Judge(&pos, Light, row.Dice, &after, [2]int{}); mixed && v.Code != HitNotLifted || v.Code == Impossible {
				t.Errorf("row %d: %s with the blot left on %d is %q %v", row.I, play, m.To, v.Code, v.Rules)
			} else if v.Code == HitNotLifted {
				found++
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d such faults tried", found)
	}
}

package rules

import (
	"slices"
	"strings"
	"testing"
)

// codesOf says which code each rule that the illegal examples name belongs to.
var codesOf = map[string][]Code{
	"MOVE-1": {WrongCount, WrongWay}, "MOVE-2": {ClosedPoint}, "MOVE-4": {ClosedPoint}, "MOVE-6": {WrongCount},
	"MOVE-8": {TooFew}, "MOVE-9": {TooFew}, "MOVE-10": {TooFew}, "MOVE-11": {SmallerNumber}, "MOVE-12": {TooFew},
	"MOVE-13": {NoLegalPlay}, "ENTER-1": {BarFirst}, "ENTER-3": {ClosedPoint}, "OFF-1": {WrongBearOff},
	"OFF-3": {WrongBearOff}, "OFF-4": {WrongBearOff}, "OFF-6": {TooFew}, "HIT-2": {HitNotLifted}, "HIT-4": {HitNotLifted},
	"VAR-2": {HitAndRun},
}

func TestIllegalExamplesHaveTheCodeOfTheirRule(t *testing.T) {
	for _, c := range workedCases(t) {
		judge := NewJudge(OptionsFor(c.Variant))
		for _, bad := range c.Illegal {
			before := c.position(t)
			steps, err := ParseNotation(bad.Play)
			if err != nil {
				t.Fatal(err)
			}
			after, err := Apply(&before, Light, steps)
			if err != nil {
				t.Fatal(err)
			}
			rule, _, _ := strings.Cut(bad.Why, ":")
			if rule == "HIT-4" || rule == "HIT-2" {
				// The example leaves the hit checker where it was.
				after.Checkers[Dark] = before.Checkers[Dark]
			}
			if id := after.ID(Light); id != bad.Final {
				t.Errorf("%s %s leads to %s, the case says %s", c.ID, bad.Play, id, bad.Final)
			}
			v := judge.Judge(&before, Light, c.dice(), &after, c.excluded())
			good := false
			for _, code := range codesOf[rule] {
				good = good || v.Code == code
			}
			if v.Legal || !good || !slices.Contains(v.Rules, rule) {
				t.Errorf("%s %s: %q %v %v, want one of %v (%s)", c.ID, bad.Play, v.Code, v.Rules, v.Points, codesOf[rule], bad.Why)
			}
		}
	}
}

func TestEveryLegalResultIsFoundLegal(t *testing.T) {
	judge := NewJudge(Options{})
	var g Generator
	for _, row := range corpus(t) {
		pos, err := ParseID(row.PositionID, Light)
		if err != nil {
			t.Fatal(err)
		}
		plays := g.Plays(&pos, Light, row.Dice)
		if len(plays) == 0 {
			if v := judge.Judge(&pos, Light, row.Dice, &pos, [2]int{}); !v.Legal || v.Play.N != 0 {
				t.Errorf("row %d: not moving where nothing can be moved is %+v", row.I, v)
			}
			continue
		}
		if v := judge.Judge(&pos, Light, row.Dice, &pos, [2]int{}); v.Code != TooFew {
			t.Errorf("row %d: not moving where something can be moved is %v (MOVE-8)", row.I, v.Code)
		}
		last := &plays[len(plays)-1]
		if v := judge.Judge(&pos, Light, row.Dice, &last.Final, [2]int{}); !v.Legal || v.Play != *last {
			t.Errorf("row %d: %s is %+v", row.I, last, v)
		}
	}
}

// fault is one thing done wrong on a board, with what a referee should make of it.
type fault struct {
	name   string
	before map[uint8]uint8 // the mover's checkers
	other  map[uint8]uint8
	dice   Dice
	do     string // written play, made by hand
	then   func(*Position)
	code   Code
	rule   string
	points []uint8
}

func TestFaultsHaveTheirCodes(t *testing.T) {
	start := map[uint8]uint8{24: 2, 13: 5, 8: 3, 6: 5}
	for _, f := range []fault{
		{"nothing is played", start, start, Dice{3, 1}, "", nil, TooFew, "MOVE-9", nil},
		{"a checker is moved backwards", start, start, Dice{3, 1}, "13/10 6/7", nil, WrongWay, "MOVE-1", []uint8{7}},
		{"the opponent's checker is moved", start, start, Dice{3, 1}, "8/5 6/5", func(p *Position) {
			p.Checkers[Dark][13]--
			p.Checkers[Dark][14]++
		}, WrongWay, "MOVE-1", []uint8{12, 11}},
		{"the opponent's checker is lifted without a hit", start, start, Dice{3, 1}, "8/5 6/5", func(p *Position) {
			p.Checkers[Dark][13]--
			p.Checkers[Dark][Bar]++
		}, HitNotLifted, "HIT-4", nil},
		{"a checker is lost", start, start, Dice{3, 1}, "8/5 6/5", func(p *Position) { p.Checkers[Light][5]-- }, Impossible, "IRREG-11", nil},
		{"six and one are played with three and one", start, start, Dice{3, 1}, "13/7 8/7", nil, WrongCount, "MOVE-1", nil},
		{"two twos are played with three and one", start, start, Dice{3, 1}, "13/11 6/4", nil, OtherMismatch, "IRREG-1", nil},
		{"three checkers are moved with two numbers", start, start, Dice{3, 1}, "8/7 8/7 6/4", nil, WrongCount, "MOVE-1", nil},
		{"a blot is left under a wrong move", start, map[uint8]uint8{20: 1, 24: 1, 13: 5, 8: 3, 6: 5}, Dice{2, 1}, "8/5 6/5",
			func(p *Position) { p.Checkers[Dark][20], p.Checkers[Dark][Bar] = 1, 0 }, HitNotLifted, "HIT-4", []uint8{5}},
		{"a checker is moved against a closed board", map[uint8]uint8{Bar: 1, 13: 6, 6: 8},
			map[uint8]uint8{6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, Dice{}, "13/7", nil, BarFirst, "ENTER-1", nil},
		{"a wrong number is played where nothing can be", map[uint8]uint8{24: 2}, map[uint8]uint8{13: 3, 7: 2, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2},
			Dice{6, 5}, "24/16", nil, NoLegalPlay, "MOVE-13", nil},
		{"a second checker is borne off with one number left", map[uint8]uint8{6: 3, 3: 3}, start, Dice{6, 3}, "6/off 6/off 3/off", nil, WrongCount, "MOVE-1", nil},
	} {
		t.Run(f.name, func(t *testing.T) {
			before := layOut(f.before, f.other)
			steps, err := ParseNotation(f.do)
			if err != nil {
				t.Fatal(err)
			}
			after, err := Apply(&before, Light, steps)
			if err != nil {
				t.Fatal(err)
			}
			if f.then != nil {
				f.then(&after)
			}
			v := NewJudge(Options{}).Judge(&before, Light, f.dice, &after, [2]int{})
			if v.Code != f.code || len(v.Rules) == 0 || v.Rules[0] != f.rule {
				t.Errorf("%v %v, want %v %v", v.Code, v.Rules, f.code, f.rule)
			}
			if f.points != nil && !slices.Equal(v.Points, f.points) {
				t.Errorf("points %v, want %v", v.Points, f.points)
			}
			if (v.Impossible != nil) != (after.Check([2]int{}) != nil) {
				t.Errorf("impossible: %v", v.Impossible)
			}
		})
	}
}

// layOut returns a position with light's checkers first; those missing to fifteen are borne off.
func layOut(light, dark map[uint8]uint8) Position {
	var p Position
	for s, row := range []map[uint8]uint8{light, dark} {
		p.Checkers[s][Off] = Checkers
		for point, n := range row {
			p.Checkers[s][point] = n
			p.Checkers[s][Off] -= n
		}
	}
	return p
}

func BenchmarkJudge(b *testing.B) {
	rows := corpus(b)
	var g Generator
	before, after := make([]Position, len(rows)), make([]Position, len(rows))
	for i, row := range rows {
		pos, err := ParseID(row.PositionID, Light)
		if err != nil {
			b.Fatal(err)
		}
		before[i], after[i] = pos, pos
		if plays := g.Plays(&pos, Light, row.Dice); len(plays) > 0 {
			after[i] = plays[len(plays)/2].Final
		}
	}
	judge := NewJudge(Options{})
	for _, legal := range []bool{true, false} {
		b.Run(map[bool]string{true: "legal", false: "illegal"}[legal], func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				to := &after[i]
				if !legal {
					to = &before[i]
				}
				judge.Judge(&before[i], Light, rows[i].Dice, to, [2]int{})
				if i++; i == len(rows) {
					i = 0
				}
			}
		})
	}
}

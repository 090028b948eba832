package rules

import (
	"errors"
	"testing"
)

func TestStartPositionsCount167PipsAndStandardHasItsID(t *testing.T) {
	start := Start(Standard)
	if id := start.ID(Light); id != "4HPwATDgc/ABMA" {
		t.Errorf("start position has ID %s", id)
	}
	if start.Pips(Light) != 167 || start.Pips(Dark) != 167 {
		t.Errorf("pips %d and %d (SETUP-2)", start.Pips(Light), start.Pips(Dark))
	}
	for _, v := range []Variant{Standard, Iran, Tavla, Nackgammon, AceyDeucey} {
		pos := Start(v)
		if err := pos.Check([2]int{}); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
}

func TestPositionIDListsTheOtherSideFirst(t *testing.T) {
	start := Start(Standard)
	plays := Plays(&start, Light, Dice{3, 1})
	for i := range plays {
		if plays[i].String() == "8/5 6/5" {
			if id := plays[i].Final.ID(Dark); id != "sGfwATDgc/ABMA" {
				t.Errorf("after 8/5 6/5 with dark on roll the ID is %s", id)
			}
			return
		}
	}
	t.Error("8/5 6/5 is not a play of 3-1")
}

func TestPositionIDsAreReadBack(t *testing.T) {
	for _, row := range corpus(t) {
		for _, mover := range []Side{Light, Dark} {
			pos, err := ParseID(row.PositionID, mover)
			if err != nil {
				t.Fatal(err)
			}
			if id := pos.ID(mover); id != row.PositionID {
				t.Errorf("%s became %s", row.PositionID, id)
			}
		}
	}
}

func TestPositionIDsThatStandForNoBoardAreRefused(t *testing.T) {
	for _, id := range []string{"", "4HPwATDgc/ABM", "4HPwATDgc/ABMAA", "4HPwATDgc/AB!A", "//////////////", "////////AAAAAA"} {
		if _, err := ParseID(id, Light); err == nil {
			t.Errorf("%q was read without complaint", id)
		}
	}
}

func TestImpossiblePositionsAreToldApart(t *testing.T) {
	pos := Start(Standard)
	pos.Checkers[Dark][25-8] = 1
	var impossible *ImpossibleError
	if err := pos.Check([2]int{}); !errors.As(err, &impossible) || impossible.Mixed != 8 {
		t.Errorf("both colours on light's 8 point: %v", err)
	}
	pos = Start(Standard)
	pos.Checkers[Light][13]--
	if err := pos.Check([2]int{}); !errors.As(err, &impossible) || impossible.Active[Light] != 14 {
		t.Errorf("fourteen light checkers: %v", err)
	}
	if err := pos.Check([2]int{Light: 1}); err != nil {
		t.Errorf("fourteen light checkers with one excluded (IRREG-9): %v", err)
	}
}

func FuzzParseID(f *testing.F) {
	f.Add("4HPwATDgc/ABMA")
	f.Add("0001\n\n\n\n\n\n0/00")
	f.Fuzz(func(t *testing.T, id string) {
		pos, err := ParseID(id, Light)
		if err != nil {
			return
		}
		again, err := ParseID(pos.ID(Light), Light)
		if err != nil || again != pos {
			t.Errorf("%q is not read back: %v", id, err)
		}
	})
}

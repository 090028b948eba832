package rules

import (
	"fmt"
	"testing"
)

func ExampleDraw() {
	pos, _ := ParseID("sGfwATDgc/ABMA", Dark)
	fmt.Print(Draw(&pos, Light))
	// Output:
	// 13 14 15 16 17 18      19 20 21 22 23 24
	//  +-------------------+---+-------------------+
	//  |  O           X    |   |  X              O |
	//  |  O           X    |   |  X              O |
	//  |  O           X    |   |  X                |
	//  |  O                |   |  X                |
	//  |  O                |   |  X                |
	//  |                   |BAR|                   |
	//  |  X                |   |                   |
	//  |  X                |   |  O                |
	//  |  X                |   |  O                |
	//  |  X           O    |   |  O  O           X |
	//  |  X           O    |   |  O  O           X |
	//  +-------------------+---+-------------------+
	//   12 11 10  9  8  7       6  5  4  3  2  1
	//   O light: 163 pips, X dark: 167 pips
}

func TestEveryLegalPlayIsReadBackFromItsNotation(t *testing.T) {
	var g Generator
	for _, row := range corpus(t) {
		pos, err := ParseID(row.PositionID, Dark)
		if err != nil {
			t.Fatal(err)
		}
		plays := g.Plays(&pos, Dark, row.Dice)
		for i := range plays {
			text := plays[i].String()
			steps, err := ParseNotation(text)
			if err != nil {
				t.Fatal(err)
			}
			final, err := Apply(&pos, Dark, steps)
			if err != nil || final != plays[i].Final {
				t.Fatalf("row %d: %s (%+v) leads elsewhere when read again (%v)", row.I, text, plays[i].Moves, err)
			}
			if play, ok := Resolve(&pos, Dark, steps, plays); !ok || play.Final != final {
				t.Fatalf("row %d: %s is not found among the legal plays", row.I, text)
			}
		}
	}
}

func TestPlaysAreWrittenAsPlayersWriteThem(t *testing.T) {
	for _, c := range []struct {
		moves []Move
		want  string
	}{
		{nil, ""},
		{[]Move{{6, 5, true}, {8, 5, false}}, "8/5 6/5*"},
		{[]Move{{Bar, 20, false}, {6, Off, false}}, "bar/20 6/off"},
		{[]Move{{24, 18, false}, {18, 14, false}}, "24/14"},
		{[]Move{{13, 11, true}, {11, 7, false}}, "13/11*/7"},
		{[]Move{{13, 11, false}, {13, 11, false}, {6, 4, false}, {6, 4, false}}, "13/11(2) 6/4(2)"},
		{[]Move{{13, 11, false}, {11, 9, false}, {13, 11, false}, {11, 9, false}}, "13/9(2)"},
		{[]Move{{8, 5, true}, {8, 5, false}}, "8/5*(2)"},
	} {
		play := Play{N: uint8(len(c.moves))}
		copy(play.Moves[:], c.moves)
		if got := play.String(); got != c.want {
			t.Errorf("%v: %q, want %q", c.moves, got, c.want)
		}
	}
}

func TestNotationIsReadInEverySpelling(t *testing.T) {
	start := Start(Standard)
	for _, same := range [][]string{
		{"8/5 6/5", "8/5, 6/5", "  6/5  8/5 "},
		{"13/11(2)", "13/11 13/11", "13/11(2) "},
		{"24/14", "24/18/14", "24/18 18/14", "24/20 20/14"},
		{"", "Cannot Move", "(no play)", "(no move)", "cannot move"},
	} {
		var want Position
		for i, text := range same {
			steps, err := ParseNotation(text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Apply(&start, Light, steps)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want = got
			} else if got != want {
				t.Errorf("%q leads elsewhere than %q", text, same[0])
			}
		}
	}
	for _, bad := range []string{"8", "8/", "/5", "26/20", "8/5(9)", "8/5(", "off/3", "x/y", "8/7/6/5/4/3", "8/5*(0)"} {
		if _, err := ParseNotation(bad); err == nil {
			t.Errorf("%q was read without complaint", bad)
		}
	}
}

func FuzzParseNotation(f *testing.F) {
	for _, seed := range []string{"8/5 6/5*", "bar/20", "6/off", "13/11*/7(2)", "25/20 6/0", "Cannot Move"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := ParseNotation(text)
		if err != nil {
			return
		}
		start := Start(Standard)
		if final, err := Apply(&start, Dark, steps); err == nil && (final.Active(Light) != 15 || final.Active(Dark) != 15) {
			t.Errorf("%q made or lost checkers", text)
		}
	})
}

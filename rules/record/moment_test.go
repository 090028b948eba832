package record

import (
	"encoding/json"
	"os"
	"testing"

	"davar/rules"
	"davar/rules/match"
)

type vector struct {
	XGID       string `json:"xgid"`
	PositionID string `json:"position_id"`
	MatchID    string `json:"match_id_gnubg_prints"`
}

func vectors(t *testing.T) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Vectors
}

// onRollBelow turns the table round so that the player on roll is light, as GNU Backgammon's "set xgid" does.
func onRollBelow(m Moment) Moment {
	if m.Turn == rules.Light {
		return m
	}
	m.Turn = rules.Light
	m.Score[0], m.Score[1] = m.Score[1], m.Score[0]
	c := &m.Position.Checkers
	c[0], c[1] = c[1], c[0]
	m.Cube.Owner = m.Cube.Owner.Other()
	return m
}

func TestVectorsAgreeInAllThreeIDs(t *testing.T) {
	for _, v := range vectors(t) {
		m, err := ParseXGID(v.XGID)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := m.XGID(); err != nil || again != v.XGID {
			t.Errorf("%s became %s (%v)", v.XGID, again, err)
		}
		if id := m.Position.ID(m.Turn); id != v.PositionID {
			t.Errorf("%s: position ID %s, want %s", v.XGID, id, v.PositionID)
		}
		seen := onRollBelow(m)
		if id, err := seen.MatchID(); err != nil || id != v.MatchID {
			t.Errorf("%s: match ID %s (%v), want %s", v.XGID, id, err, v.MatchID)
		}
		back, err := ParseGNUID(v.PositionID, v.MatchID)
		if err != nil {
			t.Fatal(err)
		}
		back.Beavers, back.CubeMax = seen.Beavers, seen.CubeMax
		if seen.Dice[0] < seen.Dice[1] {
			seen.Dice[0], seen.Dice[1] = seen.Dice[1], seen.Dice[0]
		}
		if !seen.Cube.Owned {
			seen.Cube.Owner = rules.Light
		}
		if back != seen {
			t.Errorf("%s:%s read as %+v, want %+v", v.PositionID, v.MatchID, back, seen)
		}
	}
}

func TestMatchIDOfTheGNUManual(t *testing.T) {
	// Cube 2 owned by player 0, player 1 rolled 52, nine points, two to four; bit 66 was not yet in use.
	m, err := ParseMatchID("QYkqASAAIAAA")
	if err != nil {
		t.Fatal(err)
	}
	want := Moment{
		Position: rules.Start(rules.Standard), Turn: rules.Light, Dice: rules.Dice{5, 2}, Length: 9,
		Cube: match.Cube{Value: 2, Owned: true, Owner: rules.Dark}, Score: [2]int{rules.Light: 4, rules.Dark: 2},
	}
	if m != want {
		t.Errorf("read %+v, want %+v", m, want)
	}
	if id, _ := m.MatchID(); id != "QYkqASAAIAAE" {
		t.Errorf("written as %s, want QYkqASAAIAAE: a match knows no Jacoby", id)
	}
}

func TestIDsThatStandForNoMatchAreRefused(t *testing.T) {
	for _, bad := range []string{
		"", "XGID=", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10:9", "-b----E-C---eE---c-e----B:0:0:1:31:2:4:0:7:10",
		"-b----E-C---eE---c-e----Bb:0:0:1:31:2:4:0:7:10", "-b----O-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10",
		"-b----E-C---eE---c-e----B-:99:0:1:31:2:4:0:7:10", "-b----E-C---eE---c-e----B-:0:0:0:31:2:4:0:7:10",
		"-b----E-C---eE---c-e----B-:0:0:1:71:2:4:0:7:10", "-b----E-C---eE---c-e----B-:0:0:1:31:-1:4:0:7:10",
	} {
		if _, err := ParseXGID(bad); err == nil {
			t.Errorf("XGID %q was read without complaint", bad)
		}
	}
	for _, bad := range []string{"", "QYkqASAAIAA", "QYkqASAAIAA!", "////////////"} {
		if _, err := ParseMatchID(bad); err == nil {
			t.Errorf("match ID %q was read without complaint", bad)
		}
	}
}

func TestADoubleOnOfferIsWritten(t *testing.T) {
	moment := Moment{Position: rules.Start(rules.Standard), Turn: rules.Dark, Cube: match.Cube{Value: 1}, Offer: Doubled, Length: 7, CubeMax: 64}
	xgid, err := moment.XGID()
	if want := "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:7:6"; err != nil || xgid != want {
		t.Errorf("XGID %s (%v), want %s", xgid, err, want)
	}
	id, err := moment.MatchID()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ParseMatchID(id); err != nil || back.Offer != Doubled || back.Turn != rules.Dark {
		t.Errorf("match ID %s read as %+v (%v)", id, back, err)
	}
}

func TestEveryDecisionOfARecordBecomesAnXGID(t *testing.T) {
	rec := mustRead(t, ` 0 point match

 Game 1
 Ann : 0                         Ben : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Beavers => 4               63: 24/18 13/10
  3)  Doubles => 8                Drops
      Wins 4 points
`)
	text, _, err := rec.Write(FormatXGID)
	if err != nil {
		t.Fatal(err)
	}
	want := `; Game 1, Ann 0, Ben 0
XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10
XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:0:10
XGID=-b---BD-B---eE---c-e----B-:0:0:-1:D:0:0:0:0:10
XGID=-b---BD-B---eE---c-e----B-:1:1:-1:B:0:0:0:0:10
XGID=-b---BD-B---eE---c-e----B-:2:1:-1:63:0:0:0:0:10
XGID=-a---BDaB---dE-a-c-e----B-:2:1:1:00:0:0:0:0:10
XGID=-a---BDaB---dE-a-c-e----B-:2:1:1:D:0:0:0:0:10
`
	if string(text) != want {
		t.Errorf("%s", text)
	}
}

func FuzzParseXGID(f *testing.F) {
	f.Add("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10")
	f.Add("aB--BBB-----dE---d-c-c--A-:1:1:1:D:3:5:0:9")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseXGID(text)
		if err != nil {
			return
		}
		again, err := m.XGID()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseXGID(again); err != nil || back != m {
			t.Errorf("%q became %q (%v)", text, again, err)
		}
	})
}

func FuzzParseMatchID(f *testing.F) {
	f.Add("cInlAEAAEAAE")
	f.Add("QYkqASAAIAAA")
	f.Fuzz(func(t *testing.T, id string) {
		m, err := ParseMatchID(id)
		if err != nil {
			return
		}
		again, err := m.MatchID()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseMatchID(again); err != nil || back.Score != m.Score || back.Cube != m.Cube {
			t.Errorf("%q became %q (%v)", id, again, err)
		}
	})
}

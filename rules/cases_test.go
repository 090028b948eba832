package rules

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// workedCase is one case of testdata/cases.json; Light is always the mover.
type workedCase struct {
	ID         string           `json:"id"`
	Variant    Variant          `json:"variant"`
	Note       string           `json:"note"`
	PositionID string           `json:"position_id"`
	Dice       []uint8          `json:"dice"`
	NPlays     int              `json:"n_plays"`
	DiceUsed   int              `json:"dice_used"`
	Results    []string         `json:"results"`
	Hash       string           `json:"hash"`
	Bar        map[string]uint8 `json:"bar"`
	Off        map[string]uint8 `json:"off"`
	Excluded   map[string]int   `json:"excluded"`
	Illegal    []illegalExample `json:"illegal"`
	Plays      []string         `json:"plays"`
	Result     *struct {
		Multiplier int    `json:"multiplier"`
		Name       string `json:"name"`
	} `json:"result"`
}

type illegalExample struct {
	Play  string `json:"play"`
	Why   string `json:"why"`
	Final string `json:"final"`
}

func (c *workedCase) excluded() [2]int { return [2]int{c.Excluded["mover"], c.Excluded["other"]} }

func (c *workedCase) position(t *testing.T) Position {
	t.Helper()
	pos, err := ParseID(c.PositionID, Light)
	if err != nil {
		t.Fatal(err)
	}
	pos.Checkers[Light][Off] = c.Off["mover"]
	pos.Checkers[Dark][Off] = c.Off["other"]
	return pos
}

func (c *workedCase) dice() Dice {
	if len(c.Dice) == 0 {
		return Dice{}
	}
	return Dice{c.Dice[0], c.Dice[1]}
}

func workedCases(t *testing.T) []workedCase {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []workedCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

func TestWorkedCasesHaveExactlyTheirLegalResults(t *testing.T) {
	for _, c := range workedCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			pos := c.position(t)
			if err := pos.Check(c.excluded()); err != nil {
				t.Error(err)
			}
			plays := NewGenerator(OptionsFor(c.Variant)).Plays(&pos, Light, c.dice())
			ids := resultIDs(plays)
			want := slices.Clone(c.Results)
			slices.Sort(want)
			if !slices.Equal(ids, want) {
				t.Errorf("%s\n got %v\nwant %v", c.Note, ids, want)
			}
			if used := DiceUsed(plays); used != c.DiceUsed {
				t.Errorf("dice used %d, want %d", used, c.DiceUsed)
			}
			if h := ResultHash(plays, Light); h != c.Hash {
				t.Errorf("hash %s, want %s", h, c.Hash)
			}
			for _, bad := range c.Illegal {
				if slices.Contains(ids, bad.Final) {
					t.Errorf("%s is listed as legal: %s", bad.Play, bad.Why)
				}
			}
			if c.Result != nil {
				winner, win := plays[0].Final.Won(OptionsFor(c.Variant))
				if winner != Light || int(win) != c.Result.Multiplier || win.String() != c.Result.Name {
					t.Errorf("%v wins a %v, want light a %s", winner, win, c.Result.Name)
				}
			}
		})
	}
}

type corpusRow struct {
	I          int      `json:"i"`
	PositionID string   `json:"position_id"`
	Dice       [2]uint8 `json:"dice"`
	counts
	Iran counts `json:"iran"`
}

type counts struct {
	NPlays   int    `json:"n_plays"`
	DiceUsed int    `json:"dice_used"`
	Hash     string `json:"hash"`
}

func corpus(t testing.TB) []corpusRow {
	t.Helper()
	file, err := os.Open("testdata/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []corpusRow
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var row corpusRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestCorpusRowsHaveTheirHashes(t *testing.T) {
	standard, iran := NewGenerator(OptionsFor(Standard)), NewGenerator(OptionsFor(Iran))
	for _, row := range corpus(t) {
		pos, err := ParseID(row.PositionID, Dark)
		if err != nil {
			t.Fatal(err)
		}
		if got := countsOf(standard.Plays(&pos, Dark, row.Dice), Dark); got != row.counts {
			t.Errorf("row %d %s %v: %+v, want %+v", row.I, row.PositionID, row.Dice, got, row.counts)
		}
		if got := countsOf(iran.Plays(&pos, Dark, row.Dice), Dark); got != row.Iran {
			t.Errorf("row %d %s %v, Iranian: %+v, want %+v", row.I, row.PositionID, row.Dice, got, row.Iran)
		}
	}
}

func countsOf(plays []Play, mover Side) counts {
	return counts{NPlays: len(plays), DiceUsed: DiceUsed(plays), Hash: ResultHash(plays, mover)}
}

func resultIDs(plays []Play) []string {
	ids := make([]string, len(plays))
	for i := range plays {
		ids[i] = plays[i].Final.ID(Light)
	}
	slices.Sort(ids)
	return ids
}

func BenchmarkPlays(b *testing.B) {
	rows := corpus(b)
	for _, kind := range []struct {
		name    string
		double  bool
		variant Variant
	}{{"pair", false, Standard}, {"double", true, Standard}, {"iran pair", false, Iran}, {"iran double", true, Iran}} {
		var positions []Position
		var dice []Dice
		for _, row := range rows {
			if d := Dice(row.Dice); d.Double() == kind.double {
				pos, err := ParseID(row.PositionID, Light)
				if err != nil {
					b.Fatal(err)
				}
				positions, dice = append(positions, pos), append(dice, d)
			}
		}
		g := NewGenerator(OptionsFor(kind.variant))
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			i, n := 0, 0
			for b.Loop() {
				n += len(g.Plays(&positions[i], Light, dice[i]))
				if i++; i == len(positions) {
					i = 0
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "plays/s")
		})
	}
}

package analysis

import (
	"bufio"
	"bytes"
	"errors"
	"strconv"
	"strings"

	"davar/rules"
)

// table is a match equity table: chances to win a match by the points that the players still need.
type table struct {
	before [][]float64 // [own-1][other's-1], before the Crawford game
	after  []float64   // [own-1] against one who needs one point, after the Crawford game
}

var errTable = errors.New("its match equity table is not understood")

// longestMatch is the longest match for which GNU Backgammon has a table.
const longestMatch = 64

// readTable reads what GNU Backgammon prints on tableCommand; nil where there is no table.
func readTable(said []byte, length int) (*table, error) {
	if tableCommand(length) == "" {
		return nil, nil
	}
	t := &table{}
	lines := bufio.NewScanner(bytes.NewReader(said))
	post := false
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		post = post || strings.HasPrefix(line, "Post-Crawford table")
		f := strings.Fields(line)
		if len(f) < 2 || !strings.HasSuffix(f[0], "-away") || strings.HasSuffix(f[1], "-away") {
			continue
		}
		row, err := percentages(f[1:])
		switch {
		case err != nil:
			return nil, err
		case !post:
			t.before = append(t.before, row)
		case t.after == nil:
			t.after = row
		}
	}
	if len(t.before) < length || len(t.after) < length {
		return nil, errTable
	}
	for _, row := range t.before {
		if len(row) < length {
			return nil, errTable
		}
	}
	return t, nil
}

func percentages(fields []string) ([]float64, error) {
	row, err := floats(fields)
	for i := range row {
		row[i] /= 100
	}
	return row, err
}

// stake is what a game is about: the score before it, by side, and whether the Crawford game is it or is over.
type stake struct {
	length int // 0 = money
	score  [2]int
	post   bool
	table  *table
}

// chance returns side's chance to win the match after somebody has won points.
func (s *stake) chance(side, winner rules.Side, points int) float64 {
	score := s.score
	score[winner] += points
	own, other := s.length-score[side], s.length-score[side.Other()]
	switch {
	case own <= 0:
		return 1
	case other <= 0:
		return 0
	case s.post && other == 1:
		return s.table.after[own-1]
	case s.post:
		return 1 - s.table.after[other-1]
	}
	return s.table.before[own-1][other-1]
}

// normalised turns a cube equity of side as the engine writes it into one of which 1 is a single game won at the
// cube's value; in money play it is that already.
func (s *stake) normalised(side rules.Side, equity float64, cube int) float64 {
	if s.length == 0 {
		return equity
	}
	win, lose := s.chance(side, side, cube), s.chance(side, side.Other(), cube)
	if win <= lose {
		return equity
	}
	return (2*equity - win - lose) / (win - lose)
}

// tableCommand asks for what stake needs; nothing in money play and in matches longer than any table.
func tableCommand(length int) string {
	if length == 0 || length > longestMatch {
		return ""
	}
	return "show matchequitytable " + strconv.Itoa(length) + "\n"
}

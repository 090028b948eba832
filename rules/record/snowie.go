package record

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"davar/rules"
	"davar/rules/match"
)

// snowieFields is the number of fields of a Snowie position text: twelve of the match, twenty-six of the board
// (the other side's bar, the points of the player on roll, his bar) and two dice.
const snowieFields = 12 + 26 + 2

// Snowie returns the moment as a line of Snowie position text, seen by the player on roll, with both names. Light
// is player 1 as in the match ID: so GNU Backgammon reads it inside a .mat whose left column is light.
func (m *Moment) Snowie(players [2]string) string {
	turn, other := m.Turn, m.Turn.Other()
	owner := 0
	if m.Cube.Owned {
		owner = -1
		if m.Cube.Owner == turn {
			owner = 1
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d;%d;0;0;%d;%s;%s;%d;%d;%d;%d;%d;", m.Length, toBit(m.Jacoby), gnuPlayer(int(turn)), snowieName(players[turn]),
		snowieName(players[other]), toBit(m.Crawford), m.Score[turn], m.Score[other], m.Cube.Value, owner)
	mine, theirs := &m.Position.Checkers[turn], &m.Position.Checkers[other]
	fmt.Fprintf(&b, "%d;", -int(theirs[rules.Bar]))
	for p := 1; p <= 24; p++ {
		n := int(mine[p])
		if n == 0 {
			n = -int(theirs[25-p])
		}
		fmt.Fprintf(&b, "%d;", n)
	}
	fmt.Fprintf(&b, "%d;%d;%d;", mine[rules.Bar], m.Dice[0], m.Dice[1])
	return b.String()
}

// snowieName makes a name safe for the text: it must not end a field or the brackets around it.
func snowieName(name string) string {
	return strings.NewReplacer("(", " ", ")", " ").Replace(cleanName(name))
}

// ParseSnowie reads a line of Snowie position text. Player 1 is light.
func ParseSnowie(text string) (Moment, error) {
	fields := strings.Split(strings.TrimSuffix(strings.TrimSpace(text), ";"), ";")
	if len(fields) != snowieFields {
		return Moment{}, fmt.Errorf("record: read Snowie position: %d fields, want %d", len(fields), snowieFields)
	}
	var n [snowieFields]int
	for i, f := range fields {
		if i == 5 || i == 6 {
			continue // names
		}
		v, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil || v < -15 && i >= 12 || v > 1<<15-1 || v > 15 && i >= 12 || v < 0 && i < 11 {
			return Moment{}, fmt.Errorf("record: read Snowie position: field %d: %q is not a number that may stand there", i+1, f)
		}
		n[i] = v
	}
	if n[4] > 1 || n[10] < 1 || bits.OnesCount(uint(n[10])) != 1 || n[38] < 0 || n[39] < 0 {
		return Moment{}, fmt.Errorf("record: read Snowie position: player, cube or dice out of range")
	}
	m := Moment{
		Turn: rules.Side(gnuPlayer(n[4])), Length: n[0], Jacoby: n[1] == 1, Crawford: n[7] == 1 && n[0] > 0,
		Cube: match.Cube{Value: n[10]}, Dice: rules.Dice{uint8(n[38]), uint8(n[39])},
	}
	m.Score[m.Turn], m.Score[m.Turn.Other()] = n[8], n[9]
	if n[11] != 0 {
		m.Cube.Owned, m.Cube.Owner = true, m.Turn
		if n[11] < 0 {
			m.Cube.Owner = m.Turn.Other()
		}
	}
	if err := m.readSnowieBoard(n[12:38]); err != nil {
		return Moment{}, err
	}
	if err := m.check(); err != nil {
		return Moment{}, fmt.Errorf("record: read Snowie position: %w", err)
	}
	return m, nil
}

func (m *Moment) readSnowieBoard(counts []int) error {
	mine, theirs := &m.Position.Checkers[m.Turn], &m.Position.Checkers[m.Turn.Other()]
	if counts[0] > 0 || counts[25] < 0 {
		return fmt.Errorf("record: read Snowie position: the bars have the wrong sign")
	}
	off := [2]int{rules.Checkers, rules.Checkers}
	theirs[rules.Bar], mine[rules.Bar] = uint8(-counts[0]), uint8(counts[25])
	off[0] -= counts[25]
	off[1] += counts[0]
	for p := 1; p <= 24; p++ {
		if c := counts[p]; c > 0 {
			mine[p] = uint8(c)
			off[0] -= c
		} else {
			theirs[25-p] = uint8(-c)
			off[1] += c
		}
	}
	if off[0] < 0 || off[1] < 0 {
		return fmt.Errorf("record: read Snowie position: a side has more than fifteen checkers")
	}
	mine[rules.Off], theirs[rules.Off] = uint8(off[0]), uint8(off[1])
	return nil
}

package record

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"davar/rules"
	"davar/rules/match"
)

// XGID returns the moment as eXtreme Gammon writes it, with the prefix "XGID=": light is X and sits at the
// bottom, whoever is on roll. Checkers borne off or excluded are not in it.
func (m *Moment) XGID() (string, error) {
	if err := m.check(); err != nil {
		return "", fmt.Errorf("record: write XGID: %w", err)
	}
	var b strings.Builder
	b.WriteString("XGID=")
	for i := range 26 {
		b.WriteByte(xgidPoint(&m.Position, i))
	}
	fmt.Fprintf(&b, ":%d:%d:%d:%s:%d:%d", bits.Len(uint(m.Cube.Value))-1, m.xgidOwner(), xgidSide(m.Turn), m.xgidDice(),
		m.Score[rules.Light], m.Score[rules.Dark])
	highest := m.CubeMax
	if highest == 0 {
		highest = 1 << 10
	}
	fmt.Fprintf(&b, ":%d:%d:%d", m.xgidRules(), m.Length, bits.Len(uint(highest))-1)
	return b.String(), nil
}

// xgidPoint returns the letter of slot i: 0 is dark's bar, 1...24 light's points, 25 light's bar.
func xgidPoint(p *rules.Position, i int) byte {
	light, dark := p.Checkers[rules.Light][i], p.Checkers[rules.Dark][25-i]
	switch {
	case i > 0 && light > 0:
		return 'A' + light - 1
	case i < 25 && dark > 0:
		return 'a' + dark - 1
	}
	return '-'
}

func xgidSide(s rules.Side) int {
	if s == rules.Light {
		return 1
	}
	return -1
}

func (m *Moment) xgidOwner() int {
	if !m.Cube.Owned {
		return 0
	}
	return xgidSide(m.Cube.Owner)
}

func (m *Moment) xgidDice() string {
	switch m.Offer {
	case Doubled:
		return "D"
	case Beavered:
		return "B"
	case Raccooned:
		return "R"
	}
	return fmt.Sprintf("%d%d", m.Dice[0], m.Dice[1])
}

func (m *Moment) xgidRules() int {
	n := 0
	if m.Length > 0 {
		if m.Crawford {
			n = 1
		}
		return n
	}
	if m.Jacoby {
		n |= 1
	}
	if m.Beavers {
		n |= 2
	}
	return n
}

// ParseXGID reads an XGID, with or without its prefix, with nine or ten fields. Checkers that are not in it
// count as borne off. It returns an error when a field cannot be read or the position cannot stand on a board.
func ParseXGID(text string) (Moment, error) {
	m, err := parseXGID(strings.TrimPrefix(strings.TrimSpace(text), "XGID="))
	if err != nil {
		return Moment{}, fmt.Errorf("record: read XGID %q: %w", text, err)
	}
	return m, nil
}

func parseXGID(text string) (Moment, error) {
	var m Moment
	fields := strings.Split(text, ":")
	if len(fields) < 9 || len(fields) > 10 {
		return m, fmt.Errorf("%d fields, want position and eight or nine more, separated by colons", len(fields))
	}
	if err := m.readXGIDPosition(fields[0]); err != nil {
		return m, err
	}
	if err := m.readXGIDDice(fields[4]); err != nil {
		return m, err
	}
	var n [10]int
	n[9] = 10
	for i, f := range fields[1:] {
		if i+1 == 4 {
			continue
		}
		v, err := strconv.Atoi(f)
		if err != nil || v < -1 || v > 1<<15-1 {
			return m, fmt.Errorf("field %d: %q is not a number that may stand there", i+2, f)
		}
		n[i+1] = v
	}
	if n[1] < 0 || n[1] > 15 || n[2] > 1 || n[3] != 1 && n[3] != -1 || n[9] < 0 || n[9] > 15 || n[7] < 0 || n[7] > 3 || n[8] < 0 {
		return m, fmt.Errorf("cube, owner, turn or rules out of range")
	}
	m.Cube = match.Cube{Value: 1 << n[1], Owned: n[2] != 0, Owner: xgidPlayer(n[2])}
	m.Turn, m.Score, m.Length, m.CubeMax = xgidPlayer(n[3]), [2]int{n[5], n[6]}, n[8], 1<<n[9]
	if m.Length > 0 {
		m.Crawford = n[7]&1 != 0
	} else {
		m.Jacoby, m.Beavers = n[7]&1 != 0, n[7]&2 != 0
	}
	return m, m.check()
}

func xgidPlayer(n int) rules.Side {
	if n < 0 {
		return rules.Dark
	}
	return rules.Light
}

func (m *Moment) readXGIDPosition(text string) error {
	if len(text) != 26 {
		return fmt.Errorf("position has %d characters, want 26", len(text))
	}
	off := [2]int{rules.Checkers, rules.Checkers}
	for i := range 26 {
		var side rules.Side
		var n int
		switch c := text[i]; {
		case c == '-':
			continue
		case c >= 'A' && c <= 'O' && i > 0:
			side, n = rules.Light, int(c-'A')+1
			m.Position.Checkers[side][i] = uint8(n)
		case c >= 'a' && c <= 'o' && i < 25:
			side, n = rules.Dark, int(c-'a')+1
			m.Position.Checkers[side][25-i] = uint8(n)
		default:
			return fmt.Errorf("position: %q cannot stand at place %d", c, i)
		}
		off[side] -= n
	}
	for s, n := range off {
		if n < 0 {
			return fmt.Errorf("%v has %d checkers", rules.Side(s), rules.Checkers-n)
		}
		m.Position.Checkers[s][rules.Off] = uint8(n)
	}
	return nil
}

func (m *Moment) readXGIDDice(text string) error {
	switch text {
	case "00":
	case "D", "DD":
		m.Offer = Doubled
	case "B", "BB":
		m.Offer = Beavered
	case "R", "RR":
		m.Offer = Raccooned
	default:
		dice, err := rules.ParseDice(text)
		if err != nil || len(text) != 2 {
			return fmt.Errorf("dice %q are neither 00, two numbers, D, B nor R", text)
		}
		m.Dice = dice
	}
	return nil
}

package record

import (
	"strconv"
	"strings"

	"davar/rules"
)

// sgfGame reads the nodes of one game.
type sgfGame struct {
	record *Record
	game   *Game
	board  rules.Position // as the last position set up says, to be changed by the next
	turn   rules.Side
	rolled *Action // a roll whose play is still to come
}

// readNode reads one node after the other.
func (s *sgfGame) readNode(n *sgfNode) {
	if side, ok := n.value("PL"); ok {
		s.turn = sgfSide(side)
	}
	if value, ok := n.value("CV"); ok {
		s.setCube(value, n.line)
	}
	if value, ok := n.value("CP"); ok {
		s.giveCube(value)
	}
	if len(n.all("AE"))+len(n.all("AW"))+len(n.all("AB")) > 0 {
		s.setUp(n)
	}
	if dice, ok := n.value("DI"); ok {
		s.closeRoll()
		if d, err := rules.ParseDice(dice); err == nil {
			s.rolled = &Action{Side: s.turn, Dice: d, Unseen: true, Line: n.line}
		} else {
			s.record.note(n.line, "DI[%s] is no roll", dice)
		}
	}
	for _, p := range n.properties {
		if p.name != "W" && p.name != "B" {
			continue
		}
		for _, move := range p.values {
			s.readMove(sgfSide(p.name), strings.TrimSpace(move), n.line)
		}
	}
}

// closeRoll keeps a roll whose play the record does not show.
func (s *sgfGame) closeRoll() {
	if s.rolled != nil {
		s.game.Actions = append(s.game.Actions, *s.rolled)
		s.rolled = nil
	}
}

// setUp reads a position: the start of the game, or what stands after a roll that was not played by the rules.
func (s *sgfGame) setUp(n *sgfNode) {
	pos := s.board
	for _, set := range []struct {
		name string
		side int // 0 light, 1 dark, 2 empty
	}{{"AE", 2}, {"AW", int(rules.Light)}, {"AB", int(rules.Dark)}} {
		for _, value := range n.all(set.name) {
			if !sgfPut(&pos, value, set.side) {
				s.record.note(n.line, "%s[%s] is no point", set.name, value)
			}
		}
	}
	for side := range pos.Checkers {
		row := &pos.Checkers[side]
		row[rules.Off] = 0
		in := pos.InPlay(rules.Side(side))
		if in > rules.Checkers {
			s.record.note(n.line, "the position set up has %d checkers of one side: passed over", in)
			return
		}
		row[rules.Off] = uint8(rules.Checkers - in)
	}
	s.board = pos
	switch {
	case s.rolled != nil:
		s.rolled.Unseen, s.rolled.Position = false, &pos
		s.closeRoll()
	case len(s.game.Actions) == 0:
		s.game.Start = pos
	default:
		s.game.Actions = append(s.game.Actions, Action{Kind: Set, Side: s.turn, Position: &pos, Line: n.line})
	}
}

// setCube reads the cube's value: at the beginning automatic doubles, later what was set by hand.
func (s *sgfGame) setCube(value string, line int) {
	n, err := strconv.Atoi(value)
	switch {
	case err != nil || n < 1 || n > highestCube || n&(n-1) != 0:
		s.record.note(line, "CV[%s] is no value of a cube", value)
	case n > 1 && len(s.game.Actions) == 0 && s.rolled == nil:
		s.game.Cube = n
	case n > 1 || len(s.game.Actions) > 0:
		s.closeRoll()
		s.game.Actions = append(s.game.Actions, Action{Kind: Set, Side: s.turn, Cube: n, Line: line})
	}
}

// giveCube reads whose the cube is that was set just before.
func (s *sgfGame) giveCube(value string) {
	n := len(s.game.Actions)
	if n == 0 || s.game.Actions[n-1].Kind != Set || s.game.Actions[n-1].Cube == 0 {
		return
	}
	switch value {
	case "w", "b":
		side := sgfSide(value)
		s.game.Actions[n-1].Owner = &side
	case "c":
		s.game.Actions[n-1].Owner = nil
	}
}

// sgfPut sets or clears a point or a range of points, such as [e] or [a:y], by letter in White's numbering.
func sgfPut(pos *rules.Position, value string, side int) bool {
	first, last, isRange := strings.Cut(value, ":")
	if !isRange {
		last = first
	}
	if len(first) != 1 || len(last) != 1 || first[0] < 'a' || last[0] > 'y' {
		return false
	}
	for c := first[0]; c <= last[0]; c++ {
		light, dark := sgfPoint(c, rules.Light), sgfPoint(c, rules.Dark)
		switch side {
		case int(rules.Light):
			pos.Checkers[rules.Light][light]++
		case int(rules.Dark):
			pos.Checkers[rules.Dark][dark]++
		default:
			pos.Checkers[rules.Light][light], pos.Checkers[rules.Dark][dark] = 0, 0
		}
	}
	return true
}

// sgfPoint returns the point of a letter in side's own numbering: a to x are White's 1 to 24, y the bar, z off.
func sgfPoint(letter byte, side rules.Side) uint8 {
	switch {
	case letter == 'y':
		return rules.Bar
	case letter == 'z':
		return rules.Off
	case side == rules.Light:
		return letter - 'a' + 1
	}
	return 24 - (letter - 'a')
}

func sgfSide(name string) rules.Side {
	if strings.HasPrefix(name, "B") || strings.HasPrefix(name, "b") {
		return rules.Dark
	}
	return rules.Light
}

// readMove reads a cube action, or dice and pairs of letters.
func (s *sgfGame) readMove(side rules.Side, move string, line int) {
	a := Action{Side: side, Line: line}
	switch move {
	case "double", "redouble":
		a.Kind = Double
	case "take":
		a.Kind = Take
	case "drop", "pass":
		a.Kind = Drop
	default:
		if !s.readPlay(&a, move) {
			s.record.note(line, "move %q is not understood", move)
			return
		}
		if s.rolled != nil && s.rolled.Side == side {
			s.rolled = nil // the dice were set by hand before
		}
	}
	s.closeRoll()
	s.game.Actions = append(s.game.Actions, a)
}

func (s *sgfGame) readPlay(a *Action, move string) bool {
	if len(move) < 2 || len(move) > 10 || len(move)%2 != 0 {
		return false
	}
	dice, err := rules.ParseDice(move[:2])
	if err != nil {
		return false
	}
	a.Dice = dice
	for i := 2; i < len(move); i += 2 {
		if move[i] < 'a' || move[i] > 'y' || move[i+1] < 'a' || move[i+1] > 'z' || move[i+1] == 'y' {
			return false
		}
		a.Steps = append(a.Steps, rules.Step{
			Path: []uint8{sgfPoint(move[i], a.Side), sgfPoint(move[i+1], a.Side)}, Hit: make([]bool, 2), Count: 1,
		})
	}
	return true
}

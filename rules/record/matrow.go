package record

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"davar/rules"
)

// matPart is one token of a row with the text behind it.
type matPart struct {
	kind  string // name of the group of matToken that matched
	value string // its number, or the position text of an illegal play
	match bool   // " and the match"
	at    int    // column where it begins
	text  string // from there to the next token
}

// parts splits a line into its tokens; before is what stands ahead of the first.
func parts(line string) (before string, list []matPart) {
	names := matToken.SubexpNames()
	found := matToken.FindAllStringSubmatchIndex(line, -1)
	if found == nil {
		return line, nil
	}
	for i, m := range found {
		p := matPart{at: utf8.RuneCountInString(line[:m[0]])}
		for g := 1; g < len(names); g++ {
			if m[2*g] < 0 {
				continue
			}
			switch value := line[m[2*g]:m[2*g+1]]; names[g] {
			case "to", "back", "points":
				p.value = value
			case "match":
				p.match = true
			case "double", "beaver", "loss":
				p.kind = names[g] // the number behind it is a group of its own
			default:
				p.kind = names[g]
				p.value = value
			}
		}
		next := len(line)
		if i+1 < len(found) {
			next = found[i+1][0]
		}
		p.text = strings.TrimSpace(line[m[1]:next])
		list = append(list, p)
	}
	return line[:found[0][0]], list
}

// readRow reads a row of plays and cube actions, or a line with the result.
func (r *matReader) readRow(line string) {
	number := matRow.FindString(line)
	before, list := parts(line[len(number):])
	if stray := strings.TrimSpace(before); stray != "" {
		r.record.note(r.line, "not understood: %q", stray)
	}
	first := true // no action of this row yet
	var last rules.Side
	for i := range list {
		p := &list[i]
		column := p.at + utf8.RuneCountInString(number)
		attached := i > 0 && list[i-1].kind == "dice" && list[i-1].text == ""
		switch p.kind {
		case "wins":
			r.readResult(p, r.sideAt(column))
		case "loss":
			if r.game.Result == nil {
				r.readResult(p, r.sideAt(column).Other())
			}
		case "illegal", "unseen", "dance":
			if attached {
				r.readAfterDice(p)
			} else {
				r.record.note(r.line, "%q without a roll", p.value)
			}
		default:
			side := r.sideOf(column, first, last)
			if p.kind == "resign" && attached && p.at-list[i-1].at < 8 {
				side = last // he rolled and gave up
			}
			r.readAction(p, side)
			first, last = false, side
		}
	}
}

// sideAt returns the player whose column a token stands in.
func (r *matReader) sideAt(column int) rules.Side {
	if column >= max(r.rightAt-9, 16) {
		return rules.Dark
	}
	return rules.Light
}

// sideOf returns the player of an action: the first of a row by its column, later ones in turn, as a long left
// cell pushes the right one away.
func (r *matReader) sideOf(column int, first bool, last rules.Side) rules.Side {
	if first {
		return r.sideAt(column)
	}
	return last.Other()
}

// readAction adds a roll, a cube action or a resignation.
func (r *matReader) readAction(p *matPart, side rules.Side) {
	a := Action{Side: side, Line: r.line}
	switch p.kind {
	case "dice":
		a.Dice = rules.Dice{p.value[0] - '0', p.value[1] - '0'}
		if !a.Dice.Valid() {
			r.record.note(r.line, "%s is no roll", p.value)
			a.Dice = rules.Dice{}
		}
		steps, err := rules.ParseNotation(p.text)
		if err != nil {
			r.record.note(r.line, "play not understood: %q", p.text)
			a.Unseen = true
		}
		a.Steps = steps
	case "double", "beaver":
		a.Kind = Double
		if p.kind == "beaver" {
			a.Kind = Beaver
		}
		a.Cube = r.cubeValue(p.value)
	case "take":
		a.Kind = Take
	case "drop":
		a.Kind = Drop
	case "resign":
		a.Kind = Resign
	}
	if p.kind != "dice" && p.text != "" {
		r.record.note(r.line, "not understood: %q", p.text)
	}
	r.game.Actions = append(r.game.Actions, a)
}

// cubeValue reads the value behind "Doubles =>", 0 when it is not said or is no value of a cube.
func (r *matReader) cubeValue(text string) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 || n > highestCube || n&(n-1) != 0 {
		r.record.note(r.line, "the cube cannot be turned to %s", text)
		return 0
	}
	return n
}

// readAfterDice reads what stands in the place of a play.
func (r *matReader) readAfterDice(p *matPart) {
	a := &r.game.Actions[len(r.game.Actions)-1]
	switch p.kind {
	case "unseen":
		a.Unseen = true
	case "illegal":
		s, err := ParseSnowie(p.value)
		if err != nil {
			r.record.note(r.line, "%v", err)
			a.Unseen = true
			return
		}
		// The position is given for the next player's roll, from his side.
		pos := s.Position
		if s.Turn != a.Side.Other() {
			c := &pos.Checkers
			c[0], c[1] = c[1], c[0]
		}
		a.Position = &pos
	}
	if p.text != "" {
		r.record.note(r.line, "not understood: %q", p.text)
	}
}

func (r *matReader) readResult(p *matPart, winner rules.Side) {
	points, err := strconv.Atoi(p.value)
	if err != nil || points > 1<<15 {
		r.record.note(r.line, "%s points is out of range", p.value)
		return
	}
	if r.game.Result != nil && !(r.game.Result.Points == points && r.game.Result.Winner == winner) {
		r.record.note(r.line, "a second result")
		return
	}
	r.game.Result = &Result{Winner: winner, Points: points, Match: p.match || r.game.Result != nil && r.game.Result.Match}
}

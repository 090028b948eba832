package analysis

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/record"
	"davar/rules/transcript"
)

// Judged is what one turn was worth, and what it led to.
type Judged struct {
	Seq  int64
	Game int
	Play *Play // nil: it was no roll, or one of which nothing is known
	Cube *Cube // nil: the cube was not to be had
	// After are light's chances when the turn was over; nil: they could not be found out.
	After *Chances
}

// Turn has a single turn judged, without the game around it: turn i of g, a game of t. It is for those who follow a
// match late (PUB-1); nothing of it may reach the players (EQUIP-9, PUB-3).
func (e *Engine) Turn(ctx context.Context, t *transcript.Transcript, g *transcript.Game, i int) (*Judged, error) {
	rec := t.Record()
	if !plays(rec.Variant) {
		return nil, fmt.Errorf("analysis: match %s: GNU Backgammon does not play %v", t.ID, rec.Variant)
	}
	turn := &g.Turns[i]
	cube := cubeBefore(g, i)
	out := &Judged{Seq: turn.Seq, Game: g.Number}
	rec.Games = []record.Game{loneTurn(g, i, cube)}
	after, over := outlook(t, g, turn, cube)
	commands := tableCommand(t.Length)
	if over == nil {
		id, err := after.XGID()
		if err != nil {
			return nil, fmt.Errorf("analysis: match %s, event %d: %w", t.ID, turn.Seq, err)
		}
		commands += fmt.Sprintf("set xgid %s\nset evaluation chequerplay evaluation plies %d\neval\n", id, e.Plies)
	}
	analysed, said, err := e.run(ctx, rec, commands)
	if err != nil {
		return nil, fmt.Errorf("analysis: match %s, event %d: %w", t.ID, turn.Seq, err)
	}
	if out.After = over; over == nil {
		out.After = readChances(said, after.Turn)
	}
	table, err := readTable(said, t.Length)
	if err != nil {
		return nil, err
	}
	return out, out.read(analysed, turn, newStake(t.Length, g, table), cube.Value)
}

// read takes what is said of the turn itself.
func (out *Judged) read(analysed []byte, turn *transcript.Turn, s stake, cube int) error {
	judged, err := readJudgements(analysed)
	if err != nil || len(judged) == 0 {
		return err
	}
	at := slices.IndexFunc(judged, func(j judgement) bool { return j.side == turn.Side && j.action == actions[turn.Kind] })
	if at < 0 {
		return errFormat
	}
	var one Analysis
	one.file(out.Game, turn, &judged[at], s, cube)
	if len(one.Plays) > 0 {
		out.Play = &one.Plays[0]
	}
	if len(one.Cubes) > 0 {
		out.Cube = &one.Cubes[0]
	}
	return nil
}

// cubeBefore returns where the cube lies before turn i, offers not counted.
func cubeBefore(g *transcript.Game, i int) match.Cube {
	cube := match.Cube{Value: max(g.Cube, 1)}
	for k := range g.Turns[:i] {
		switch t := &g.Turns[k]; {
		case t.Kind == transcript.Take:
			cube = match.Cube{Value: 2 * cube.Value, Owned: true, Owner: t.Side}
		case t.Kind == transcript.Set && t.Cube > 0:
			cube = match.Cube{Value: t.Cube, Owned: t.Owner != nil}
			if t.Owner != nil {
				cube.Owner = *t.Owner
			}
		}
	}
	return cube
}

// loneTurn returns a game that begins with the board and the cube as they were before turn i, and holds it alone; with
// the double that it answers, and with an answer to a double.
func loneTurn(g *transcript.Game, i int, cube match.Cube) record.Game {
	one := *g
	turn := g.Turns[i]
	one.Start, one.Turns, one.Result, one.Cube = turn.Before, nil, nil, 1
	if cube.Value > 1 {
		set := transcript.Turn{Kind: transcript.Set, Side: turn.Side, Before: turn.Before, After: turn.Before, Cube: cube.Value}
		if cube.Owned {
			set.Owner = &cube.Owner
		}
		one.Turns = append(one.Turns, set)
	}
	if turn.Kind == transcript.Take || turn.Kind == transcript.Drop {
		one.Turns = append(one.Turns, transcript.Turn{
			Kind: transcript.Double, Side: turn.Side.Other(), Before: turn.Before, After: turn.Before, Cube: 2 * cube.Value,
		})
	}
	one.Turns = append(one.Turns, turn)
	if turn.Kind == transcript.Double { // the engine passes over one that is not answered
		one.Turns = append(one.Turns, transcript.Turn{Kind: transcript.Take, Side: turn.Side.Other(), Before: turn.Before, After: turn.Before})
	}
	whole := transcript.Transcript{Games: []transcript.Game{one}}
	return whole.Record().Games[0]
}

// outlook returns the moment after a turn. When that ended the game, over are light's chances, which are no longer any.
func outlook(t *transcript.Transcript, g *transcript.Game, turn *transcript.Turn, cube match.Cube) (after record.Moment, over *Chances) {
	after = record.Moment{
		Position: turn.After, Turn: turn.Side.Other(), Cube: cube, Length: t.Length, Score: g.Score, Crawford: g.Crawford,
	}
	switch turn.Kind {
	case transcript.Double:
		after.Turn = turn.Side // he is still on roll, and what the other answers is not known
	case transcript.Take:
		after.Cube = match.Cube{Value: 2 * cube.Value, Owned: true, Owner: turn.Side}
	case transcript.Drop:
		return after, wonBy(turn.Side.Other(), Chances{Win: 1})
	}
	if winner, win := turn.After.Won(t.Rules()); win > 0 {
		c := Chances{Win: 1}
		if win >= rules.Gammon {
			c.Gammon = 1
		}
		if win >= rules.Backgammon {
			c.Backgammon = 1
		}
		return after, wonBy(winner, c)
	}
	return after, nil
}

func wonBy(side rules.Side, c Chances) *Chances {
	if side == rules.Dark {
		c = c.Other()
	}
	return &c
}

var evalLine = regexp.MustCompile(`(?m)^ *(?:static|[0-9] ply):((?: +[01]\.\d+){5})`)

// readChances reads what "eval" prints, the deepest look last, for the player on roll, and returns light's.
func readChances(said []byte, onRoll rules.Side) *Chances {
	found := evalLine.FindAllSubmatch(said, -1)
	if len(found) == 0 {
		return nil
	}
	v, err := floats(strings.Fields(string(found[len(found)-1][1])))
	if err != nil {
		return nil
	}
	c := chancesOf(v)
	if onRoll == rules.Dark {
		c = c.Other()
	}
	return &c
}

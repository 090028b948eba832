package record

import (
	"slices"
	"strings"

	"davar/rules"
)

// applyHeader takes from the header what bears on the rules.
func (r *Record) applyHeader() {
	if name := r.Field("Variation"); name != "" {
		lower := strings.ToLower(strings.ReplaceAll(name, " ", ""))
		if v, err := rules.ParseVariant(lower); err == nil {
			r.Variant = v
		} else if lower != "backgammon" {
			r.note(0, "variation %q is read as backgammon", name)
		}
	}
	r.Crawford = !strings.EqualFold(r.Field("Crawford"), "off")
	r.Jacoby = r.Length == 0 && isOn(r.Field("Jacoby"))
	r.Beavers = r.Length == 0 && isOn(r.Field("Beaver"))
	for i, key := range []string{"Player 1", "Player 2"} {
		if r.Players[i] == "" {
			r.Players[i] = r.Field(key)
		}
	}
}

func isOn(value string) bool {
	return strings.EqualFold(value, "on") || strings.EqualFold(value, "true") || value == "1"
}

// takeBeavers adds the take of each beaver after which play goes on: most writers leave it out.
func (r *Record) takeBeavers() {
	for i := range r.Games {
		g := &r.Games[i]
		for k := 0; k+1 < len(g.Actions); k++ {
			if a := &g.Actions[k]; a.Kind == Beaver && g.Actions[k+1].Kind == Roll {
				g.Actions = slices.Insert(g.Actions, k+1, Action{Kind: Take, Side: a.Side.Other(), Line: a.Line})
			}
		}
	}
}

// finish completes the games once all lines are read: where they start, who won, and what does not agree.
func (r *matReader) finish() {
	rec := r.record
	for i := range rec.Games {
		rec.Games[i].Start = rules.Start(rec.Variant)
	}
	rec.markCrawford()
	judge := rules.NewJudge(rules.OptionsFor(rec.Variant))
	for i := range rec.Games {
		g := &rec.Games[i]
		if g.Result != nil {
			rec.settle(g, judge)
		}
		if i > 0 {
			rec.checkScore(&rec.Games[i-1], g)
		}
	}
}

// settle compares the stated result with the board and the last action: the board knows the winner better than
// the column does.
func (r *Record) settle(g *Game, judge *rules.Judge) {
	cube := g.cubeAt(len(g.Actions))
	line := g.Line
	var final rules.Position
	if turns := g.Replay(judge); len(turns) > 0 {
		last := turns[len(turns)-1]
		final, line = last.After, last.Action.Line
		switch last.Action.Kind {
		case Drop:
			r.correctWinner(g, last.Action.Side.Other(), line)
			return
		case Resign:
			g.Result.Resigned = true
			r.correctWinner(g, last.Action.Side.Other(), line)
			return
		}
	}
	winner, win := final.Won(rules.OptionsFor(r.Variant))
	if win == rules.NoWin {
		g.Result.Resigned = true
		over := r.Length > 0 && g.Score[g.Result.Winner]+g.Result.Points >= r.Length
		if !over && g.Result.Points%cube != 0 || !over && g.Result.Points > int(rules.Backgammon)*cube {
			r.note(line, "game %d: %d points are said on a cube of %d", g.Number, g.Result.Points, cube)
		}
		return
	}
	r.correctWinner(g, winner, line)
	doubled := slices.ContainsFunc(g.Actions, func(a Action) bool { return a.Kind == Double })
	if r.Jacoby && !doubled {
		win = rules.Single // END-7
	}
	if want := int(win) * cube; g.Result.Points != want && !(r.Length > 0 && g.Score[winner]+g.Result.Points == r.Length) {
		r.note(line, "game %d: %d points are said, the board says %v on a cube of %d", g.Number, g.Result.Points, win, cube)
	}
}

func (r *Record) correctWinner(g *Game, winner rules.Side, line int) {
	if g.Result.Winner != winner {
		r.note(line, "game %d: the result stands in the loser's column", g.Number)
		g.Result.Winner = winner
	}
}

// checkScore notes a score that does not follow from the game before. Where the loser's column was named and the
// board does not tell, the next score decides who won.
func (r *Record) checkScore(before, g *Game) {
	if before.Result == nil {
		return
	}
	res := before.Result
	want, turned := before.Score, before.Score
	want[res.Winner] += res.Points
	turned[res.Winner.Other()] += res.Points
	switch g.Score {
	case want:
	case turned:
		r.note(g.Line, "game %d: the score says that %v won game %d", g.Number, res.Winner.Other(), before.Number)
	default:
		r.note(g.Line, "game %d: score %d-%d does not follow, expected %d-%d", g.Number, g.Score[0], g.Score[1], want[0], want[1])
	}
}

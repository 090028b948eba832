package record

import (
	"fmt"
	"strings"

	"davar/rules"
	"davar/rules/match"
)

// Moments returns the decisions of a game of r as they stood before each: a roll with its dice, a double before it
// is offered, an answer with the double on offer. Take, drop and beaver are decisions about the same moment.
func (r *Record) Moments(g *Game) []Moment {
	var moments []Moment
	cube := g.newCube()
	var owner match.Cube
	beavered := false
	for _, t := range g.Replay(rules.NewJudge(rules.OptionsFor(r.Variant))) {
		a := t.Action
		m := Moment{
			Position: t.Before, Turn: a.Side, Dice: a.Dice, Length: r.Length, Score: g.Score, Crawford: g.Crawford,
			Jacoby: r.Jacoby, Beavers: r.Beavers, Cube: match.Cube{Value: cube.value, Owned: owner.Owned, Owner: owner.Owner},
		}
		switch a.Kind {
		case Take, Drop, Beaver:
			m.Turn, m.Offer = a.Side.Other(), Doubled
			if beavered {
				m.Turn, m.Offer = a.Side, Beavered // he who doubled first must answer
			}
		case Set:
			if a.Cube > 0 {
				owner = match.Cube{Owned: a.Owner != nil}
				if a.Owner != nil {
					owner.Owner = *a.Owner
				}
				cube.turn(a)
			}
			continue
		case Resign:
			continue
		}
		moments = append(moments, m)
		cube.turn(a)
		beavered = a.Kind == Beaver
		if a.Kind == Take && m.Offer == Doubled || a.Kind == Beaver {
			owner = match.Cube{Owned: true, Owner: a.Side} // a beaver stays with who made it
		}
	}
	return moments
}

// XGIDs returns every decision of the match as an XGID, one a line under a line for each game, and says that the
// plays themselves are not in it.
func (r *Record) XGIDs() (text []byte, losses []string, err error) {
	var b strings.Builder
	for i := range r.Games {
		g := &r.Games[i]
		fmt.Fprintf(&b, "; Game %d, %s %d, %s %d\n", g.Number, oneLine(r.Players[rules.Light]), g.Score[rules.Light],
			oneLine(r.Players[rules.Dark]), g.Score[rules.Dark])
		for _, m := range r.Moments(g) {
			id, err := m.XGID()
			if err != nil {
				losses = append(losses, fmt.Sprintf("game %d: %v", g.Number, err))
				continue
			}
			b.WriteString(id + "\n")
		}
	}
	return []byte(b.String()), append(losses, "plays, names' spelling and results: XGIDs hold positions"), nil
}

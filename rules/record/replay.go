package record

import (
	"davar/rules"
)

// Turn is one action of a game with the board around it.
type Turn struct {
	Action  *Action
	Before  rules.Position
	After   rules.Position
	Verdict rules.Verdict // of a roll that could be judged
	Judged  bool
	// Broken says why a written play could not even be made by hand, "" otherwise; After leaves out what could not.
	Broken string
}

// Replay plays a game over and returns its actions with the board before and after each. A play that is not
// legal is made as written, or as the record shows the board; where that is impossible, as far as it goes.
func (g *Game) Replay(judge *rules.Judge) []Turn {
	turns := make([]Turn, 0, len(g.Actions))
	pos := g.Start
	for i := range g.Actions {
		t := Turn{Action: &g.Actions[i], Before: pos, After: pos}
		if t.Action.Kind == Roll {
			t.play(judge)
		}
		pos = t.After
		turns = append(turns, t)
	}
	return turns
}

// play makes a roll's play and judges it.
func (t *Turn) play(judge *rules.Judge) {
	a := t.Action
	if a.Unseen || !a.Dice.Valid() {
		return
	}
	switch {
	case a.Position != nil:
		t.After = *a.Position
	case len(a.Steps) > 0:
		final, err := rules.Apply(&t.Before, a.Side, a.Steps)
		if play, ok := rules.Resolve(&t.Before, a.Side, a.Steps, judge.Plays(&t.Before, a.Side, a.Dice)); ok {
			final, err = play.Final, nil
		}
		t.After = final
		if err != nil {
			t.Broken = err.Error()
		}
	}
	t.Verdict, t.Judged = judge.Judge(&t.Before, a.Side, a.Dice, &t.After, missing(&t.Before)), true
	if t.Broken != "" && (t.Verdict.Legal || t.Verdict.Code == rules.TooFew) {
		// What was written cannot be what was done: the part that could be made is not the whole fault.
		t.Verdict.Legal, t.Verdict.Code, t.Verdict.Rules = false, rules.OtherMismatch, []string{"IRREG-1"}
	}
}

// missing returns how many checkers each side of a position has fewer than fifteen: those count as excluded.
func missing(p *rules.Position) [2]int {
	return [2]int{rules.Checkers - p.Active(rules.Light), rules.Checkers - p.Active(rules.Dark)}
}

// cube returns the cube's value after the actions before n.
func (g *Game) cube(n int) int {
	value, offered := 1, 0
	for i := range g.Actions[:n] {
		switch a := &g.Actions[i]; a.Kind {
		case Double:
			offered = 2 * value
			if a.Cube > 0 {
				offered = a.Cube
			}
		case Beaver:
			value = max(offered, 1)
			offered = 2 * value
			if a.Cube > 0 {
				value, offered = a.Cube/2, a.Cube
			}
		case Take:
			if offered > 0 {
				value = offered
			}
			offered = 0
		}
	}
	return value
}

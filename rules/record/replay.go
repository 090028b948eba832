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
		switch {
		case t.Action.Kind == Roll:
			t.play(judge)
		case t.Action.Kind == Set && t.Action.Position != nil:
			t.After = *t.Action.Position
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
		if a.Position != nil {
			t.After = *a.Position
		}
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

// highestCube is the highest value of the cube that a record may hold.
const highestCube = 1 << 14

// fillCubes writes its new value into each double that does not say it. A double of a double not yet taken is a
// beaver: SGF has no word for it.
func (r *Record) fillCubes() {
	for i := range r.Games {
		c := r.Games[i].newCube()
		for k := range r.Games[i].Actions {
			a := &r.Games[i].Actions[k]
			if a.Kind == Double && c.offered > 0 && a.Side != c.by {
				a.Kind = Beaver
			}
			c.turn(a)
			if a.Kind == Double || a.Kind == Beaver {
				a.Cube = c.offered
			}
		}
	}
}

// cubeAt returns the cube's value after the actions before n.
func (g *Game) cubeAt(n int) int {
	c := g.newCube()
	for i := range g.Actions[:n] {
		c.turn(&g.Actions[i])
	}
	return c.value
}

// cube follows the cube through a game: offered is the new value while it waits for an answer, else 0.
type cube struct {
	value, offered int
	by             rules.Side // who offered
}

// newCube returns the cube as it lies when the game begins.
func (g *Game) newCube() cube { return cube{value: max(g.Cube, 1)} }

// turn does what the action does to the cube. A double that does not say its value doubles it.
func (c *cube) turn(a *Action) {
	switch a.Kind {
	case Double, Beaver:
		c.by = a.Side
		if a.Kind == Beaver && c.offered > 0 {
			c.value = c.offered
		}
		c.offered = min(2*c.value, highestCube)
		if a.Cube > 0 {
			c.offered, c.value = a.Cube, max(a.Cube/2, 1)
		}
	case Take:
		if c.offered > 0 {
			c.value = c.offered
		}
		c.offered = 0
	case Set:
		if a.Cube > 0 {
			c.value, c.offered = a.Cube, 0
		}
	}
}

package transcript

import (
	"fmt"

	"davar/rules"
)

// finish files what is still open and gives every turn the board before it.
func (f *follower) finish() {
	judge := rules.NewJudge(f.t.Rules())
	for i := range f.t.Games {
		g := &f.t.Games[i]
		if i == len(f.t.Games)-1 && f.rolled != nil {
			f.breakOff(g)
		}
		f.chain(g, judge)
	}
}

// chain follows the board through a game. Where a play does not follow from the board before it, something happened in
// between that no event tells: the board was found otherwise, and is set so.
func (f *follower) chain(g *Game, judge *rules.Judge) {
	pos := g.Start
	for i := 0; i < len(g.Turns); i++ {
		t := &g.Turns[i]
		if t.Kind == Roll && t.on && !t.Illegal {
			if before, ok := t.cameFrom(&pos, judge); ok && before != pos {
				pos = f.found(g, &i, before)
				t = &g.Turns[i]
			}
		}
		t.Before = pos
		if !t.on {
			t.After = pos
		}
		pos = t.After
	}
}

// found puts the board before turn *at as it must have been: it is the start of the game, what an unseen turn led to,
// or a board set.
func (f *follower) found(g *Game, at *int, board rules.Position) rules.Position {
	i := *at
	switch {
	case i == 0:
		g.Start = board
	case g.Turns[i-1].Kind == Roll && g.Turns[i-1].Unseen:
		g.Turns[i-1].After, g.Turns[i-1].on = board, true
	default:
		side := g.Turns[i].Side
		set := Turn{Kind: Set, Side: side, Seq: g.Turns[i].Seq, Before: g.Turns[i-1].After, After: board, on: true, Ended: g.Turns[i-1].Ended}
		g.Turns = append(g.Turns[:i], append([]Turn{set}, g.Turns[i:]...)...)
		*at = i + 1
		f.t.Notes = append(f.t.Notes, fmt.Sprintf("game %d: before event %d the board was found changed", g.Number, set.Seq))
	}
	return board
}

// cameFrom returns the board from which the play as written led where it did: pos if that can be, else the board after
// the play with its moves taken back. ok is false when neither fits.
func (t *Turn) cameFrom(pos *rules.Position, judge *rules.Judge) (before rules.Position, ok bool) {
	steps, err := rules.ParseNotation(t.Notation)
	if err != nil {
		return *pos, false
	}
	if len(steps) == 0 {
		return t.After, true // danced: the board is as it was
	}
	if final, err := rules.Apply(pos, t.Side, steps); err == nil && final == t.After {
		return *pos, true
	}
	if play, ok := rules.Resolve(pos, t.Side, steps, judge.Plays(pos, t.Side, t.Dice)); ok && play.Final == t.After {
		return *pos, true
	}
	return retract(t.After, t.Side, steps)
}

// retract takes moves back; ok is false when they cannot have led to the position.
func retract(pos rules.Position, side rules.Side, steps []rules.Step) (before rules.Position, ok bool) {
	own, other := &pos.Checkers[side], &pos.Checkers[side.Other()]
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		from, to := s.Path[0], s.Path[len(s.Path)-1]
		for range s.Count {
			if own[to] == 0 {
				return pos, false
			}
			own[to]--
			own[from]++
		}
		for k, hit := range s.Hit {
			if !hit {
				continue
			}
			if other[rules.Bar] == 0 {
				return pos, false
			}
			other[rules.Bar]--
			other[25-s.Path[k]]++
		}
	}
	return pos, true
}

package transcript

import (
	"slices"

	"davar/rules"
	"davar/rules/referee"
)

// rollToCorrect returns the turn whose roll the event puts right: the one it names, the one in progress, or the last
// of that side.
func (f *follower) rollToCorrect(g *Game, e *referee.Event) *Turn {
	if f.rolled != nil && (f.rolled.roll == e.Corrects || e.Corrects == 0 && f.rolled.Side == *e.Side) {
		return f.rolled
	}
	return g.last(func(t *Turn) bool {
		return t.Kind == Roll && t.Side == *e.Side && (e.Corrects == 0 || t.roll == e.Corrects)
	})
}

// playToCorrect returns the turn whose play the event puts right.
func playToCorrect(g *Game, e *referee.Event) *Turn {
	return g.last(func(t *Turn) bool {
		return t.Kind == Roll && t.Side == *e.Side && (e.Corrects == 0 || t.Seq == e.Corrects)
	})
}

// last returns the last turn that fits, nil when none does.
func (g *Game) last(fits func(*Turn) bool) *Turn {
	for i := len(g.Turns) - 1; i >= 0; i-- {
		if fits(&g.Turns[i]) {
			return &g.Turns[i]
		}
	}
	return nil
}

// decided takes what a person decided, as far as it changes what was played (DIR-5).
func (f *follower) decided(e *referee.Event) {
	g := f.game()
	switch e.What {
	case referee.DecideSet, referee.DecideExclude:
		f.decideSet(g, e)
		return
	case referee.DecideScore:
		if e.Score != nil {
			f.decideScore(g, e)
		}
		return
	}
	if e.What == referee.DecideUndo && e.Corrects != 0 {
		f.backTo(e.Corrects)
		return
	}
	if g == nil || g.Number != e.Game {
		return
	}
	switch e.What {
	case referee.DecideUndo:
		f.takeBack(g, g.last(func(t *Turn) bool { return t.Kind == Roll }))
	case referee.DecideReplay:
		if e.Side != nil && (f.rolled == nil || f.rolled.Side != *e.Side) {
			if t := g.last(func(t *Turn) bool { return t.Kind == Roll }); t != nil && t.Side == *e.Side {
				f.takeBack(g, t)
			}
		}
	case referee.DecideRethrow:
		if !f.fast {
			f.rolled = nil
		}
		f.fast = false
	case referee.DecideStand:
		f.fast = false
	case referee.DecideCube:
		f.decideCube(g, e)
	}
}

// backTo has the turn with the number seq played anew, of this game or of an earlier one: the games after it are gone then.
func (f *follower) backTo(seq int64) {
	for i := range slices.Backward(f.t.Games) {
		g := &f.t.Games[i]
		if t := g.last(func(t *Turn) bool { return t.Kind == Roll && t.Seq == seq }); t != nil {
			f.t.Games = f.t.Games[:i+1]
			f.takeBack(g, t)
			return
		}
	}
}

// takeBack has a turn played anew with the same roll: it and all after it are gone (IRREG-5).
func (f *follower) takeBack(g *Game, t *Turn) {
	if t == nil {
		return
	}
	again := *t
	again.Notation, again.Illegal, again.Unseen, again.on, again.Ended, again.Used = "", false, true, false, 0, 0
	again.Corrected = true
	for i := range g.Turns {
		if &g.Turns[i] == t {
			g.Turns = g.Turns[:i]
			break
		}
	}
	if g.Result != nil {
		f.t.Score = g.Score
	}
	g.reopen()
	f.rolled = &again
}

// decideSet keeps the position until the game goes on with it.
func (f *follower) decideSet(g *Game, e *referee.Event) {
	if e.Side == nil || e.Corrects != 0 {
		return
	}
	board := g
	if board == nil || board.Number != e.Game {
		board = &Game{}
	}
	if e.What == referee.DecideExclude {
		board.exclude(e.Position, *e.Side)
	}
	if pos, err := board.position(e.Position, *e.Side); err == nil {
		f.set = &pos
	}
}

// exclude counts the checkers that a position lacks more than were borne off as out of the game (IRREG-9).
func (g *Game) exclude(id string, side rules.Side) {
	pos, err := rules.ParseBoardID(id, side)
	if err != nil {
		return
	}
	before := g.Start
	if t := g.last(func(t *Turn) bool { return t.on }); t != nil {
		before = t.After
	}
	for s := range g.Excluded {
		g.Excluded[s] = max(g.Excluded[s], int(pos.Checkers[s][rules.Off])-int(before.Checkers[s][rules.Off]))
	}
}

// position reads a position ID of this game, in which excluded checkers are not borne off.
func (g *Game) position(id string, side rules.Side) (rules.Position, error) {
	pos, err := rules.ParseBoardID(id, side)
	if err != nil {
		return pos, err
	}
	for s := range pos.Checkers {
		off := &pos.Checkers[s][rules.Off]
		*off -= min(*off, uint8(g.Excluded[s]))
	}
	return pos, nil
}

// decideScore writes the score that people agree on (SCORE-5).
func (f *follower) decideScore(g *Game, e *referee.Event) {
	score := [2]int{rules.Light: e.Score.Light, rules.Dark: e.Score.Dark}
	switch {
	case g == nil || g.Number != e.Game:
		f.t.Score = score
	case g.Result == nil:
		f.setScore(g, score)
	default:
		f.t.Score, g.Result.Score = score, score
	}
}

// decideCube puts the cube as said; at an earlier turn when the decision is about one.
func (f *follower) decideCube(g *Game, e *referee.Event) {
	t := Turn{Kind: Set, Seq: e.Seq, Cube: e.Cube, Owner: e.Owner, Ended: e.TMS}
	if e.Side != nil {
		t.Side = *e.Side
	}
	at := len(g.Turns)
	for i := range g.Turns {
		if e.Corrects != 0 && g.Turns[i].Seq == e.Corrects {
			at = i
		}
	}
	g.Turns = append(g.Turns[:at], append([]Turn{t}, g.Turns[at:]...)...)
}

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
	switch {
	case e.What == referee.DecideUndo && e.Corrects != 0:
		f.backTo(e.Corrects)
		return
	case e.What == referee.DecideAgain:
		f.again(f.gameOf(e))
		return
	case e.What == referee.DecideCrawford:
		f.decideCrawford(f.gameOf(e), e)
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
		t := g.last(func(t *Turn) bool { return t.Seq == seq })
		switch {
		case t == nil:
			continue
		case t.Kind == Roll:
			f.t.Games = f.t.Games[:i+1]
			f.takeBack(g, t)
		default:
			f.t.Games = f.t.Games[:i+1]
			f.takeBackCube(g, seq)
		}
		return
	}
}

// takeBackCube goes back to before the double to which the cube action with the number seq belongs.
func (f *follower) takeBackCube(g *Game, seq int64) {
	at := slices.IndexFunc(g.Turns, func(t Turn) bool { return t.Seq == seq })
	for at > 0 && g.Turns[at].Kind != Double {
		at--
	}
	g.Turns = g.Turns[:at]
	f.unfinish(g)
	f.rolled = nil
}

// unfinish has a game go on that seemed over: its points are not counted.
func (f *follower) unfinish(g *Game) {
	if g.Result != nil {
		f.t.Score = g.Score
	}
	g.reopen()
}

// gameOf returns the place of the game a decision is about: the one of the play or cube action it names, else the last one.
// -1: there is none.
func (f *follower) gameOf(e *referee.Event) int {
	for i := range slices.Backward(f.t.Games) {
		g := &f.t.Games[i]
		if e.Corrects == 0 && g.Number == e.Game || e.Corrects != 0 && g.last(func(t *Turn) bool { return t.Seq == e.Corrects }) != nil {
			return i
		}
	}
	return -1
}

// again has a game played anew from its opening roll; what was played of it, and after it, is gone.
func (f *follower) again(at int) {
	if at < 0 {
		return
	}
	g := &f.t.Games[at]
	f.t.Games = f.t.Games[:at+1]
	f.unfinish(g)
	f.t.Score = g.Score
	g.Turns, g.Excluded, g.Start, g.Cube = nil, [2]int{}, rules.Start(f.t.Rules().Variant), 1
	f.rolled, f.fast, f.set = nil, false, nil
}

// decideCrawford has a game count as the Crawford game, its cube as not turned (CUBE-12). A game that ended by a dropped
// double goes on.
func (f *follower) decideCrawford(at int, e *referee.Event) {
	if at < 0 {
		return
	}
	g := &f.t.Games[at]
	if e.Score != nil {
		g.Score = [2]int{rules.Light: e.Score.Light, rules.Dark: e.Score.Dark}
	}
	g.Crawford = true
	g.voidCube()
	switch r := g.Result; {
	case r == nil:
		if at == len(f.t.Games)-1 {
			f.t.Score = g.Score
		}
	case r.How == "drop":
		f.unfinish(g)
	default:
		was := r.Score
		if r.Points > 0 {
			r.Points, r.Cube = r.Points/max(r.Cube, 1), 1
		}
		r.Score = g.Score
		r.Score[r.Winner] += r.Points
		f.shift(at+1, [2]int{r.Score[0] - was[0], r.Score[1] - was[1]})
	}
}

// voidCube has all that was done with the cube so far count for nothing.
func (g *Game) voidCube() {
	for i := range g.Turns {
		if t := &g.Turns[i]; t.Kind == Double || t.Kind == Take || t.Kind == Drop || t.Kind == Set && t.Cube > 0 {
			t.Void = true
		}
	}
}

// shift moves the scores from game number at on, and the score now; none of these games is the Crawford game.
func (f *follower) shift(at int, by [2]int) {
	for side := range by {
		f.t.Score[side] += by[side]
		for i := at; i < len(f.t.Games); i++ {
			g := &f.t.Games[i]
			g.Score[side] += by[side]
			if g.Result != nil {
				g.Result.Score[side] += by[side]
			}
			g.Crawford = false
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
	f.unfinish(g)
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
		was := g.Crawford
		if f.setScore(g, score); g.Crawford && !was {
			g.voidCube()
		}
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

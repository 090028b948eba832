package referee

import (
	"davar/rules"
	"davar/rules/match"
)

// decideCrawford takes a person's word that a game was the Crawford game and nobody knew (CUBE-12): the one in progress, the
// one that has just ended, the match with it or not, or the one of play Seq. Score, when given, was the score before it.
// It counts as if the cube had not been turned, and so does the match: should it have been won through that cube, it goes
// on. Whether the game is played again as well, from its start (again) or from the double (undo), is decided apart.
func (r *Referee) decideCrawford(d *Decision) error {
	if d.Seq != 0 && !r.ofThisGame(d.Seq) {
		return r.crawfordBefore(d)
	}
	m, before := r.Match, r.Match
	score := before.Before()
	if d.Score != nil {
		score = [2]int{d.Score.Light, d.Score.Dark}
	}
	if err := m.CallCrawford(score); err != nil {
		return err
	}
	r.Match = m
	r.turnCubeBack(&before)
	r.scoreBefore()
	switch {
	case before.Game.Phase < match.GameOver:
	case m.Game.Phase < match.GameOver: // the double that was dropped is void
		r.goOnFrom(r.Match.Game)
	default:
		r.countedAnew(&before)
	}
	return nil
}

// turnCubeBack has the cube count as not turned in the game, which is the Crawford game and was not known to be (CUBE-12).
func (r *Referee) turnCubeBack(before *match.Match) {
	g := &r.Match.Game
	turned := before.Game.Cube != match.Cube{Value: 1} || before.Game.Phase == match.AwaitAnswer || len(r.Doubles) > 0
	by := before.Game.Turn
	if len(r.Doubles) > 0 {
		by = r.Doubles[0].Game.Offer.By
	}
	g.Cube, g.Doubled = match.Cube{Value: 1}, false
	if g.Phase == match.AwaitAnswer {
		g.Phase, g.Offer = match.AwaitRoll, match.Offer{}
	}
	for i := range r.History {
		uncube(&r.History[i].Game)
	}
	for i := range r.Doubles {
		uncube(&r.Doubles[i].Game)
	}
	r.CubeHome, r.CubeWrong, r.OfferPut = false, false, false
	r.settleCodes("C4", "C6")
	if turned {
		body := r.ruling("C3", nil)
		if len(r.Doubles) > 0 {
			body.Answers = []string{DecideUndo, DecideAgain}
		}
		r.announce(body, &by, 1)
	}
}

// uncube has the cube count as not turned in a game or turn that is kept.
func uncube(g *match.Game) { g.Crawford, g.Doubled, g.Cube = true, false, match.Cube{Value: 1} }

// crawfordBefore has an earlier game of the match count as the Crawford game it was: the score since is corrected by what the
// cube had added, and the game in progress is not the Crawford game.
func (r *Referee) crawfordBefore(d *Decision) error {
	at, g, err := r.earlierOf(d.Seq)
	if err != nil {
		return err
	}
	if g.Match.Result.How == match.Dropped {
		return refusal("that game ended by a double that was void: go back to it (undo), or set the score")
	}
	was, before := g.Match.Score, g.Match.Before()
	if d.Score != nil {
		before = [2]int{d.Score.Light, d.Score.Dark}
	}
	if err := g.Match.CallCrawford(before); err != nil {
		return err
	}
	later := [2]int{g.Match.Score[rules.Light] - was[rules.Light], g.Match.Score[rules.Dark] - was[rules.Dark]}
	m, now := r.Match, r.Match
	score := [2]int{m.Score[rules.Light] + later[rules.Light], m.Score[rules.Dark] + later[rules.Dark]}
	if r.over() {
		err = m.Amend(score)
	} else {
		err = m.SetScore(score, true)
	}
	switch {
	case err != nil:
		return err
	case g.Match.Game.Phase == match.MatchOver:
		return refusal("with that score the match would have ended with that game: set the score")
	}
	m.CrawfordDone, m.Game.Crawford = true, false
	r.Match = m
	g.uncube()
	r.Earlier[at].pack(&g)
	r.shiftEarlier(at+1, later)
	r.scoreBefore()
	if r.over() {
		r.countedAnew(&now)
	}
	return nil
}

// shiftEarlier has the kept games from number at on know of a score corrected before them.
func (r *Referee) shiftEarlier(at int, by [2]int) {
	for i := at; i < len(r.Earlier); i++ {
		g, err := r.Earlier[i].unpack()
		if err != nil {
			continue // plain data of our own: it cannot fail
		}
		for side := range by {
			g.Match.Score[side] += by[side]
		}
		g.Match.CrawfordDone, g.Match.Game.Crawford = true, false
		for j := range g.Turns {
			g.Turns[j].Game.Crawford = false
		}
		r.Earlier[i].pack(&g)
	}
}

package referee

import (
	"davar/rules"
	"davar/rules/match"
)

func cubeOf(d *Decision) match.Cube {
	c := match.Cube{Value: d.Cube, Owned: d.Owner != nil}
	if d.Owner != nil {
		c.Owner = *d.Owner
	}
	return c
}

// decideCube puts the cube as a person says. When the game is over, it was so in the end: the game is counted anew.
func (r *Referee) decideCube(d *Decision) error {
	g := &r.Match.Game
	if d.Owner != nil && *d.Owner > rules.Dark {
		return refusal("there is no such side")
	}
	trial, cube := r.Match, cubeOf(d)
	if err := trial.SetCube(cube); err != nil {
		return err
	}
	if r.over() {
		if err := trial.Recount(cube.Value); err != nil {
			return err
		}
		before := r.Match
		r.Match = trial
		r.countedAnew(&before)
		return nil
	}
	g.Cube = cube
	if g.Phase == match.AwaitAnswer {
		g.Phase, g.Offer = match.AwaitRoll, match.Offer{} // where the cube is, nothing is on offer any more
	}
	r.CubeHome, r.CubeWrong = false, false
	r.settleCodes("C4", "C6")
	return nil
}

// over tells whether the game is over, perhaps the match with it.
func (r *Referee) over() bool { return r.Phase == phaseOver || r.Phase == phaseMatch }

// countedAnew tells of the end of a game that is over and counts otherwise than before: the match goes on from there, or
// is decided.
func (r *Referee) countedAnew(before *match.Match) {
	if r.Match.Result != before.Result || r.Match.Score != before.Score || r.Match.Game.Phase != before.Game.Phase {
		r.toldAgain(before.Game.Phase)
	}
}

// toldAgain announces the end of the game, as a correction of what was said of it in the phase before.
func (r *Referee) toldAgain(before match.Phase) {
	said := len(r.out)
	r.gameOver()
	for i := range r.out[said:] {
		e := &r.out[said+i]
		if before >= match.GameOver && e.Type == GameEnded || before == match.MatchOver && e.Type == MatchEnded {
			e.Why = "corrected"
		}
	}
}

// decideScore sets the score (SCORE-5). In a game in progress it is the score before the game; should that thereby be
// the Crawford game, a cube that was turned in it counts as not turned (CUBE-12). After a game it is the score with that
// game's points: the match is decided by it, or goes on.
func (r *Referee) decideScore(s *Score) error {
	if s == nil {
		return refusal("the score is missing")
	}
	m := &r.Match
	before := *m
	score := [2]int{s.Light, s.Dark}
	if r.over() {
		if err := m.Amend(score); err != nil {
			return err
		}
		r.settleCodes("S3")
		if m.Game.Phase != before.Game.Phase || m.Game.Phase == match.MatchOver && m.Score != before.Score {
			r.toldAgain(before.Game.Phase)
		}
		return nil
	}
	if err := m.SetScore(score, m.CrawfordDone && !m.Game.Crawford); err != nil {
		return err
	}
	r.settleCodes("S3")
	if m.Game.Crawford && !before.Game.Crawford {
		r.turnCubeBack(&before)
	}
	r.scoreBefore()
	return nil
}

// scoreBefore hands the score before the game on to the turn that is kept to be played anew.
func (r *Referee) scoreBefore() {
	if r.Last == nil {
		return
	}
	m := &r.Last.Match
	m.Score, m.CrawfordDone, m.Game.Crawford = r.Match.Before(), r.Match.CrawfordDone, r.Match.Game.Crawford
	if m.Game.Crawford {
		m.Game.Cube = match.Cube{Value: 1}
	}
}

package match

import (
	"fmt"

	"davar/rules"
)

// Before returns the score before the game: in one that is over without the points it was won by (SCORE-8).
func (m *Match) Before() [2]int {
	before := m.Score
	if m.Game.Phase >= GameOver {
		winner := m.Result.Winner
		before[winner] = max(before[winner]-m.Result.Points, 0)
	}
	return before
}

// Uncount takes back that the game is over: its points are not counted, and the match is not decided. What the game waits for
// is the caller's to say; in a game that goes on nothing changes.
func (m *Match) Uncount() {
	if m.Game.Phase >= GameOver {
		m.Score, m.Result = m.Before(), Result{}
		m.Game.Phase = AwaitRoll
	}
}

// Recount counts a game that is over as won with the cube at that value. It is refused where no cube has counted: while
// the game goes on, and when time has lost the match.
func (m *Match) Recount(cube int) error {
	switch {
	case m.Game.Phase < GameOver:
		return ruleError("END-5", "", "the game is not over")
	case m.Result.Points == 0:
		return ruleError("CLOCK-4", "", "the match was lost on time, whatever the cube")
	}
	m.Score = m.Before()
	m.Result.Cube, m.Game.Cube.Value = cube, cube
	m.Result.Points = int(m.Result.Win) * cube
	m.Score[m.Result.Winner] += m.Result.Points
	m.decide()
	return nil
}

// Amend sets the score after a game that is over, as the written score says (SCORE-5): the match is decided if a side has
// its length, and goes on if none has.
func (m *Match) Amend(score [2]int) error {
	if m.Game.Phase < GameOver {
		return ruleError("SCORE-4", "", "the game is not over")
	}
	light, dark := score[rules.Light], score[rules.Dark]
	if min(light, dark) < 0 || m.Length > 0 && min(light, dark) >= m.Length {
		return fmt.Errorf("match: amend the score to %d-%d: not a score of a match to %d", light, dark, m.Length)
	}
	m.Score = score
	m.decide()
	return nil
}

// decide finds out anew whether the match is decided by the score; one lost on time stays so.
func (m *Match) decide() {
	lost := m.Result.How == OnTime && m.Result.Points == 0
	m.Game.Phase, m.Result.Match = GameOver, lost || m.reached(rules.Light) || m.reached(rules.Dark)
	if m.Result.Match {
		m.Game.Phase = MatchOver
	}
}

// CallCrawford makes the game the Crawford game, which nobody had known it to be, the score before it being that: a cube turned
// in it counts as not turned (CUBE-12), a double on offer is void, and so is one that was dropped, after which the doubler is
// to roll. It is refused with a *RuleError at a score at which no game is the Crawford game.
func (m *Match) CallCrawford(before [2]int) error {
	light, dark := before[rules.Light], before[rules.Dark]
	if !m.Options.Crawford || m.Length < 2 || min(light, dark) < 0 || max(light, dark) != m.Length-1 {
		return ruleError("CUBE-11", "", "the Crawford game is the first after a player has come to one point from victory")
	}
	g := &m.Game
	result := m.Result
	over := g.Phase >= GameOver
	m.Uncount()
	m.Score, m.CrawfordDone = before, true
	g.Crawford, g.Cube, g.Doubled = true, Cube{Value: 1}, false
	switch {
	case !over:
		if g.Phase == AwaitAnswer {
			g.Phase, g.Offer = AwaitRoll, Offer{}
		}
	case result.How == Dropped:
		g.Turn = result.Winner
	default:
		m.Result, g.Phase = result, GameOver
		if result.Points > 0 {
			m.Result.Cube, m.Result.Points = 1, int(result.Win)
			m.Score[result.Winner] += m.Result.Points
		}
		m.decide()
	}
	return nil
}

// Again begins the game in progress, or the one that has just ended, anew from its opening roll: its points are not counted.
// It stays the Crawford game if it was.
func (m *Match) Again() {
	m.Uncount()
	crawford := m.Game.Crawford
	m.Game.Number--
	m.begin()
	m.Game.Crawford = m.Game.Crawford || crawford
}

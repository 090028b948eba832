package match

import "davar/rules"

// Resign ends the game because side concedes win to his opponent. Where only certain results may be conceded
// (END-8) it must be what play cannot change; under SingleCube any game may be given up for a single (END-9).
// A match cannot be conceded (SCORE-2).
func (m *Match) Resign(side rules.Side, win rules.Win) error {
	g := &m.Game
	switch {
	case g.Phase >= GameOver:
		return ruleError("END-1", "", "the game is over")
	case win < rules.Single || win > rules.Backgammon:
		return ruleError("END-8", "", "a single game, a gammon or a backgammon can be conceded")
	case m.Options.Concession == SingleCube && win == rules.Single:
	case m.Options.Concession == SingleCube:
		return ruleError("END-9", "", "only a single game can be given up here")
	case Certain(&g.Position, side, m.Options.Rules) != win:
		return ruleError("END-8", "S5", "play could still give another result")
	}
	m.finish(Resigned, side.Other(), m.jacoby(win))
	return nil
}

// Award ends the game with a result that the players or the director report, without asking how it came about
// (DIR-5, SCORE-6).
func (m *Match) Award(winner rules.Side, win rules.Win, how How) error {
	if m.Game.Phase >= GameOver {
		return ruleError("END-1", "", "the game is over")
	}
	if win < rules.Single || win > rules.Backgammon {
		return ruleError("END-5", "", "a game is won single, as a gammon or as a backgammon")
	}
	m.finish(how, winner, win)
	return nil
}

// LoseOnTime ends the match, or under TimeLosesGame the game as a single, because the time of side ran out
// (CLOCK-4, CLOCK-5). With a mechanical clock it is refused.
func (m *Match) LoseOnTime(side rules.Side) error {
	switch {
	case m.Game.Phase >= GameOver:
		return ruleError("END-1", "", "the game is over")
	case m.Options.TimeLoss == TimeLosesNone:
		return ruleError("CLOCK-4", "", "the clock is used mechanically: time loses nothing")
	case m.Options.TimeLoss == TimeLosesGame || m.Length == 0:
		m.finish(OnTime, side.Other(), rules.Single)
	default:
		m.Result = Result{How: OnTime, Winner: side.Other(), Cube: m.Game.Cube.Value, Match: true}
		m.Game.Phase = MatchOver
	}
	return nil
}

// Certain returns what loser is sure to lose whatever the dice show and however both play: NoWin when anything
// is still open, whoever is on roll. It does not look deep: it answers only without contact, and compares the fewest turns in which
// loser could bear off with the most the other could need.
func Certain(pos *rules.Position, loser rules.Side, o rules.Options) rules.Win {
	if pos.Contact() {
		return rules.NoWin
	}
	most := mostTurns(pos, loser.Other())
	if fewestTurns(pos, loser, pos.InPlay(loser)) <= most {
		return rules.NoWin
	}
	switch {
	case o.GammonsOff || pos.Checkers[loser][rules.Off] > 0:
		return rules.Single
	case fewestTurns(pos, loser, 1) > most:
		return certainGammon(pos, loser, o, most)
	case (pos.Pips(loser)-pos.InPlay(loser))/2+1 < fewestTurns(pos, loser.Other(), pos.InPlay(loser.Other())):
		return rules.Single // he bears one off in time whatever comes
	}
	return rules.NoWin
}

// certainGammon tells a sure gammon from a sure backgammon.
func certainGammon(pos *rules.Position, loser rules.Side, o rules.Options, most int) rules.Win {
	stragglers, pips := 0, 0
	for point := 19; point <= rules.Bar; point++ {
		n := int(pos.Checkers[loser][point])
		stragglers += n
		pips += n * (point - 18)
	}
	switch {
	case o.BackgammonsOff || stragglers == 0:
		return rules.Gammon
	case max((pips+23)/24, (stragglers+3)/4) > most:
		return rules.Backgammon
	}
	return rules.NoWin
}

// fewestTurns is a lower bound of the turns in which side bears off n checkers: 6-6 every time.
func fewestTurns(pos *rules.Position, side rules.Side, n int) int {
	pips := 0
	for point := 7; point <= rules.Bar; point++ {
		pips += int(pos.Checkers[side][point]) * (point - 6)
	}
	moves := n
	for point := 7; point <= rules.Bar; point++ {
		moves += int(pos.Checkers[side][point]) * ((point - 1) / 6)
	}
	return max((pips+23)/24, (moves+3)/4)
}

// mostTurns is an upper bound of the turns in which side bears off all his checkers without contact: every number
// moves some checker at least one pip.
func mostTurns(pos *rules.Position, side rules.Side) int { return (pos.Pips(side) + 1) / 2 }

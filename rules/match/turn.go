package match

import "davar/rules"

// Open gives the two opening dice (OPEN-1). The larger number starts and plays both (OPEN-2), with the option
// OpeningReroll he throws afresh. Equal numbers are thrown again (OPEN-3): tie is then true, and in money play
// the cube may turn one step in the middle (OPEN-4).
func (m *Match) Open(light, dark uint8) (tie bool, err error) {
	g := &m.Game
	switch {
	case g.Phase != AwaitOpening:
		return false, ruleError("OPEN-1", "", "the opening roll has been thrown")
	case !rules.Dice{light, dark}.Valid():
		return false, ruleError("OPEN-1", "", "an opening die shows 1 to 6")
	case light == dark:
		m.autoDouble()
		return true, nil
	}
	g.Turn = rules.Light
	if dark > light {
		g.Turn = rules.Dark
	}
	if m.Options.Rules.OpeningReroll {
		g.Phase, g.Opening = AwaitRoll, true
		return false, nil
	}
	g.Phase, g.Opening, g.Dice = Rolled, true, rules.Dice{light, dark}
	return false, nil
}

// autoDouble turns the cube for a tie in the opening roll where that is played (OPEN-4, CUBE-15).
func (m *Match) autoDouble() {
	g := &m.Game
	o := &m.Options
	if o.Rules.OpeningTies != rules.TieAutoDouble || !o.Cube || m.Length > 0 {
		return
	}
	if g.AutoDoubles < o.Rules.AutoDoubleLimit && g.Cube.Value < o.CubeMax {
		g.AutoDoubles++
		g.Cube.Value *= 2
	}
}

// Begin puts side on roll in a game whose opening roll was not seen.
func (m *Match) Begin(side rules.Side) error {
	if m.Game.Phase >= GameOver {
		return ruleError("SCORE-4", "", "the game is over")
	}
	g := &m.Game
	g.Phase, g.Turn, g.Opening, g.Dice, g.Offer = AwaitRoll, side, g.Turns == 0, rules.Dice{}, Offer{}
	return nil
}

// Roll gives the dice of the player on roll.
func (m *Match) Roll(side rules.Side, dice rules.Dice) error {
	g := &m.Game
	switch {
	case !dice.Valid():
		return ruleError("DICE-18", "", "a die shows 1 to 6")
	case g.Phase == AwaitAnswer:
		return ruleError("CUBE-1", "", "the double must be answered before the roll")
	case g.Phase != AwaitRoll:
		return ruleError("MOVE-7", "", "no roll is awaited")
	case side != g.Turn:
		return ruleError("MOVE-7", "D13", "the other player is on roll")
	}
	g.Phase, g.Dice = Rolled, dice
	return nil
}

// Play ends the turn with the position on the board, legal or not: what stands, stands (IRREG-6). A game in which
// the player has borne off his last checker is over (END-1).
func (m *Match) Play(final rules.Position) error {
	g := &m.Game
	if g.Phase != Rolled {
		return ruleError("MOVE-7", "", "no roll has been thrown")
	}
	g.Position = final
	m.pass()
	if winner, win := g.Position.Won(m.Options.Rules); win != rules.NoWin {
		m.finish(BornOff, winner, m.jacoby(win))
	}
	return nil
}

// Forfeit passes the turn of a player who is closed out and does not roll (ENTER-7).
func (m *Match) Forfeit() error {
	g := &m.Game
	switch {
	case g.Phase != AwaitRoll:
		return ruleError("ENTER-7", "", "no roll is awaited")
	case !g.Position.ClosedOut(g.Turn):
		return ruleError("ENTER-7", "", "the player on roll is not closed out")
	}
	m.pass()
	return nil
}

// pass gives the turn to the other player.
func (m *Match) pass() {
	g := &m.Game
	g.Turn, g.Phase, g.Dice = g.Turn.Other(), AwaitRoll, rules.Dice{}
	g.Opening = false
	g.Turns++
}

// jacoby counts a gammon or backgammon single in money play when no player has doubled (END-7). An automatic
// double is no offered one (CUBE-15).
func (m *Match) jacoby(win rules.Win) rules.Win {
	if m.Options.Jacoby && m.Length == 0 && !m.Game.Doubled {
		return rules.Single
	}
	return win
}

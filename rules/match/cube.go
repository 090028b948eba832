package match

import "davar/rules"

// Cube is the doubling cube: its value, and its owner unless it is in the middle.
type Cube struct {
	Value int
	Owned bool
	Owner rules.Side // meaningful when Owned
}

// OwnerName returns "light", "dark", or "" for the cube in the middle.
func (c Cube) OwnerName() string {
	if !c.Owned {
		return ""
	}
	return c.Owner.String()
}

// Offer is a double waiting for its answer.
type Offer struct {
	By     rules.Side
	Value  int  // of the cube when it is taken
	Beaver bool // By has taken and doubled back at once (CUBE-14)
}

// MayDouble returns nil when side may offer a double now, else a *RuleError with the rule that forbids it.
func (m *Match) MayDouble(side rules.Side) error {
	g := &m.Game
	switch {
	case !m.Options.Cube:
		return ruleError("CUBE-16", "C1", "the match is played without a cube")
	case g.Phase >= GameOver:
		return ruleError("CUBE-1", "C1", "the game is over")
	case g.Crawford:
		return ruleError("CUBE-11", "C3", "no double in the Crawford game")
	case g.Phase == AwaitOpening, g.Opening:
		return ruleError("OPEN-8", "C1", "no double before the opening play")
	case g.Phase == AwaitAnswer:
		return ruleError("CUBE-1", "C1", "a double is waiting for its answer")
	case side != g.Turn:
		return ruleError("CUBE-1", "C1", "only the player on roll may double")
	case g.Phase != AwaitRoll:
		return ruleError("CUBE-1", "C1", "a double must be offered before the roll")
	case g.Cube.Owned && g.Cube.Owner != side:
		return ruleError("CUBE-5", "C2", "the opponent owns the cube")
	case g.Cube.Value >= m.Options.CubeMax:
		return ruleError("CUBE-6", "C4", "the cube is at its highest value")
	case !m.Options.ClosedOutMayDouble && g.Position.ClosedOut(side):
		return ruleError("CUBE-20", "C1", "a closed-out player may not double here")
	}
	return nil
}

// Double offers the cube at twice its value (CUBE-1, CUBE-2, CUBE-5).
func (m *Match) Double(side rules.Side) error {
	if err := m.MayDouble(side); err != nil {
		return err
	}
	m.Game.Offer = Offer{By: side, Value: 2 * m.Game.Cube.Value}
	m.Game.Phase, m.Game.Doubled = AwaitAnswer, true
	return nil
}

// answers returns nil when side is the one who must answer the double.
func (m *Match) answers(side rules.Side) error {
	if m.Game.Phase != AwaitAnswer || side == m.Game.Offer.By {
		return ruleError("CUBE-3", "", "there is no double for this player to answer")
	}
	return nil
}

// Take accepts the double: side owns the cube at its new value (CUBE-3). After a beaver the cube stays with the
// player who beavered (CUBE-14). The player whose turn it is rolls.
func (m *Match) Take(side rules.Side) error {
	if err := m.answers(side); err != nil {
		return err
	}
	g := &m.Game
	g.Cube.Value = g.Offer.Value
	if !g.Offer.Beaver {
		g.Cube.Owned, g.Cube.Owner = true, side
	}
	g.Phase, g.Offer = AwaitRoll, Offer{}
	return nil
}

// Drop refuses the double: the game ends as a single at the value before the offer (CUBE-4). Where that would
// win the doubler the match it is not accepted and counts as a take (CUBE-17): dropped is then false. That is
// not the case under the option MatchEndByDrop AllowDrop.
func (m *Match) Drop(side rules.Side) (dropped bool, err error) {
	if err := m.answers(side); err != nil {
		return false, err
	}
	if m.DropWouldEndMatch() && m.Options.MatchEndByDrop != AllowDrop {
		return false, m.Take(side)
	}
	m.finish(Dropped, side.Other(), rules.Single)
	return true, nil
}

// DropWouldEndMatch reports whether dropping the double on offer would win its maker the match (SCORE-3).
func (m *Match) DropWouldEndMatch() bool {
	g := &m.Game
	return g.Phase == AwaitAnswer && m.Length > 0 && m.Score[g.Offer.By]+g.Cube.Value >= m.Length
}

// Beaver takes the double and doubles again at once, keeping the cube (CUBE-14); the first doubler must answer.
func (m *Match) Beaver(side rules.Side) error {
	g := &m.Game
	if err := m.answers(side); err != nil {
		return err
	}
	switch {
	case !m.Options.Beavers || m.Length > 0:
		return ruleError("CUBE-13", "C1", "no beavers in this match")
	case g.Offer.Beaver:
		return ruleError("CUBE-14", "C1", "a beaver cannot be beavered")
	case 2*g.Offer.Value > m.Options.CubeMax:
		return ruleError("CUBE-6", "C4", "the cube cannot be turned higher")
	}
	g.Cube = Cube{Value: g.Offer.Value, Owned: true, Owner: side}
	g.Offer = Offer{By: side, Value: 2 * g.Cube.Value, Beaver: true}
	return nil
}

// SetCube puts the cube as the director says (DIR-5). Value must be a power of two up to the highest.
func (m *Match) SetCube(c Cube) error {
	if c.Value < 1 || c.Value&(c.Value-1) != 0 || c.Value > m.Options.CubeMax {
		return ruleError("CUBE-6", "C4", "that is no value of the cube")
	}
	m.Game.Cube = c
	return nil
}

package refereetest

import (
	"time"

	"davar/rules"
	"davar/rules/referee/accuracy"
	"davar/rules/sighting"
)

// cube doubles now and then; the double is taken, sometimes with a wrong numeral up (C4).
func (g *game) cube(side rules.Side) {
	if g.rng.Float64() >= g.habits.Doubles || g.match.MayDouble(side) != nil || g.match.Double(side) != nil {
		return
	}
	value, other := g.match.Game.Offer.Value, side.Other()
	g.over()
	g.cubeHappened(side, "double", value)
	g.MoveCube(g.offeredBy(side), value)
	if g.mode == "clock" {
		g.Press(side)
	}
	g.cubeHappened(other, "take", value)
	shown := value
	if g.careless("C4") != "" {
		shown = map[bool]int{true: 2 * value, false: 2}[value < 32]
	}
	g.hand(700*time.Millisecond, func() { g.PutCube(ownedBy(other), shown) })
	if shown != value {
		g.begin("C4", other)
	}
	g.Wait(2 * time.Second)
	if g.mode == "clock" {
		g.Press(other)
	}
	_ = g.match.Take(other)
	if shown != value {
		g.Wait(4 * time.Second)
		g.hand(700*time.Millisecond, func() { g.PutCube(ownedBy(other), value) })
		g.Wait(time.Second)
	}
}

func (g *game) cubeHappened(side rules.Side, action string, value int) {
	g.happened(accuracy.Happening{Type: "cube", Player: &side, Action: action, Value: value})
}

// offeredBy returns where side puts the cube to double.
func (g *game) offeredBy(side rules.Side) sighting.CubePlace {
	if g.RightHalf(side) == sighting.RightHalf {
		return sighting.CubeOfferedRight
	}
	return sighting.CubeOfferedLeft
}

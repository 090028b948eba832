package refereetest

import (
	"fmt"

	"davar/rules"
	"davar/rules/record"
	"davar/rules/referee/accuracy"
)

// Actions returns the actions of a game as they stand in the end: the last move of each turn, and the cube.
func Actions(truth []accuracy.Happening) []record.Action {
	var actions []record.Action
	turn := -1
	for i := range truth {
		h := &truth[i]
		switch h.Type {
		case "cube":
			kind := map[string]record.Kind{"double": record.Double, "take": record.Take, "drop": record.Drop}[h.Action]
			a := record.Action{Kind: kind, Side: *h.Player}
			if kind == record.Double {
				a.Cube = h.Value
			}
			actions, turn = append(actions, a), -1
		case "move":
			steps, err := rules.ParseNotation(h.Move)
			if err != nil {
				continue
			}
			if h.Turn == turn {
				actions = actions[:len(actions)-1]
			}
			a := record.Action{Side: *h.Player, Dice: rules.Dice{uint8(h.Dice[0]), uint8(h.Dice[1])}, Steps: steps}
			actions, turn = append(actions, a), h.Turn
		}
	}
	return actions
}

// Differ says how two replayed games differ in who did what and where it led, "" when they do not.
func Differ(got, want []record.Turn) string {
	for i := range min(len(got), len(want)) {
		x, y := got[i].Action, want[i].Action
		if x.Kind != y.Kind || x.Side != y.Side || x.Dice.High() != y.Dice.High() || x.Dice.Low() != y.Dice.Low() || got[i].After != want[i].After {
			return fmt.Sprintf("action %d: %v %v %v %s, want %v %v %v %s", i, x.Side, x.Kind, x.Dice, x.Notation(), y.Side, y.Kind, y.Dice, y.Notation())
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d actions, want %d", len(got), len(want))
	}
	return ""
}

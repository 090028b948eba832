package referee_test

import (
	"fmt"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
)

// A table is played before a model camera that sees perfectly; the referee is told nothing but what is seen. Light moves
// one pip too far and lifts his dice.
func Example() {
	settings := referee.DefaultSettings()
	settings.Match, settings.Length, settings.TurnEnd = "m", 7, "pickup"
	settings.OpeningSeen, settings.DiceSets = true, 2
	table, err := refereetest.NewTable(settings, refereetest.Noise{}, 1)
	if err != nil {
		panic(err)
	}
	table.Wait(2 * time.Second)
	table.Throw(append(table.Flat(rules.Light, 6), table.Flat(rules.Dark, 4)...)...) // the opening roll
	if err := table.Move(rules.Light, "24/18 13/8"); err != nil {
		panic(err)
	}
	table.LiftAll()
	table.Wait(3 * time.Second)
	for _, e := range table.Events {
		switch e.Type {
		case referee.Roll:
			fmt.Println(*e.Side, "rolls", e.Dice)
		case referee.PlayMade:
			fmt.Println(*e.Side, "plays", e.Notation)
		case referee.RulingMade:
			fmt.Println(e.Ruling.Code, e.Ruling.Rules)
		}
	}
	// Output:
	// light rolls [6 4]
	// M3 [MOVE-1]
}

package match_test

import (
	"fmt"

	"davar/rules"
	"davar/rules/match"
)

func ExampleMatch() {
	m, err := match.New(5, match.OptionsFor(rules.Standard))
	if err != nil {
		panic(err)
	}
	if _, err := m.Open(3, 1); err != nil { // light throws 3, dark 1
		panic(err)
	}
	fmt.Println(m.Double(rules.Light))
	play := rules.Plays(&m.Game.Position, m.Game.Turn, m.Game.Dice)[0]
	if err := m.Play(play.Final); err != nil {
		panic(err)
	}
	if err := m.Double(rules.Dark); err != nil {
		panic(err)
	}
	dropped, err := m.Drop(rules.Light)
	fmt.Println(dropped, err, m.Score, m.Result)
	// Output:
	// match: no double before the opening play (OPEN-8)
	// true <nil> [0 1] drop
}

package refereetest_test

import (
	"fmt"

	"davar/rules/referee"
	"davar/rules/referee/refereetest"
)

// A game is played in which in one turn of ten somebody moves wrongly, before an eye that sees perfectly. Equal seeds give
// the same game.
func ExamplePlayGame() {
	settings := referee.DefaultSettings()
	settings.Match, settings.Length = "m", 7
	habits := refereetest.Habits{Careless: 0.1, Incidents: []string{"M3", "M4"}, Turns: 40}
	game, err := refereetest.PlayGame(settings, refereetest.Noise{}, habits, 1)
	if err != nil {
		panic(err)
	}
	said := 0
	for _, e := range game.Events {
		if e.Type == referee.RulingMade {
			said++
		}
	}
	fmt.Println(game.Turns, "turns,", len(game.Incidents), "went wrong,", said, "were announced")
	// Output:
	// 40 turns, 5 went wrong, 5 were announced
}

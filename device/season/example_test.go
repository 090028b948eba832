package season_test

import (
	"fmt"

	"davar/device/season"
	"davar/rules"
	"davar/rules/transcript"
)

// Two evenings of the same two players, once written otherwise.
func ExampleSum() {
	match := func(day string, players [2]string, winner rules.Side) season.Tally {
		return season.Of(&transcript.Transcript{
			Facts:   transcript.Facts{ID: day, Players: players, Length: 1, Club: "Blot"},
			Started: day + "T19:00:00Z", Finished: true, Winner: winner,
			Games: []transcript.Game{{Number: 1, Result: &transcript.Result{Winner: winner, Points: 1, How: "single", Match: true}}},
		}, nil)
	}
	s := season.Sum([]season.Tally{
		match("2026-05-01", [2]string{"Anna", "Behnam"}, rules.Light),
		match("2026-05-08", [2]string{"behnam", "Anna"}, rules.Dark),
	}, false)
	for _, p := range s.Players {
		fmt.Printf("%s: %d matches, %d won, %d points for and %d against\n", p.Name, p.Matches, p.Won, p.Points, p.Against)
	}
	// Output:
	// Anna: 2 matches, 2 won, 2 points for and 0 against
	// behnam: 2 matches, 0 won, 0 points for and 2 against
}

package transcript_test

import (
	"fmt"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/transcript"
)

// A roll that was misread and put right stands in the transcript as what it was.
func ExampleOf() {
	light := rules.Light
	after := rules.Start(rules.Standard)
	steps, err := rules.ParseNotation("8/5 6/5")
	if err != nil {
		panic(err)
	}
	if after, err = rules.Apply(&after, light, steps); err != nil {
		panic(err)
	}
	legal := true
	events := []referee.Event{
		{Type: referee.MatchStarted},
		{Type: referee.GameStarted, Game: 1, Side: &light, Score: &referee.Score{}},
		{Type: referee.Roll, Game: 1, Side: &light, Dice: []int{3, 2}},
		{Type: referee.Roll, Game: 1, Side: &light, Dice: []int{3, 1}, Why: "corrected"},
		{Type: referee.PlayMade, Game: 1, Side: &light, Dice: []int{3, 1}, Notation: "8/5 6/5", Position: after.ID(light), Legal: &legal},
	}
	for i := range events {
		events[i].Seq, events[i].Match = int64(i+1), "m"
	}
	match := transcript.Of(transcript.Facts{ID: "m", Players: [2]string{"Anna", "Behnam"}, Length: 7}, events)
	for _, turn := range match.Games[0].Turns {
		fmt.Println(match.Players[turn.Side], turn.Dice, turn.Notation, turn.Corrected)
	}
	// Output:
	// Anna 3-1 8/5 6/5 true
}

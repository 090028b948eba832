package embargo_test

import (
	"fmt"
	"time"

	"davar/device/embargo"
	"davar/rules"
	"davar/rules/referee"
)

// Spectators see a turn only when it can no longer be corrected, and then after the delay.
func ExampleEmbargo() {
	b := embargo.New(2 * time.Minute)
	begun := time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)
	light, dark := rules.Light, rules.Dark
	for i, e := range []referee.Event{
		{Type: referee.Roll, Side: &light, Dice: []int{3, 1}},
		{Type: referee.PlayMade, Side: &light, Notation: "8/5 6/5"},
		{Type: referee.Roll, Side: &dark, Dice: []int{6, 4}},
		{Type: referee.PlayMade, Side: &dark, Notation: "24/14"},
	} {
		e.Match, e.Game, e.Seq = "m", 1, int64(i+1)
		b.Saw(e, begun.Add(time.Duration(i)*10*time.Second))
	}
	for seq := int64(1); seq <= 4; seq++ {
		_, closed := b.Due("m", seq, begun)
		fmt.Println("event", seq, "closed:", closed)
	}
	due, _ := b.Due("m", 1, begun)
	fmt.Println("the first turn may be shown after", due.Sub(begun))
	// Output:
	// event 1 closed: true
	// event 2 closed: true
	// event 3 closed: false
	// event 4 closed: false
	// the first turn may be shown after 2m20s
}

package timekeeper_test

import (
	"fmt"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/timekeeper"
)

// A table that has only a clock: dark's press begins light's time, who thinks for half a minute and presses.
func Example() {
	settings := referee.DefaultSettings()
	settings.Match, settings.Length = "friday-3", 7
	control, err := clock.Preset("usbgf-singles")
	if err != nil {
		panic(err)
	}
	settings.Clock = &control
	keeper, err := timekeeper.New(settings)
	if err != nil {
		panic(err)
	}
	for _, press := range []struct {
		at   time.Duration
		side rules.Side
	}{{20 * time.Second, rules.Dark}, {50 * time.Second, rules.Light}} {
		for _, e := range keeper.Handle(referee.Input{T: press.at, Press: &referee.Press{Side: press.side}}) {
			fmt.Println(time.Duration(e.TMS)*time.Millisecond, e.Type)
		}
	}
	fmt.Println("to move:", keeper.State().Turn)
	// Output:
	// 20s match.started
	// 20s clock.started
	// 20s game.started
	// 50s clock.pressed
	// to move: dark
}

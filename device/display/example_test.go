package display_test

import (
	"fmt"
	"time"

	"davar/clock"
	"davar/device/display"
)

// What a player's display shows: his reserve, with points that count down the delay of his turn.
func ExampleReserve() {
	control, err := clock.Preset("usbgf-singles")
	if err != nil {
		panic(err)
	}
	c, err := clock.New(control, [2]time.Duration{14 * time.Minute, 14 * time.Minute}, 0)
	if err != nil {
		panic(err)
	}
	if _, err := c.Press(0, clock.Dark); err != nil { // light is on move
		panic(err)
	}
	for _, at := range []time.Duration{0, 7 * time.Second, 40 * time.Second} {
		fmt.Println(display.Reserve(c.View(at), clock.Light, 12*time.Second))
	}
	// Output:
	// 1.4.:0.0.
	// 1.4.:00
	// 13:32
}

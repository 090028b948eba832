package gpio_test

import (
	"fmt"
	"time"

	"davar/device/gpio"
)

// A contact bounces: the press counts once, at the moment of its first edge.
func ExampleDebouncer() {
	begun := time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)
	ms := func(n int) time.Time { return begun.Add(time.Duration(n) * time.Millisecond) }
	d := gpio.NewDebouncer(gpio.LightButton, gpio.LockOut, begun, false)
	for _, edge := range []struct {
		ms   int
		down bool
	}{{100, true}, {101, false}, {103, true}} {
		for _, e := range d.Edge(ms(edge.ms), edge.down) {
			fmt.Println(e.Kind, e.Button, e.At.Sub(begun))
		}
	}
	// Output:
	// press light 100ms
}

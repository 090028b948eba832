package clock_test

import (
	"fmt"
	"time"

	"davar/clock"
)

// A seven-point match: dark throws the lower die of the opening roll, light takes 30 seconds for his play.
func Example() {
	control, _ := clock.Preset("usbgf-singles")
	reserve, _ := control.Reserve(7, 0)
	c, _ := clock.New(control, [2]time.Duration{reserve, reserve}, 0)

	_, _ = c.Press(20*time.Second, clock.Dark)
	changes, _ := c.Press(50*time.Second, clock.Light)
	v := c.View(55 * time.Second)

	fmt.Println(changes[0].Kind, changes[0].Turn.Free, changes[0].Turn.Used)
	fmt.Println(clock.Text(v.Remaining[clock.Light]), clock.Text(v.Remaining[clock.Dark]), v.Running, v.Delay)
	// Output:
	// pressed 12s 18s
	// 13:42 14:00 dark 7s
}

package watchdog_test

import (
	"fmt"
	"time"

	"davar/device/watchdog"
)

// A loop that must turn says so each time it does.
func ExamplePulse() {
	pulse := watchdog.NewPulse()
	judge := pulse.Watch("the judge", time.Hour)
	pulse.Watch("the camera's loop", -time.Second) // it can never be in time
	judge.Beat()
	fmt.Println("something stands:", pulse.Check() != nil)
	// Output:
	// something stands: true
}

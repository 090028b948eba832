package hub_test

import (
	"fmt"

	"davar/device/hub"
)

// A hub that is told neither broker nor address says what is missing.
func ExampleNew() {
	_, err := hub.New(hub.Settings{})
	fmt.Println(err)
	// Output:
	// hub: hub.broker: "" is no broker's address: write it like tcp://broker.example:1883
}

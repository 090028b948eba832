package mqtt_test

import (
	"fmt"

	"davar/device/mqtt"
)

// A table has its place in the tree of topics; what only the director may see lies below private.
func ExamplePlace() {
	place := mqtt.Place{Club: "north", Table: "3"}
	fmt.Println(place.Topic("state"))
	fmt.Println(place.Topic("private", "event"))
	fmt.Println(mqtt.Place{Club: "north/south", Table: "3"}.Check())
	// Output:
	// davar/north/3/state
	// davar/north/3/private/event
	// the name "north/south" of the club: give 1 to 128 characters without / + #
}

package doctor_test

import (
	"context"
	"errors"
	"fmt"

	"davar/device/doctor"
	"davar/device/phrasebook"
)

// Each finding says what is wrong and what to do about it, in the reader's language.
func ExampleExamine() {
	book, err := phrasebook.Open("000")
	if err != nil {
		panic(err)
	}
	unreachable := doctor.Broker("tcp://broker:1883", false, func(context.Context) error { return errors.New("no route to host") })
	report := doctor.Examine(context.Background(), []doctor.Check{unreachable})
	fmt.Println(report.State)
	for _, f := range report.Findings {
		what, do := f.Tell(book, "en")
		fmt.Println(f.Check, f.State, what)
		fmt.Println(do)
	}
	// Output:
	// fault
	// broker fault The broker tcp://broker:1883 does not let us in: no route to host
	// Check network, address, user and password file (mqtt in the settings). The match is played and written down meanwhile.
}

package phrasebook_test

import (
	"fmt"

	"davar/device/phrasebook"
	"davar/rules"
	"davar/rules/referee"
)

// Every text a user sees comes from one catalogue, in English and in Persian.
func ExampleBook() {
	book, err := phrasebook.Open("000")
	if err != nil {
		panic(err)
	}
	fmt.Println(book.Announce("en", "M3", map[string]string{"a": "3", "b": "1"}))
	fmt.Println(book.Announce("fa", "M5", nil))
	light := rules.Light
	roll := referee.Event{Type: referee.Roll, Side: &light, Dice: []int{3, 1}}
	fmt.Println(book.Tell("en", roll, [2]string{"Anna", "Behnam"}))
	// Output:
	// Moves do not match the roll 3-1.
	// اول مهرهٔ روی میله باید وارد شود.
	// Anna rolls 3-1.
}

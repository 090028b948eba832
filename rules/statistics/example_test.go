package statistics_test

import (
	"fmt"

	"davar/rules/statistics"
)

// A pair of dice that shows nothing but sixes is found out; seven rolls would not do.
func ExampleDice_FaceTest() {
	var dice statistics.Dice
	for range 20 {
		dice.Add(6, 6)
	}
	test := dice.FaceTest()
	fmt.Println(dice.Rolls, "rolls,", dice.Doubles, "doubles,", dice.Pips, "pips")
	fmt.Printf("χ² %.0f of %d degrees of freedom; by chance less often than once in a million: %t; enough rolls: %t\n",
		test.ChiSquared, test.Freedom, test.P < 1e-6, test.Enough)
	// Output:
	// 20 rolls, 20 doubles, 480 pips
	// χ² 200 of 5 degrees of freedom; by chance less often than once in a million: true; enough rolls: true
}

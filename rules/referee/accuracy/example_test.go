package accuracy_test

import (
	"fmt"
	"strings"

	"davar/rules/referee/accuracy"
)

// A referee who says nothing makes no false accusation, and finds nothing.
func ExampleCompare() {
	truth, err := accuracy.ReadTruth(strings.NewReader(`{"t":0,"type":"start"}
{"t":2,"turn":1,"player":"light","type":"roll","dice":[3,1],"valid":true}
{"t":4,"turn":1,"player":"light","type":"move","dice":[3,1],"move":"8/5 6/5","legal":true}
{"t":20,"type":"end"}
`))
	if err != nil {
		panic(err)
	}
	result, err := accuracy.Compare(truth, nil, "pickup")
	if err != nil {
		panic(err)
	}
	fmt.Printf("rolls %d of %d, plays %d of %d, false rulings %d, perfect: %t\n",
		result.Rolls.Right, result.Rolls.Expected, result.Plays.Right, result.Plays.Expected, result.FalseRulings, result.Perfect())
	// Output:
	// rolls 0 of 1, plays 0 of 1, false rulings 0, perfect: false
}

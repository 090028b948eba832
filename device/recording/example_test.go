package recording_test

import (
	"fmt"

	"davar/device/recording"
)

// What buttons and director sent while a game was filmed, one object a line.
func ExampleParseInputs() {
	inputs, err := recording.ParseInputs([]byte(`{"t_ms":7390,"press":"dark"}
{"t_ms":3090,"press":"light"}
`))
	if err != nil {
		panic(err)
	}
	for _, in := range inputs {
		fmt.Println(in.T, in.Press.Side)
	}
	// Output:
	// 3.09s light
	// 7.39s dark
}

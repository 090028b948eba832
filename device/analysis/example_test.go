package analysis_test

import (
	"fmt"
	"os"

	"davar/device/analysis"
)

// An analysis lies beside the journal it belongs to and grows game by game.
func ExampleLoad() {
	folder, err := os.MkdirTemp("", "analysis")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	a := analysis.New("20261129-180000", 2, 3)
	a.Done = 1
	if err := a.Save(folder); err != nil {
		panic(err)
	}
	a, err = analysis.Load(folder, "20261129-180000")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d of %d games at %d plies; complete: %v\n", a.Done, a.Of, a.Plies, a.Complete())
	// Output:
	// 1 of 3 games at 2 plies; complete: false
}

package results_test

import (
	"fmt"

	"davar/device/results"
)

// Where finished matches go is a folder or a web address.
func ExampleNew() {
	_, err := results.New(results.Settings{To: "ftp://club.example/matches"})
	fmt.Println(err)
	// Output:
	// results: ftp://club.example/matches: use a folder, or an address that begins with http or https
}

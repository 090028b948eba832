package config_test

import (
	"fmt"

	"davar/config"
)

// A file holds only what differs, and all its errors are told at once.
func ExampleParse() {
	c, err := config.Parse("club.yaml", []byte("match: {light: Anna, length: 11}\n"))
	fmt.Println(c.Match.Light, c.Match.Length, c.Publish.Delay, err)

	_, err = config.Parse("club.yaml", []byte("match:\n  lenght: 11\nlanguage: de\n"))
	fmt.Println(err)
	// Output:
	// Anna 11 2m0s <nil>
	// config: club.yaml:2: match.lenght: there is no such key; here one may set light, dark, length, bottom, home, event
	// config: club.yaml:3: language: "de" is not known; use en, fa
}

package bundle_test

import (
	"fmt"

	"davar/device/bundle"
)

// Names and secrets are taken out of what is sent to those who help.
func ExampleRedactor() {
	r := bundle.NewRedactor([]string{"Anna", "Behnam"}, []string{"open-sesame"})
	fmt.Println(r.Text(`msg="signed in" name=Anna password=open-sesame`))
	// Output:
	// msg="signed in" name=(name) password=(secret)
}

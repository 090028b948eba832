package update_test

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"os"

	"davar/firmware/update"
)

// A signed release is installed and tried; it has proved itself when it says that it is well.
func ExampleStore() {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "store")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	var release bytes.Buffer
	if err := update.Pack(&release, []byte("a program"), "1.2.0", "arm64", private); err != nil {
		panic(err)
	}
	store := update.Store{Dir: folder, Key: public}
	if _, err := store.Install(&release, "arm64", "1.1.0", false); err != nil {
		panic(err)
	}
	fmt.Printf("started: %q\n", store.Choose("/usr/bin/davar", "1.1.0").Version)
	if err := store.Healthy("1.2.0"); err != nil {
		panic(err)
	}
	fmt.Printf("good: %q\n", store.State().Good)
	// Output:
	// started: "1.2.0"
	// good: "1.2.0"
}

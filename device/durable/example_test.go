package durable_test

import (
	"fmt"
	"os"
	"path/filepath"

	"davar/device/durable"
)

// A setting that must outlive the plug being pulled.
func ExampleWrite() {
	folder, err := os.MkdirTemp("", "durable")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "table")
	if err := durable.Write(path, []byte("7"), 0o644); err != nil {
		panic(err)
	}
	text, err := os.ReadFile(path)
	fmt.Println(string(text), err)
	// Output: 7 <nil>
}

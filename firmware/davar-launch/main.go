// Command davar-launch starts the davar that is to run: the package's own, the newest one that was installed and proved
// itself, or a new one that is to. It needs no library that a broken update could miss, and becomes the program it
// starts. A program that ends soon after each start is started ever later.
//
//	davar-launch ARGUMENTS OF DAVAR
package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"davar/firmware/update"
)

// Where the package puts things; the environment may say otherwise (tests do).
var places = map[string]string{
	"DAVAR_STORE":       "/var/lib/davar/update",
	"DAVAR_OWN":         "/usr/lib/davar/davar",
	"DAVAR_OWN_VERSION": "/usr/lib/davar/version",
	"DAVAR_KEY":         "/etc/davar/update.pub",
}

func place(name string) string {
	if path := os.Getenv(name); path != "" {
		return path
	}
	return places[name]
}

func main() {
	if folder := os.Getenv("RUNTIME_DIRECTORY"); folder != "" {
		if wait := (starts{folder}).next(sinceBoot()); wait > 0 {
			fmt.Fprintf(os.Stderr, "davar-launch: it has ended soon after each start; waiting %v\n", wait)
			time.Sleep(wait) // nothing else is done here
		}
	}
	choice := choose()
	if choice.Why != "" {
		fmt.Fprintf(os.Stderr, "davar-launch: %s; starting %s\n", choice.Why, choice.Path)
	}
	environment := append(os.Environ(), "DAVAR_STORE="+place("DAVAR_STORE"), "DAVAR_KEY="+place("DAVAR_KEY"), "DAVAR_LAUNCHED="+choice.Version)
	err := syscall.Exec(choice.Path, append([]string{"davar"}, os.Args[1:]...), environment)
	fmt.Fprintf(os.Stderr, "davar-launch: start %s: %v\n", choice.Path, err)
	os.Exit(1)
}

func choose() update.Choice {
	own := place("DAVAR_OWN")
	text, err := os.ReadFile(place("DAVAR_KEY"))
	if err != nil { // without a key nothing was ever installed
		return update.Choice{Path: own}
	}
	key, err := update.ParsePublicKey(string(text))
	if err != nil {
		return update.Choice{Path: own, Why: err.Error()}
	}
	version, _ := os.ReadFile(place("DAVAR_OWN_VERSION")) // unknown: whatever has proved itself is newer
	return update.Store{Dir: place("DAVAR_STORE"), Key: key}.Choose(own, strings.TrimSpace(string(version)))
}

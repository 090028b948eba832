package main

import (
	"fmt"
	"runtime/debug"
)

// version is set when a package is built (-ldflags "-X main.version=1.2.3").
var version = ""

// programVersion returns what is running: the package's version, or the commit it was built from.
func programVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	commit, changed := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed"
		}
	}
	return fmt.Sprintf("from commit %s%s", commit, changed)
}

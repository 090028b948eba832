//go:build !linux

package main

import (
	"errors"
	"io"
	"os"
)

func oneKeyAtATime(io.Reader) (restore func(), err error) {
	return func() {}, errors.New("this system's terminals are not known")
}

func isTerminal(*os.File) bool { return false }

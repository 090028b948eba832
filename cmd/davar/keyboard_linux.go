package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// oneKeyAtATime has a terminal hand over each key as it is pressed and not show it; what is no terminal stays as it is.
// restore undoes it and is never nil.
func oneKeyAtATime(keys io.Reader) (restore func(), err error) {
	f, ok := keys.(*os.File)
	if !ok || !isTerminal(f) {
		return func() {}, nil
	}
	fd := int(f.Fd())
	was, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return func() {}, err
	}
	now := *was
	now.Lflag &^= unix.ICANON | unix.ECHO // Ctrl+C and line ends stay what they are
	now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, &now); err != nil {
		return func() {}, err
	}
	return func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, was) }, nil
}

// isTerminal tells whether people look at the file or type into it.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

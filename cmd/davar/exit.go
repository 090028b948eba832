package main

import (
	"context"
	"errors"
	"fmt"

	"davar/config"
)

// Exit statuses of every command.
const (
	exitDone         = 0
	exitFailed       = 1
	exitUsage        = 2 // wrong usage or configuration
	exitIrregularity = 3 // judge, replay --strict: an irregularity was found
)

// usageError is a command line that cannot be obeyed.
type usageError struct{ error }

// Unwrap returns what is wrong.
func (e usageError) Unwrap() error { return e.error }

// usagef returns a usageError with the formatted text.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errIrregular makes a command end with status 3; what was found has been printed already.
var errIrregular = irregularity{}

// irregularity is an error without words.
type irregularity struct{}

// Error returns nothing: the finding itself is the command's output.
func (irregularity) Error() string { return "" }

// exitStatus returns the exit status for a command's error.
func exitStatus(err error) int {
	var usage usageError
	var settings config.Problems
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return exitDone
	case errors.Is(err, errIrregular):
		return exitIrregularity
	case errors.As(err, &usage), errors.As(err, &settings):
		return exitUsage
	}
	return exitFailed
}

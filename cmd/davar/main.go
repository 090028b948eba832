// Command davar referees a real backgammon board: it reads checkers and dice from a camera's picture, knows the
// rules, runs the clock and shows the match to the world. See the README, or run davar help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	boundArenas()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit status (see exit.go).
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, context.Canceled) && err.Error() != "" {
		fmt.Fprintf(stderr, "davar: %v\n", err)
	}
	return exitStatus(err)
}

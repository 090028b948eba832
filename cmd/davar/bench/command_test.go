package main

import (
	"bufio"
	"context"
	"testing"
)

func TestWhatIsInterruptedEndsWithAllThatItStarted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := command(ctx, "sh", "-c", "sleep 1000 & echo; wait")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := lines.ReadString('\n'); err == nil { // the pipe closes when the child has ended too
		t.Error("something else was written")
	}
	if err := c.Wait(); err == nil {
		t.Error("it ended as if nothing had happened")
	}
}

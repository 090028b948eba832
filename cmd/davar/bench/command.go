package main

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// command is a command that ends with ctx, and with it all that it has started: go test runs its test as another process.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 5 * time.Second
	return c
}

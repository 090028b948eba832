// Package gnubgtest lets tests hand what the project writes to GNU Backgammon.
package gnubgtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Run has GNU Backgammon carry out a list of commands, one a line, and returns what it prints, line by line. Where it
// is not installed the test is skipped loudly; unread says what was not read by it then.
func Run(t *testing.T, unread, commands string) []string {
	t.Helper()
	program, err := exec.LookPath("gnubg")
	if err != nil {
		program = "/usr/games/gnubg"
		if _, err := os.Stat(program); err != nil {
			t.Skipf("SKIPPED: GNU Backgammon is not installed (apt install gnubg): %s was not read by it", unread)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	file := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(file, []byte(commands), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, program, "-t", "-q", "-c", file)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("gnubg: %v\n%s", err, out)
	}
	return strings.Split(string(out), "\n")
}

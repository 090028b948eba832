package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"davar/device/journal"
)

// demo is a running davar demo, a process of its own.
type demo struct {
	cmd  *exec.Cmd
	page string // address of its page
	says *bufio.Reader
}

// demoLimit ends a demo that says nothing more, so that its test fails and does not hang.
const demoLimit = 8 * time.Minute

// startDemo starts the demo on free ports with its data in folder.
func startDemo(t *testing.T, folder string, args ...string) *demo {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), demoLimit)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{"demo", "--data", folder, "--web", "127.0.0.1:0", "--mqtt", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), "DAVAR_TEST_PROGRAM=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _, _ = cmd.Process.Wait() })
	d := &demo{cmd: cmd, says: bufio.NewReader(out)}
	line := d.line(t)
	if d.page = regexp.MustCompile(`http://\S+`).FindString(line); d.page == "" {
		t.Fatalf("the demo's first line does not name its page: %q", line)
	}
	return d
}

// line returns the next line the demo prints.
func (d *demo) line(t *testing.T) string {
	t.Helper()
	line, err := d.says.ReadString('\n')
	if err != nil {
		t.Fatalf("the demo ended: %v", err)
	}
	return strings.TrimSpace(line)
}

// shown is what a spectator's page holds.
type shown struct {
	State struct {
		Match string `json:"match"`
		Seq   int64  `json:"seq"`
		TMS   int64  `json:"t_ms"`
	} `json:"state"`
}

// state asks the page what it shows.
func (d *demo) state(t *testing.T) shown {
	t.Helper()
	answer, err := http.Get(d.page + "/state.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var s shown
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return s
}

// until reads what the demo prints until a line contains the text.
func (d *demo) until(t *testing.T, text string) {
	t.Helper()
	for !strings.Contains(d.line(t), text) {
	}
}

func TestKilledInMidGameTheMatchGoesOnFromTheLastEventShown(t *testing.T) {
	folder := t.TempDir()
	first := startDemo(t, folder, "--speed", "5")
	first.until(t, "Opening roll")
	first.until(t, "Dark")
	before := first.state(t)
	if err := first.cmd.Process.Kill(); err != nil { // SIGKILL: nothing is tidied up
		t.Fatal(err)
	}
	_ = first.cmd.Wait()

	written := events(t, folder, before.State.Match)
	if len(written) == 0 || written[len(written)-1] < before.State.Seq {
		t.Fatalf("event %d was shown, the log ends with %v", before.State.Seq, written)
	}

	second := startDemo(t, folder, "--speed", "5")
	second.until(t, "Going on with match "+before.State.Match)
	second.until(t, "Light") // play goes on
	after := second.state(t)
	if after.State.Match != before.State.Match || after.State.Seq <= before.State.Seq {
		t.Errorf("shown before the kill %+v, after it %+v", before.State, after.State)
	}
	if err := second.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	second.until(t, "Stopped")
	for i, seq := range events(t, folder, before.State.Match) {
		if seq != int64(i)+1 {
			t.Fatalf("event %d of the log has seq %d", i+1, seq)
		}
	}
}

// events returns the seq of all events of a match in the folder's log, after proving the log whole.
func events(t *testing.T, folder, match string) []int64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := journal.OpenReader(ctx, filepath.Join(folder, "davar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Verify(ctx); err != nil {
		t.Fatal(err)
	}
	all, err := r.Events(ctx, match, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	seqs := make([]int64, len(all))
	for i, e := range all {
		seqs[i] = e.Seq
	}
	return seqs
}

package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocv.io/x/gocv"
)

// TestMain lets the test binary be the program itself, so that a test can start and kill it.
func TestMain(m *testing.M) {
	if os.Getenv("DAVAR_TEST_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// write makes a file with the text and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// busy returns an address whose port is taken for the length of the test.
func busy(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

// table writes a picture without a board: a plain table top.
func tableTop(t *testing.T) string {
	t.Helper()
	img := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(90, 120, 150, 0), 480, 640, gocv.MatTypeCV8UC3)
	defer img.Close()
	path := filepath.Join(t.TempDir(), "table.png")
	if !gocv.IMWrite(path, img) {
		t.Fatal("the picture cannot be written")
	}
	return path
}

func TestWhatGoesWrongIsSaidInOneLineThatTellsWhatToDo(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"an unknown command", []string{"refree"}, exitUsage, `no command "refree"`},
		{"an unknown flag", []string{"demo", "--sped", "3"}, exitUsage, "see davar demo --help"},
		{"too few arguments", []string{"read"}, exitUsage, "requires at least 1 arg"},
		{"a speed out of range", []string{"demo", "--speed", "0"}, exitUsage, "use 0.1 to 20"},
		{"three corners", []string{"read", "--corners", "1,2,3,4,5,6", "x.jpg"}, exitUsage, "eight numbers are needed"},
		{"corners the wrong way round", []string{"read", "--corners", "0,0,0,9,9,9,9,0", "x.jpg"}, exitUsage, "clockwise"},
		{"a missing picture", []string{"read", "/nowhere/a.jpg"}, exitFailed, "there is no such file"},
		{"a file that is no picture", []string{"read", write(t, "a.jpg", "hello")}, exitFailed, "not a picture"},
		{"a picture without a board", []string{"read", tableTop(t)}, exitFailed, "board"},
		{"a missing recording", []string{"replay", "/nowhere/film"}, exitFailed, "not there"},
		{"a broken video", []string{"replay", write(t, "film.mp4", "no film")}, exitFailed, "is it whole?"},
		{"an empty folder", []string{"replay", t.TempDir()}, exitFailed, "no pictures"},
		{"a folder that is no film", []string{"eval", "sequence", t.TempDir()}, exitFailed, "match.json"},
		{"a missing truth", []string{"eval", "stills", "/nowhere/truth.jsonl"}, exitFailed, "no such file"},
		{"a log that is not there", []string{"matches", "--journal", "/nowhere/davar.db"}, exitFailed, "davar.db"},
		{"missing settings", []string{"run", "--config", "/nowhere/davar.yaml"}, exitUsage, "there is no such file"},
		{"an unknown key", []string{"run", "--config", write(t, "d.yaml", "web:\n  port: 8080\n")}, exitUsage, "d.yaml:2: web.port: there is no such key"},
		{"a score that is none", []string{"clock", "--score", "three-two"}, exitUsage, "such as 3-2"},
		{"a score that leaves no time", []string{"clock", "--length", "2", "--score", "1-9"}, exitUsage, "is left"},
		{"an unknown time control", []string{"clock", "--preset", "fide"}, exitUsage, "usbgf-singles"},
		{"no accounts for the hub's console", []string{"hub", "--user", "director", "--accounts", "nowhere"}, exitUsage, "hub.accounts"},
		{"a console without an account at the broker", []string{"hub", "--listen", "127.0.0.1:0", "--accounts", write(t, "accounts", "sara:director:$2a$04$"+strings.Repeat("a", 53)+"\n")}, exitUsage, "hub.user"},
		{"no key for the hub's sessions", []string{"hub", "--session-key-file", "nowhere"}, exitUsage, "openssl"},
		{"a missing camera", []string{"run", "--config", write(t, "d.yaml", "camera: {source: /dev/video97}\njournal: {path: "+t.TempDir()+"/j.db}\n")}, exitFailed, "no camera answers there"},
		{"a busy page port", []string{"demo", "--data", t.TempDir(), "--mqtt", "127.0.0.1:0", "--web", busy(t)}, exitFailed, "another program uses this port"},
		{"a busy broker port", []string{"demo", "--data", t.TempDir(), "--web", "127.0.0.1:0", "--mqtt", busy(t)}, exitFailed, "the port is taken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if status := run(t.Context(), c.args, &out, &errs); status != c.status {
				t.Errorf("exit status %d, want %d", status, c.status)
			}
			text := strings.TrimSpace(errs.String())
			if !strings.Contains(text, c.says) {
				t.Errorf("it says %q, want %q in it", text, c.says)
			}
			if strings.Contains(text, "\n") || strings.Contains(text, "goroutine") {
				t.Errorf("more than one line: %q", text)
			}
		})
	}
}

func TestEveryCommandHasHelp(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"help"}, &out, &errs); status != exitDone {
		t.Fatal(status, errs.String())
	}
	for _, name := range []string{"run", "demo", "clock", "calibrate", "read", "replay", "eval", "plays", "judge", "check", "convert", "matches", "verify"} {
		if !strings.Contains(out.String(), "\n  "+name+" ") {
			t.Errorf("help does not name %s", name)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/device/journal"
	"davar/rules"
	"davar/rules/record"
	"davar/rules/referee"
)

// filledLog makes a match log with one finished match, m1, and an unfinished one, m2.
func filledLog(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "davar.db")
	log, err := journal.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	light, dark, legal := rules.Light, rules.Dark, true
	s := referee.DefaultSettings()
	pos := rules.Start(rules.Standard)
	steps, err := rules.ParseNotation("8/5 6/5")
	if err != nil {
		t.Fatal(err)
	}
	if pos, err = rules.Apply(&pos, light, steps); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"m1", "m2"} {
		events := []referee.Event{
			{Type: referee.MatchStarted}, {Type: referee.GameStarted, Game: 1, Side: &light, Score: &referee.Score{}},
			{Type: referee.Roll, Game: 1, Side: &light, Dice: []int{3, 1}},
			{Type: referee.PlayMade, Game: 1, Side: &light, Dice: []int{3, 1}, Notation: "8/5 6/5", Position: pos.ID(light), Legal: &legal},
			{Type: referee.CubeOffered, Game: 1, Side: &dark, Cube: 2}, {Type: referee.CubeDropped, Game: 1, Side: &light, Cube: 1},
			{Type: referee.GameEnded, Game: 1, Side: &dark, Points: 1, How: "drop", Cube: 1, Score: &referee.Score{Dark: 1}},
			{Type: referee.MatchEnded, Game: 1, Side: &dark, How: "drop", Score: &referee.Score{Dark: 1}},
		}
		if id == "m2" {
			events = events[:4]
		}
		for i := range events {
			events[i].Seq, events[i].Match, events[i].TMS = int64(i+1), id, int64(i)*4000
		}
		header := &journal.Header{Players: [2]string{"Ann", "Ben"}, Length: 1, Event: "Open", Settings: &s}
		if _, err := log.Append(journal.Batch{Match: id, Header: header, Events: events}); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// davar runs a command and returns what it prints.
func davar(t *testing.T, args ...string) (out, complaints string, status int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	err := root.ExecuteContext(context.Background())
	if err != nil {
		stderr.WriteString(err.Error())
	}
	return stdout.String(), stderr.String(), exitStatus(err)
}

func TestAMatchIsExportedInEveryFormat(t *testing.T) {
	path := filledLog(t)
	for _, c := range []struct{ format, says string }{
		{"mat", " 1 point match"}, {"sgf", "(;FF[4]GM[6]"}, {"xgid", "XGID="}, {"json", `"format": "davar.match"`},
		{"html", "Score sheet"}, {"signed", `{"format":"davar.signed"`},
	} {
		out, complaints, status := davar(t, "export", "m1", "--journal", path, "--format", c.format)
		if status != exitDone || !strings.Contains(out, c.says) {
			t.Errorf("%s: status %d, %s\n%s", c.format, status, complaints, out)
		}
		if c.format == "mat" || c.format == "sgf" || c.format == "json" {
			rec, err := record.Read([]byte(out))
			if err != nil || len(rec.Games) != 1 || len(rec.Games[0].Actions) != 3 || rec.Games[0].Result == nil || rec.Field("Event") != "Open" && c.format != "json" {
				t.Errorf("%s: %v, %+v", c.format, err, rec)
			}
		}
	}
	if out, _, status := davar(t, "export", "last", "--journal", path, "--format", "html", "--lang", "fa"); status != exitDone || !strings.Contains(out, `dir="rtl"`) {
		t.Errorf("status %d: %.300s", status, out)
	}
}

func TestASignedMatchTravels(t *testing.T) {
	path := filledLog(t)
	file := filepath.Join(t.TempDir(), "m1.davar")
	if _, complaints, status := davar(t, "export", "m1", "--journal", path, "--format", "signed", "-o", file); status != exitDone {
		t.Fatal(complaints)
	}
	if err := os.RemoveAll(filepath.Dir(path)); err != nil { // another machine has no such log
		t.Fatal(err)
	}
	out, complaints, status := davar(t, "verify", file)
	if status != exitDone || !strings.Contains(out, "is whole: match m1, Ann against Ben, 8 events") {
		t.Fatalf("status %d: %s%s", status, out, complaints)
	}
	if out, _, status := davar(t, "export", file, "--format", "mat"); status != exitDone || !strings.Contains(out, "Drops") {
		t.Errorf("status %d: %s", status, out)
	}
	if _, complaints, status := davar(t, "verify", file, "--key", strings.Repeat("0", 64)); status != exitFailed || !strings.Contains(complaints, "another log") {
		t.Errorf("another's key: status %d, %s", status, complaints)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, complaints, status := davar(t, "verify", file); status != exitFailed || !strings.Contains(complaints, "altered") {
		t.Errorf("altered: status %d, %s", status, complaints)
	}
}

func TestMatchesAreListedRenamedAndDeleted(t *testing.T) {
	path := filledLog(t)
	list := func(args ...string) []string {
		t.Helper()
		out, complaints, status := davar(t, append([]string{"matches", "--json", "--journal", path}, args...)...)
		if status != exitDone {
			t.Fatal(complaints)
		}
		var found []string
		for line := range strings.Lines(out) {
			var m journal.Match
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatal(err)
			}
			found = append(found, m.ID+" "+m.Players[0])
		}
		return found
	}
	if got := list(); len(got) != 2 || got[0] != "m2 Ann" {
		t.Errorf("listed %v", got)
	}
	if got := list("--player", "zoe"); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	if _, complaints, status := davar(t, "matches", "rename", "m1", "--light", "Anna", "--journal", path); status != exitDone {
		t.Error(complaints)
	}
	if got := list("--player", "anna"); len(got) != 1 || got[0] != "m1 Anna" {
		t.Errorf("found %v", got)
	}
	if _, complaints, status := davar(t, "matches", "delete", "m1", "--why", "a test", "--journal", path); status != exitDone {
		t.Error(complaints)
	}
	if got := list(); len(got) != 1 || got[0] != "m2 Ann" {
		t.Errorf("listed %v", got)
	}
	if _, complaints, status := davar(t, "matches", "delete", "m2", "--journal", path); status != exitFailed || !strings.Contains(complaints, "being played") {
		t.Errorf("a match in progress: status %d, %s", status, complaints)
	}
	if out, complaints, status := davar(t, "verify", "--journal", path); status != exitDone || !strings.Contains(out, "is whole") {
		t.Errorf("status %d: %s%s", status, out, complaints)
	}
}

func TestWhatCannotBeExportedIsSaid(t *testing.T) {
	path := filledLog(t)
	for _, c := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"an unknown match", []string{"export", "m9", "--journal", path}, exitFailed, "no such match"},
		{"an unknown format", []string{"export", "m1", "--journal", path, "--format", "pdf"}, exitUsage, "use mat, sgf"},
		{"an unknown language", []string{"export", "m1", "--journal", path, "--lang", "de"}, exitUsage, "use en or fa"},
		{"no log", []string{"export", "m1", "--journal", "/nowhere/davar.db"}, exitFailed, "davar.db"},
		{"nothing to rename", []string{"matches", "rename", "m1", "--journal", path}, exitUsage, "--light"},
	} {
		if _, complaints, status := davar(t, c.args...); status != c.status || !strings.Contains(complaints, c.says) {
			t.Errorf("%s: status %d, %q", c.name, status, complaints)
		}
	}
}

package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"davar/device/season"
)

func TestASeasonIsAddedUpOverLogsAndSignedFiles(t *testing.T) {
	first, second := filledLog(t), filledLog(t)
	says := func(args ...string) string {
		out, complaints, status := davar(t, args...)
		if status != exitDone {
			t.Fatalf("%q: status %d, %s", args, status, complaints)
		}
		return out
	}
	signed := filepath.Join(t.TempDir(), "m1.davar")
	says("export", "m1", "--journal", second, "--format", "signed", "-o", signed)
	for _, c := range []struct {
		name    string
		args    []string
		matches int
	}{
		{"one log, without the match in play", []string{"--journal", first}, 1},
		{"two logs", []string{first, second}, 2},
		{"a log, and a file of a match in it", []string{second, signed}, 1},
		{"a file alone", []string{signed}, 1},
		{"a player", []string{first, signed, "--player", "ann"}, 2},
		{"a player who is not there", []string{first, signed, "--player", "cy"}, 0},
		{"a day", []string{signed, "--until", "2001-01"}, 0},
	} {
		var got season.Season
		if err := json.Unmarshal([]byte(says(append([]string{"matches", "season", "--json"}, c.args...)...)), &got); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got.Matches != c.matches {
			t.Errorf("%s: %d matches, want %d", c.name, got.Matches, c.matches)
		}
		if c.matches > 0 && (len(got.Players) != 2 || got.Players[1].Name != "Ben" || got.Players[1].Won != c.matches || got.Players[0].Turns != c.matches) {
			t.Errorf("%s: %+v", c.name, got.Players)
		}
	}
	text := says("matches", "season", first)
	for _, want := range []string{"1 matches from 2", "player", "Ann", "Ben", "club", "(unnamed)", "8.0 s"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not printed:\n%s", want, text)
		}
	}
}

package main

import (
	"path/filepath"
	"testing"
	"time"

	"davar/device/journal"
	"davar/rules/referee"
)

func TestAMatchIsAmongTheFinishedOnesWhenSpectatorsHaveSeenItsEnd(t *testing.T) {
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	log, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "davar.db"), journal.WithClock(func() time.Time { return at }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	write := func(id string, kinds ...string) {
		var events []referee.Event
		for i, kind := range kinds {
			e := referee.Event{Match: id, Game: 1, Seq: int64(i + 1), Type: kind}
			if kind == referee.MatchEnded {
				e.Score = &referee.Score{Light: 7, Dark: 3}
			}
			events = append(events, e)
		}
		header := &journal.Header{Match: id, Players: [2]string{"Ada Berg", "Cyrus Dara"}, Length: 7, Event: "Spring Open"}
		if _, err := log.Append(journal.Batch{Match: id, Header: header, Events: events}); err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Hour)
	}
	write("old", referee.MatchStarted, referee.MatchEnded)
	write("new", referee.MatchStarted, referee.MatchEnded) // at 13:00
	write("in play", referee.MatchStarted)
	ended := time.Date(2026, 6, 1, 13, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		delay time.Duration
		now   time.Time
		want  []string
	}{
		{"without a delay at once", 0, ended, []string{"new", "old"}},
		{"not before the delay has passed", 2 * time.Minute, ended.Add(2 * time.Minute), []string{"old"}},
		{"nor while its last turn may still be shown", 2 * time.Minute, ended.Add(2*time.Minute + 4*time.Second), []string{"old"}},
		{"then", 2 * time.Minute, ended.Add(2*time.Minute + 5*time.Second), []string{"new", "old"}},
	} {
		finished, err := finishedMatches(t.Context(), log.Reader, c.delay, c.now)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range finished {
			got = append(got, m.Match)
		}
		if len(got) != len(c.want) || got[0] != c.want[0] {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

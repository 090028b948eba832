package season

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"davar/device/journal"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
)

// BenchmarkSeason adds up a season of 2,000 matches, each a simulated game of a table: the first time, and when all of
// them have been counted before.
func BenchmarkSeason(b *testing.B) {
	s := referee.DefaultSettings()
	s.Length = 1
	played, err := refereetest.PlayGame(s, refereetest.Noise{}, refereetest.Habits{Careless: 0.05, Doubles: 0.05}, 77)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "davar.db")
	log, err := journal.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	side := rules.Light
	for i := range 2000 {
		s.Match = fmt.Sprintf("2026%04d-180000", i)
		events := append([]referee.Event{}, played.Events...)
		events = append(events, referee.Event{Seq: int64(len(events) + 1), Game: 1, Type: referee.MatchEnded, Side: &side})
		for k := range events {
			events[k].Match = s.Match
		}
		header := &journal.Header{Players: [2]string{fmt.Sprint("Player ", i%97), fmt.Sprint("Other ", i%89)}, Length: 1, Club: "Blot", Settings: &s}
		if _, err := log.Append(journal.Batch{Match: s.Match, Header: header, Events: events}); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d events a match", len(played.Events))
	ledger := NewLedger(log, path)
	count := func(b *testing.B) {
		tallies, err := ledger.Tallies(b.Context(), journal.Query{})
		if err != nil || len(Sum(tallies, false).Players) != 97+89 {
			b.Fatal(len(tallies), err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for range b.N {
			os.Remove(ledger.file())
			ledger = NewLedger(log, path)
			count(b)
		}
	})
	b.Run("again", func(b *testing.B) {
		for range b.N {
			count(b)
		}
	})
	b.Run("after a restart", func(b *testing.B) {
		for range b.N {
			ledger = NewLedger(log, path)
			count(b)
		}
	})
}

package season

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"davar/device/analysis"
	"davar/device/journal"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/transcript"
)

// played is a match to 3 that light won 3-1.
func played(id string, players [2]string) *transcript.Transcript {
	start := rules.Start(rules.Standard)
	return &transcript.Transcript{
		Facts:   transcript.Facts{ID: id, Players: players, Length: 3, Club: "Blot", Event: "Open"},
		Started: "2026-05-0" + id + "T18:00:00Z", Finished: true, Winner: rules.Light, Score: [2]int{3, 1},
		Games: []transcript.Game{
			{Number: 1, Start: start, Result: &transcript.Result{Winner: rules.Dark, Points: 1, How: "drop"}, Turns: []transcript.Turn{
				{Side: rules.Light, Seq: 3, Dice: rules.Dice{3, 1}, Notation: "8/5 6/5", Before: start, After: rules.Position{}, Used: 4000},
				{Side: rules.Dark, Seq: 5, Dice: rules.Dice{6, 6}, Before: start, After: start, Used: 8000},
			}},
			{Number: 2, Start: start, Result: &transcript.Result{Winner: rules.Light, Points: 3, How: "backgammon", Match: true}},
		},
		Rulings: []transcript.Ruling{
			{Seq: 7, Side: rules.Light, Body: referee.RulingBody{Code: "M3", Audience: "table"}},
			{Seq: 8, Side: rules.Light, Body: referee.RulingBody{Code: "M3", Audience: "table"}, Withdrawn: true},
			{Seq: 9, Side: rules.Dark, Body: referee.RulingBody{Code: "D1", Audience: "director"}},
		},
	}
}

// judged is an analysis of it.
func judged(id string) *analysis.Analysis {
	a := analysis.New(id, 2, 2)
	a.Done = 2
	a.Plays = append(a.Plays, analysis.Play{Seq: 3, Side: rules.Light, Error: 0.05, Luck: 0.1})
	return a
}

func TestAMatchIsCountedForBothPlayers(t *testing.T) {
	got := Of(played("1", [2]string{"Ann", "Ben"}), nil)
	light, dark := got.Players[0], got.Players[1]
	if light.Matches != 1 || light.Won != 1 || light.Games != 2 || light.GameWon != 1 || light.Gammons != 1 || light.Points != 3 || light.Against != 1 {
		t.Errorf("light %+v", light)
	}
	if dark.Matches != 1 || dark.Won != 0 || dark.GameWon != 1 || dark.Points != 1 || dark.Against != 3 || dark.Danced != 1 || dark.Doubles != 1 || dark.Pips != 24 {
		t.Errorf("dark %+v", dark)
	}
	if light.PerTurn() != 4000 || dark.PerTurn() != 8000 {
		t.Errorf("a turn took %d and %d ms", light.PerTurn(), dark.PerTurn())
	}
	if light.Announced() != 1 || !reflect.DeepEqual(dark.Private, map[string]int{"D1": 1}) || dark.Announced() != 0 {
		t.Errorf("rulings %v, %v, private %v", light.Rulings, dark.Rulings, dark.Private)
	}
	unfinished := played("1", [2]string{"Ann", "Ben"})
	unfinished.Finished = false
	if got := Of(unfinished, nil).Players[0]; got.Matches != 0 || got.Games != 2 {
		t.Errorf("a match broken off: %+v", got)
	}
}

func TestASeasonAddsUpByPlayerAndByClub(t *testing.T) {
	tallies := []Tally{
		Of(played("2", [2]string{"ann", "Cy"}), nil), Of(played("1", [2]string{"Ben", "Ann"}), nil), Of(played("3", [2]string{"Light", ""}), nil),
	}
	tallies[0].Players[0].Illegal = 2
	s := Sum(tallies, false)
	if s.Matches != 3 || s.First != "2026-05-01T18:00:00Z" || s.Last != "2026-05-03T18:00:00Z" {
		t.Errorf("%+v", s)
	}
	if len(s.Players) != 4 {
		t.Fatalf("%d players: %+v", len(s.Players), s.Players)
	}
	ann, unnamed := s.Players[1], s.Players[0] // who is not named comes by the alphabet
	if ann.Name != "ann" || ann.Matches != 2 || ann.Won != 1 || ann.Points != 4 || ann.Against != 4 {
		t.Errorf("%+v", ann)
	}
	if unnamed.Name != "" || unnamed.Matches != 2 {
		t.Errorf("who is not named: %+v", unnamed)
	}
	if len(s.Clubs) != 1 || s.Clubs[0].Matches != 3 || s.Clubs[0].Games != 6 || s.Clubs[0].GameWon != 6 || s.Clubs[0].Rulings["M3"] != 3 {
		t.Errorf("%+v", s.Clubs)
	}
	for _, l := range append(s.Players, s.Clubs...) {
		if l.Private != nil || l.Illegal != 0 {
			t.Errorf("spectators learn what only the director may know: %+v", l)
		}
	}
	if s := Sum(tallies, true); s.Clubs[0].Private["D1"] != 3 || s.Clubs[0].Illegal != 2 {
		t.Errorf("the director learns %+v", s.Clubs[0])
	}
	if tallies[0].Players[0].Illegal != 2 || tallies[0].Players[1].Private == nil {
		t.Error("the tallies were changed")
	}
}

// shelf is a log of some matches that counts how often one is read.
type shelf struct {
	matches []journal.Match
	going   string
	read    int
	// patience is how many matches may be read before the time is up; 0: all.
	patience int
}

func (s *shelf) Find(context.Context, journal.Query) ([]journal.Match, error) { return s.matches, nil }

func (s *shelf) Last(context.Context) (u journal.Unfinished, ok bool, err error) {
	u.ID = s.going
	return u, s.going != "", nil
}

func (s *shelf) Transcript(_ context.Context, id string) (*transcript.Transcript, error) {
	if s.patience > 0 && s.read == s.patience {
		return nil, context.DeadlineExceeded
	}
	s.read++
	return played(id, [2]string{"as", "written"}), nil
}

func TestAMatchIsCountedOnceUntilItChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "davar.db")
	log := &shelf{going: "3"}
	for _, id := range []string{"3", "2", "1"} {
		log.matches = append(log.matches, journal.Match{ID: id, Players: [2]string{"Ann", "Ben"}, LastSeq: 40})
	}
	count := func(name string, l *Ledger, wantRead int) []Tally {
		t.Helper()
		log.read = 0
		got, err := l.Tallies(t.Context(), journal.Query{})
		if err != nil || len(got) != len(log.matches)-1 || log.read != wantRead {
			t.Fatalf("%s: %d tallies, %d matches read, %v", name, len(got), log.read, err)
		}
		return got
	}
	l := NewLedger(log, path)
	log.patience = 1
	if _, err := l.Tallies(t.Context(), journal.Query{}); err == nil {
		t.Fatal("the time was up")
	}
	log.patience = 0
	l = NewLedger(log, path)
	count("what could not be counted before", l, 1)
	count("again", l, 0)
	l = NewLedger(log, path)
	log.matches[1].Players[0] = "Anna" // put right by the director
	if got := count("after a restart", l, 0); got[0].Players[0].Name != "Anna" {
		t.Errorf("the name is %q", got[0].Players[0].Name)
	}
	if err := judged("2").Save(analysis.Folder(path)); err != nil {
		t.Fatal(err)
	}
	if got := count("when it is analysed", l, 1); got[0].Players[0].Judged != 1 || got[0].Players[0].Errors.Rate() != 50 {
		t.Errorf("%+v", got[0].Players[0])
	}
	log.matches[1].LastSeq++
	count("when it has grown", l, 1)
	if err := os.WriteFile(l.file(), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	count("when the file is damaged", NewLedger(log, path), 2)
}

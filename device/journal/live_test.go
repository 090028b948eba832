package journal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/device/journal"
	"davar/rules"
	"davar/rules/match"
	"davar/rules/record"
	"davar/rules/record/gnubgtest"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
	"davar/rules/referee/refereetest"
)

// live is a match as it was played and as a journal holds it.
type live struct {
	name     string
	settings referee.Settings
	truth    []record.Action
	right    bool           // the referee saw all rolls, plays and cube actions rightly
	record   *record.Record // from the journal
}

// rightly tells whether the referee made out all that happened.
func rightly(t *testing.T, truth []accuracy.Happening, events []referee.Event, mode string) bool {
	t.Helper()
	r, err := accuracy.Compare(truth, events, mode)
	if err != nil {
		t.Fatal(err)
	}
	return r.Rolls.Right == r.Rolls.Expected && r.Plays.Right == r.Plays.Expected && r.Cube.Right == r.Cube.Expected
}

// logged puts the events into a journal as a table does and reads the match back from it.
func logged(t *testing.T, j *journal.Journal, s referee.Settings, events []referee.Event) *record.Record {
	t.Helper()
	header := &journal.Header{Players: s.Players, Length: s.Length, Event: "Test", Settings: &s}
	for len(events) > 0 {
		n := min(len(events), 1+len(events)%4)
		batch := journal.Batch{Match: s.Match, Header: header, Events: events[:n]}
		if _, err := j.Append(batch); err != nil {
			t.Fatal(err)
		}
		header, events = nil, events[n:]
	}
	got, err := j.Transcript(context.Background(), s.Match)
	if err != nil {
		t.Fatal(err)
	}
	return got.Record()
}

// simulated plays one game of some length and variant at a simulated table.
func simulated(t *testing.T, j *journal.Journal, i int) live {
	t.Helper()
	s := referee.DefaultSettings()
	s.Match, s.Players = fmt.Sprintf("simulated-%02d", i), [2]string{"Ann Lee", "داریوش"}
	s.TurnEnd = []string{"clock", "pickup"}[i%2]
	if i%5 == 4 {
		s.Options = match.OptionsFor(rules.Nackgammon)
	}
	s.Length = []int{7, 1, 0, 3}[i%4]
	s.Options.Jacoby = s.Length == 0
	if s.Length == 0 {
		s.TurnEnd = "pickup"
	}
	habits := refereetest.Habits{Careless: 0.1, Doubles: 0.06}
	game, err := refereetest.PlayGame(s, refereetest.Noise{}, habits, uint64(900+i))
	if err != nil {
		t.Fatal(err)
	}
	// The comparison of rolls and plays knows the usual start only.
	right := s.Options.Rules.Variant == rules.Standard && rightly(t, game.Truth, game.Events, s.TurnEnd)
	return live{s.Match, s, refereetest.Actions(game.Truth), right, logged(t, j, s, game.Events)}
}

// filmed referees a filmed game seen perfectly.
func filmed(t *testing.T, j *journal.Journal, name, mode string) live {
	t.Helper()
	const folder = "../../rules/referee/refereetest/testdata/"
	s, played, err := refereetest.RefereeFilm(os.DirFS(folder+name), mode, name+"-"+mode)
	if err != nil {
		t.Fatal(err)
	}
	return live{s.Match, s, refereetest.Actions(played.Truth), rightly(t, played.Truth, played.Events, mode), logged(t, j, s, played.Events)}
}

// played replays a game. A board set by hand counts as where the action before it led: so GNU Backgammon joins the two.
func played(g *record.Game) []record.Turn {
	var turns []record.Turn
	for _, t := range g.Replay(rules.NewJudge(rules.Options{})) {
		if n := len(turns); t.Action.Kind != record.Set {
			turns = append(turns, t)
		} else if n > 0 {
			turns[n-1].After = t.After
		}
	}
	return turns
}

// beforeSet replaces what an action of want led to by what got has, where want's board was then set by hand: .mat cannot
// carry that, and is in step again after the next roll.
func beforeSet(got, want []record.Turn, game *record.Game) {
	n := 0
	for i := range game.Actions {
		switch {
		case game.Actions[i].Kind != record.Set:
			n++
		case n > 0 && n <= min(len(got), len(want)):
			want[n-1].After = got[n-1].After
		}
	}
}

// differ says how two games differ in who did what and where it led, "" when they do not.
func differ(got, want *record.Game) string {
	a, b := played(got), played(want)
	beforeSet(a, b, want)
	return refereetest.Differ(a, b)
}

// gnubg runs GNU Backgammon on a list of commands, or skips the test loudly where it is not installed. Any warning
// fails the test.
func gnubg(t *testing.T, commands string) {
	t.Helper()
	for _, line := range gnubgtest.Run(t, "what live play exports", commands) {
		if lower := strings.ToLower(line); strings.Contains(lower, "warning") || strings.Contains(lower, "invalid") {
			t.Errorf("gnubg: %s", line)
		}
	}
}

func TestGamesPlayedLiveReachGNUBackgammonAsTheyWerePlayed(t *testing.T) {
	j, err := journal.Open(context.Background(), filepath.Join(t.TempDir(), "davar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var all []live
	for i := range 30 {
		all = append(all, simulated(t, j, i))
	}
	for _, name := range []string{"dev1", "dev2"} {
		all = append(all, filmed(t, j, name, "pickup"), filmed(t, j, name, "clock"))
	}
	dir := t.TempDir()
	commands, right := "", 0
	for i := range all {
		l := &all[i]
		want := record.Game{Start: rules.Start(l.settings.Options.Rules.Variant), Actions: l.truth}
		if len(l.record.Games) != 1 {
			t.Fatalf("%s: %d games", l.name, len(l.record.Games))
		}
		if l.right {
			right++
			if d := differ(&l.record.Games[0], &want); d != "" {
				t.Errorf("%s in the journal: %s", l.name, d)
			}
		}
		for _, format := range []record.Format{record.FormatMat, record.FormatSGF} {
			data, losses, err := l.record.Write(format)
			if err != nil {
				t.Fatal(err)
			}
			if format == record.FormatMat && len(losses) > 0 && l.right && l.record.Games[0].Result != nil && !l.record.Games[0].Result.OnTime {
				t.Errorf("%s: .mat cannot carry %v", l.name, losses)
			}
			file := filepath.Join(dir, l.name+"."+string(format))
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			commands += map[record.Format]string{record.FormatMat: "import mat ", record.FormatSGF: "load match "}[format] + file + "\n"
			commands += "save match " + file + ".back\n"
		}
	}
	t.Logf("%d of %d games refereed without a fault are compared with the truth, the others with the journal", right, len(all))
	gnubg(t, commands)
	for i := range all {
		l := &all[i]
		want := l.record.Games[0]
		for _, format := range []string{".mat", ".sgf"} {
			data, err := os.ReadFile(filepath.Join(dir, l.name+format+".back"))
			if err != nil {
				t.Errorf("gnubg did not read %s%s: %v", l.name, format, err)
				continue
			}
			again, err := record.Read(data)
			if err != nil || len(again.Games) != 1 {
				t.Errorf("%s%s: %v", l.name, format, err)
				continue
			}
			if d := differ(&again.Games[0], &want); d != "" {
				t.Errorf("%s%s as GNU Backgammon has it: %s", l.name, format, d)
			}
			mine, theirs := l.record.Games[0].Result, again.Games[0].Result
			same := mine == nil || theirs != nil && mine.Winner == theirs.Winner &&
				(mine.Points == theirs.Points || mine.OnTime && theirs.Resigned) // it knows no clock
			if !same {
				t.Errorf("%s%s: result %+v, GNU Backgammon has %+v", l.name, format, mine, theirs)
			}
		}
	}
}

package transcript_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"davar/rules"
	"davar/rules/record"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
	"davar/rules/referee/refereetest"
	"davar/rules/transcript"
)

const films = "../referee/refereetest/testdata/"

// filmed referees a film seen perfectly and returns its facts, events and truth.
func filmed(t testing.TB, name, mode string) (transcript.Facts, []referee.Event, []accuracy.Happening) {
	t.Helper()
	s, played, err := refereetest.RefereeFilm(os.DirFS(films+name), mode, name)
	if err != nil {
		t.Fatal(err)
	}
	return transcript.Facts{ID: name, Players: s.Players, Length: s.Length, Settings: &s}, played.Events, played.Truth
}

// differ says how two games differ in what was rolled and where it led, "" when they do not.
func differ(got, want *record.Game) string {
	judge := func() *rules.Judge { return rules.NewJudge(rules.Options{}) }
	return refereetest.Differ(got.Replay(judge()), want.Replay(judge()))
}

func TestAFilmedGameIsTranscribedAsItWasPlayed(t *testing.T) {
	for _, name := range []string{"dev1", "dev2"} {
		for _, mode := range []string{"pickup", "clock"} {
			facts, events, truth := filmed(t, name, mode)
			got := transcript.Of(facts, events)
			if len(got.Games) != 1 {
				t.Fatalf("%s %s: %d games", name, mode, len(got.Games))
			}
			rec := got.Record()
			want := record.Game{Start: rules.Start(rules.Standard), Actions: refereetest.Actions(truth)}
			if d := differ(&rec.Games[0], &want); d != "" {
				t.Errorf("%s %s: %s (notes %v)", name, mode, d, got.Notes)
			}
			used := [2]int64{}
			for _, turn := range got.Games[0].Turns {
				used[turn.Side] += turn.Used
				if turn.Used < 0 || turn.Ended < turn.Began {
					t.Errorf("%s %s: turn %d used %d ms, from %d to %d", name, mode, turn.Seq, turn.Used, turn.Began, turn.Ended)
				}
			}
			g := got.Games[0]
			if sum, all := used[0]+used[1], g.Ended-g.Began; sum > all || sum < all*8/10 {
				t.Errorf("%s %s: turns took %d ms of %d", name, mode, sum, all)
			}
		}
	}
}

func TestSimulatedGamesOfCarelessPlayersAreTranscribedAsTheyWerePlayed(t *testing.T) {
	right := 0
	for i := range 8 {
		s := referee.DefaultSettings()
		s.Match = fmt.Sprint("simulated ", i)
		s.TurnEnd = []string{"clock", "pickup"}[i%2]
		played, err := refereetest.PlayGame(s, refereetest.Noise{}, refereetest.Habits{Careless: 0.15, Doubles: 0.06}, uint64(500+i))
		if err != nil {
			t.Fatal(err)
		}
		got := transcript.Of(transcript.Facts{ID: s.Match, Players: s.Players, Length: s.Length, Settings: &s}, played.Events)
		rec := got.Record()
		want := record.Game{Start: rules.Start(rules.Standard), Actions: refereetest.Actions(played.Truth)}
		if len(rec.Games) != 1 {
			t.Fatalf("game %d: %d games", i, len(rec.Games))
		}
		r, err := accuracy.Compare(played.Truth, played.Events, s.TurnEnd)
		if err != nil {
			t.Fatal(err)
		}
		if r.Rolls.Right < r.Rolls.Expected || r.Plays.Right < r.Plays.Expected || r.Cube.Right < r.Cube.Expected {
			t.Logf("game %d: the referee himself was wrong somewhere: %q", i, r.Differences)
			continue
		}
		right++
		if d := differ(&rec.Games[0], &want); d != "" {
			t.Errorf("game %d: %s (notes %v)", i, d, got.Notes)
		}
		if res := got.Games[0].Result; res == nil || got.Score == [2]int{} && res.How != "time" {
			t.Errorf("game %d: result %+v, score %v", i, res, got.Score)
		}
		if report := rec.Check(rules.OptionsFor(rules.Standard)); len(report.Illegal) > 0 {
			t.Errorf("game %d: %+v", i, report.Illegal)
		}
	}
	if right == 0 {
		t.Error("no game was refereed without a fault: nothing was compared")
	}
}

func TestATranscriptMayStopAnywhere(t *testing.T) {
	facts, events, _ := filmed(t, "dev2", "clock")
	for n := range events {
		if n%3 > 0 {
			continue
		}
		rec := transcript.Of(facts, events[:n]).Record()
		if _, _, err := rec.Write(record.FormatSGF); err != nil {
			t.Fatalf("after %d events: %v", n, err)
		}
	}
}

// FuzzOf feeds the events of a film with lines changed, lost and doubled: whatever is said, a transcript comes out.
func FuzzOf(f *testing.F) {
	facts, events, _ := filmed(f, "dev1", "clock")
	f.Add([]byte{1, 2, 3, 4}, `{"type":"decision","what":"undo"}`)
	f.Add([]byte{9, 200, 0, 0}, `{"type":"play","side":"dark","position":"4HPwATDgc/ABMA","notation":"8/5 6/5"}`)
	f.Fuzz(func(_ *testing.T, cuts []byte, line string) {
		var odd referee.Event
		if json.Unmarshal([]byte(line), &odd) != nil {
			return
		}
		var said []referee.Event
		for i := range events {
			cut := byte(0)
			if len(cuts) > 0 {
				cut = cuts[i%len(cuts)]
			}
			switch {
			case cut%7 == 1:
			case cut%7 == 2:
				said = append(said, events[i], events[i])
			case cut%11 == 3:
				odd.Game = events[i].Game
				said = append(said, events[i], odd)
			default:
				said = append(said, events[i])
			}
		}
		rec := transcript.Of(facts, said).Record()
		rec.Mat()
		rec.SGF()
	})
}

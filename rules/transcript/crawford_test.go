package transcript_test

import (
	"slices"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/transcript"
)

// won is a table at which dark has won a game with the cube at 2 in a match to 7, and with it perhaps the match.
func won(t *testing.T, light, dark int) *refereetest.Table {
	t.Helper()
	s := referee.DefaultSettings()
	s.Match, s.OpeningSeen, s.Length, s.Score = "won", false, 7, referee.Score{Light: light, Dark: dark}
	table, err := refereetest.NewTable(s, refereetest.Noise{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	table.Wait(time.Second)
	var p rules.Position
	p.Checkers[rules.Light] = [26]uint8{rules.Off: 1, 6: 5, 5: 5, 4: 4}
	p.Checkers[rules.Dark] = [26]uint8{rules.Off: 14, 1: 1}
	table.Put(p)
	table.Decide(referee.Decision{What: referee.DecideSet, Side: rules.Light, Position: &p, By: "director"})
	turn(t, table, rules.Light, "6/4 6/5")
	table.Decide(referee.Decision{What: referee.DecideDouble, Side: rules.Dark, By: "dark"})
	table.Decide(referee.Decision{What: referee.DecideTake, Side: rules.Light, By: "light"})
	turn(t, table, rules.Dark, "1/off")
	return table
}

func turn(t *testing.T, table *refereetest.Table, side rules.Side, notation string) {
	t.Helper()
	table.Throw(table.Flat(side, 2, 1)...)
	if err := table.Move(side, notation); err != nil {
		t.Fatal(err)
	}
	table.Press(side)
	table.Lift(side)
}

// CUBE-12, SCORE-5, DIR-5: whatever is decided after a game or the match was thought over, its journal tells the same as the
// referee.
func TestTheJournalOfAMatchCorrectedAfterItsEndTellsHowItStands(t *testing.T) {
	crawford := referee.Decision{What: referee.DecideCrawford, Score: &referee.Score{Light: 6, Dark: 5}}
	for name, decisions := range map[string][]referee.Decision{
		"nothing is corrected":            nil,
		"it was the Crawford game":        {crawford},
		"and is replayed from the double": {crawford, {What: referee.DecideUndo, Ruling: "C3"}},
		"and is replayed from its start":  {crawford, {What: referee.DecideAgain}},
		"the score goes on":               {{What: referee.DecideScore, Score: &referee.Score{Light: 6, Dark: 6}}},
		"the score stays":                 {{What: referee.DecideScore, Score: &referee.Score{Light: 6, Dark: 7}}},
		"the cube had not been turned":    {{What: referee.DecideCube, Cube: 1}},
		"the last turn is played anew":    {{What: referee.DecideUndo}},
		"the last turn is replayed":       {{What: referee.DecideReplay, Side: rules.Dark}},
		"and the score is another":        {crawford, {What: referee.DecideScore, Score: &referee.Score{Light: 5, Dark: 7}}},
	} {
		t.Run(name, func(t *testing.T) {
			table := won(t, 5, 5)
			for _, d := range decisions {
				d.By = "director"
				table.Decide(d)
			}
			st := table.Referee.State()
			facts := transcript.Facts{ID: "won", Length: 7, Settings: &referee.Settings{}}
			*facts.Settings = referee.DefaultSettings()
			facts.Settings.Score = referee.Score{Light: 5, Dark: 5}
			got := transcript.Of(facts, table.Events)
			if want := [2]int{st.Score.Light, st.Score.Dark}; got.Score != want || got.Finished != (st.Phase == "match_over") {
				t.Errorf("score %v, finished %v; the referee says %v, %s", got.Score, got.Finished, want, st.Phase)
			}
			g := got.Games[0]
			if len(got.Games) != 1 || g.Crawford != st.Crawford || (g.Result != nil) != slices.Contains([]string{"over", "match_over"}, st.Phase) {
				t.Fatalf("%+v; the referee says %+v", g, st)
			}
			if r := g.Result; r != nil && (r.Score != got.Score || r.Match != got.Finished || g.Crawford && r.Cube != 1) {
				t.Errorf("result %+v at %v", *r, got.Score)
			}
			rec := got.Record()
			if report := rec.Check(facts.Settings.Options.Rules); len(report.Illegal)+len(report.Notes) > 0 {
				t.Errorf("%+v", report)
			}
			if st.Phase == "await" {
				board := table.Board.Position
				board.Checkers[rules.Dark] = [26]uint8{rules.Off: 14, 1: 1}
				table.Put(board)
				turn(t, table, rules.Dark, "1/off")
				after := transcript.Of(facts, table.Events)
				if r := after.Games[0].Result; r == nil || r.Points != 1 || after.Score != [2]int{6, 6} || after.Finished {
					t.Errorf("%+v", after)
				}
			}
		})
	}
}

// CUBE-12: of an earlier game, all scores since are corrected.
func TestTheJournalOfAMatchCorrectedInALaterGameTellsAllScores(t *testing.T) {
	table := won(t, 5, 3)
	double := table.Referee.State().Plays[1].Seq
	table.LiftAll()
	table.Put(rules.Start(rules.Standard))
	table.Throw(append(table.Flat(rules.Light, 6), table.Flat(rules.Dark, 1)...)...)
	table.Decide(referee.Decision{What: referee.DecideCrawford, Seq: double, Score: &referee.Score{Light: 6, Dark: 3}, By: "director"})
	s := referee.DefaultSettings()
	s.Score = referee.Score{Light: 5, Dark: 3}
	facts := transcript.Facts{ID: "won", Length: 7, Settings: &s}
	got := transcript.Of(facts, table.Events)
	if len(got.Games) != 2 || !got.Games[0].Crawford || got.Games[0].Result.Score != [2]int{6, 4} || got.Games[1].Score != [2]int{6, 4} ||
		got.Games[1].Crawford || got.Score != [2]int{6, 4} {
		t.Errorf("%+v", got)
	}
	table.Decide(referee.Decision{What: referee.DecideUndo, Seq: double, By: "director"})
	got = transcript.Of(facts, table.Events)
	if len(got.Games) != 1 || got.Games[0].Result != nil || got.Score != [2]int{6, 3} || len(got.Games[0].Turns) != 1 {
		t.Errorf("%+v", got)
	}
}

package phrasebook

import (
	"strings"
	"testing"

	"davar/rules"
	"davar/rules/referee"
)

func TestEventsAreToldInSentences(t *testing.T) {
	book := open(t)
	light, dark := rules.Light, rules.Dark
	tests := []struct {
		event referee.Event
		want  string
	}{
		{referee.Event{Type: referee.MatchStarted}, "Ann against Dark."},
		{referee.Event{Type: referee.GameStarted, Game: 2, Side: &light}, "Game 2: Ann starts."},
		{referee.Event{Type: referee.GameStarted, Game: 2}, "Game 2 begins."},
		{referee.Event{Type: referee.Roll, Side: &dark, Dice: []int{6, 1}}, "Dark rolls 6-1."},
		{referee.Event{Type: referee.Roll, Side: &dark, Dice: []int{2, 5}, Opening: true}, "Opening roll: Ann 2, Dark 5."},
		{referee.Event{Type: referee.RollInvalid, Side: &dark, Why: "cocked"}, "Cocked die: the roll does not count."},
		{referee.Event{Type: referee.PlayMade, Side: &light, Notation: "8/5 6/5*"}, "Ann plays 8/5 6/5*."},
		{referee.Event{Type: referee.PlayMade, Side: &light}, "Ann has played."},
		{referee.Event{Type: referee.Dance, Side: &light}, "Ann cannot move."},
		{referee.Event{Type: referee.CubeOffered, Side: &light, Cube: 2}, "Ann doubles to 2."},
		{referee.Event{Type: referee.CubeTaken, Side: &dark}, "Dark takes."},
		{referee.Event{Type: referee.CubeDropped, Side: &dark}, "Dark drops."},
		{referee.Event{Type: referee.RulingMade, Ruling: &referee.RulingBody{Code: "M2"}}, "The larger number must be played."},
		{referee.Event{Type: referee.RulingWithdrawn, Ruling: &referee.RulingBody{Code: "M2"}}, "Withdrawn: The larger number must be played."},
		{referee.Event{Type: referee.GameEnded, Side: &light, Points: 1, How: "drop"}, "Ann wins 1 point: double dropped."},
		{referee.Event{Type: referee.GameEnded, Side: &light, Points: 4, How: "gammon"}, "Ann wins 4 points: gammon."},
		{referee.Event{Type: referee.MatchEnded, Side: &dark, Score: &referee.Score{Light: 3, Dark: 7}}, "Dark wins the match 7–3."},
		{referee.Event{Type: referee.MatchReopened, Score: &referee.Score{Light: 6, Dark: 6}}, "The match goes on: 6–6."},
		{referee.Event{Type: referee.DecisionMade, What: referee.DecideAgain}, "The director decides: the game is played anew."},
		{
			referee.Event{Type: referee.DecisionMade, What: referee.DecideCrawford},
			"The director decides: it was the Crawford game: the cube counts as not turned.",
		},
		{referee.Event{Type: referee.ClockFlagged, Side: &dark}, "Time: Dark."},
		{referee.Event{Type: referee.ClockPaused}, "Clocks stopped."},
		{referee.Event{Type: referee.ClockPaused, Why: "break"}, "Clocks stopped: break."},
		{referee.Event{Type: referee.ClockPaused, Why: "opening"}, ""},
		{referee.Event{Type: referee.Attention, Why: "hand"}, "A hand covers the board."},
		{referee.Event{Type: referee.DecisionMade, What: referee.DecideReplay}, "The director decides: replay the turn."},
		{referee.Event{Type: referee.TurnEnded}, ""},
		{referee.Event{Type: referee.RulingMade}, ""},
		{referee.Event{Type: "of a later version"}, ""},
	}
	for _, test := range tests {
		if got := book.Tell("en", test.event, [2]string{"Ann", ""}); got != test.want {
			t.Errorf("%s is told as %q, want %q", test.event.Type, got, test.want)
		}
		persian := book.Tell("fa", test.event, [2]string{"Ann", ""})
		if (persian == "") != (test.want == "") || strings.ContainsAny(persian, "{}") {
			t.Errorf("%s is told in Persian as %q", test.event.Type, persian)
		}
	}
}

func TestARollOrPlayThatTakesThePlaceOfAnotherSaysSo(t *testing.T) {
	book, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	side := rules.Dark
	event := referee.Event{Type: referee.Roll, Side: &side, Dice: []int{6, 1}, Why: "corrected"}
	for lang, want := range map[string]string{"en": "Corrected: Dark rolls 6-1.", "fa": "تصحیح: "} {
		if got := book.Tell(lang, event, [2]string{"Light", "Dark"}); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}

func TestARulingNamesThePlayersAndLeavesColoursColours(t *testing.T) {
	book := open(t)
	for _, c := range []struct {
		code   string
		params map[string]string
		want   string
	}{
		{"D6", map[string]string{"other": "dark"}, "Rolled too early: Ben finishes, then decides."},
		{"S2", map[string]string{"colour": "dark", "n": "14"}, "Dark has 14 checkers."},
	} {
		event := referee.Event{Type: referee.RulingMade, Ruling: &referee.RulingBody{Code: c.code, Params: c.params}}
		if got := book.Tell("en", event, [2]string{"Ann", "Ben"}); got != c.want {
			t.Errorf("%s: %q, want %q", c.code, got, c.want)
		}
	}
}

package web

import (
	"strings"
	"testing"
	"time"

	"davar/device/analysis"
	"davar/rules"
	"davar/rules/referee"
)

// judgedTurn is what an engine says of the turn that playSecretly plays.
func judgedTurn() analysis.Judged {
	return analysis.Judged{
		Seq: 2, Play: &analysis.Play{Seq: 2, Side: rules.Light, Error: 0.0654}, Cube: &analysis.Cube{Seq: 2, Error: 0.2},
		After: &analysis.Chances{Win: 0.6123, Gammon: 0.2, LoseGammon: 0.1},
	}
}

func TestSpectatorsLearnTheChancesWithTheTurnAndNobodyElseDoes(t *testing.T) {
	s, url := start(t, Settings{Delay: 2 * time.Minute})
	playSecretly(s, "m")
	s.SetJudged("m", judgedTurn())
	s.releaseDue(time.Now().Add(time.Hour))
	for _, path := range []string{"/state.json", "/state.json?at=table"} {
		if _, body := get(t, url+path); strings.Contains(body, `"judged"`) {
			t.Errorf("%s tells of the chances before spectators are shown the turn", path)
		}
	}
	s.Publish(referee.Event{Seq: 3, Match: "m", Type: referee.Roll, Dice: []int{6, 5}})
	s.releaseDue(time.Now().Add(2*time.Minute + 5*time.Second))
	_, body := get(t, url+"/state.json")
	for _, want := range []string{
		`"chances":{"seq":2,"light":{"win":0.612,"gammon":0.2,"backgammon":0},"dark":{"win":0.388,"gammon":0.1,"backgammon":0}}`,
		`"errors":{"2":{"play":0.065,"cube":0.2}}`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("spectators are not told %s: %s", want, body)
		}
	}
	if _, body := get(t, url+"/state.json?at=table"); strings.Contains(body, `"judged"`) {
		t.Error("the screen beside the board shows chances (EQUIP-9, PUB-3)")
	}
	if shot := s.hub.state(director); strings.Contains(string(shot.body), `"judged"`) {
		t.Error("the director's page, which players may see over his shoulder, shows chances")
	}
}

func TestWhatIsJudgedLateIsShownWhenItIsKnown(t *testing.T) {
	s, url := start(t, Settings{Delay: 2 * time.Minute})
	playSecretly(s, "m")
	s.Publish(referee.Event{Seq: 3, Match: "m", Type: referee.Roll, Dice: []int{6, 5}})
	s.releaseDue(time.Now().Add(2*time.Minute + 5*time.Second))
	s.SetJudged("m", judgedTurn())
	later := judgedTurn()
	later.Seq = 9 // of a turn that is not public yet
	later.After = &analysis.Chances{Win: 0.1}
	s.SetJudged("m", later)
	if _, body := get(t, url+"/state.json"); !strings.Contains(body, `"win":0.612`) || strings.Contains(body, `"seq":9`) {
		t.Errorf("spectators see %s", body)
	}
	s.SetJudged("another", judgedTurn())
	s.mu.Lock()
	s.showTo(public)
	s.mu.Unlock()
	if _, body := get(t, url+"/state.json"); strings.Contains(body, `"judged"`) {
		t.Errorf("the chances of another match are shown: %s", body)
	}
}

func TestWhereNothingIsHeldBackNoChancesAreShown(t *testing.T) {
	s, url := start(t, Settings{})
	playSecretly(s, "m")
	s.SetJudged("m", judgedTurn())
	if _, body := get(t, url+"/state.json"); strings.Contains(body, `"judged"`) {
		t.Error("players can see these pages at once (EQUIP-9)")
	}
}

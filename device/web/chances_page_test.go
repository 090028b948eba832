package web

import (
	"testing"
	"time"

	"davar/device/analysis"
	"davar/rules"
	"davar/rules/referee"
)

// judgedGame has spectators see a game of some turns with what an engine makes of them.
func judgedGame(t *testing.T, s *Server, turns int) {
	t.Helper()
	state := stateAfter(t, turns)
	s.Publish(referee.Event{Seq: state.Seq, Match: state.Match, Game: state.Game, Type: referee.PlayMade})
	s.SetState(state, time.Now(), 1)
	for i, p := range state.Plays {
		j := analysis.Judged{Seq: p.Seq, Game: state.Game, After: &analysis.Chances{Win: 0.3 + 0.02*float64(i), Gammon: 0.12, LoseGammon: 0.2, LoseBackgammon: 0.02}}
		switch {
		case len(p.Dice) == 0:
			j.Cube = &analysis.Cube{Seq: p.Seq, Side: rules.Dark, Action: analysis.Double, Error: 0.143}
		case i%5 == 2:
			j.Play = &analysis.Play{Seq: p.Seq, Error: 0.03 * float64(i%7)}
		}
		s.SetJudged(state.Match, j)
	}
	s.Publish(referee.Event{Seq: state.Seq + 1, Match: state.Match, Game: state.Game, Type: referee.Roll, Dice: []int{6, 5}})
	s.releaseDue(time.Now().Add(2*time.Minute + 5*time.Second))
}

func TestSpectatorsSeeTheChancesAsABarAndTheErrorOfEachPlay(t *testing.T) {
	s, url := start(t, Settings{Delay: 2 * time.Minute})
	judgedGame(t, s, 16)
	ctx := tab(t, url+"/?lang=en", 1280, 800)
	eventually(t, ctx, `document.querySelector('.chances').ariaLabel.includes('60%, gammon 12%')`)
	eventually(t, ctx, `(() => { const [a, b] = [...document.querySelectorAll('.chances-side')].map((e) => e.offsetWidth); return Math.abs(a / (a + b) - 0.6) < 0.02; })()`)
	eventually(t, ctx, `[...document.querySelectorAll('.turn .error')].some((e) => e.textContent.includes('cube \u2066−0.143'))`)
	eventually(t, ctx, `document.querySelector('.error.grave').closest('button').ariaLabel.includes('−0.')`)
	ctx = tab(t, url+"/?lang=fa", 390, 844)
	eventually(t, ctx, `document.querySelector('.chances').ariaLabel.includes('۶۰٪')`)
	ctx = tab(t, url+"/overlay?lang=en&bottom=dark", 1280, 720)
	eventually(t, ctx, `document.querySelector('.chances:not([hidden])').ariaLabel.includes('40%, gammon 20%; ')`) // dark comes first
	ctx = tab(t, url+"/overlay?lang=en&parts=score", 1280, 720)
	eventually(t, ctx, `document.querySelector('.bug') && document.querySelector('.chances[hidden]')`)
}

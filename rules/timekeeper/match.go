package timekeeper

import (
	"davar/clock"
	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
)

// passTurn lets the match follow the clock: whose time runs is on roll. A press after a double answers it (CLOCK-8).
func (k *Timekeeper) passTurn(c clock.Change) {
	g := &k.Match.Game
	if g.Phase >= match.GameOver {
		return
	}
	if g.Phase == match.AwaitAnswer && c.Kind == clock.Pressed && rules.Side(c.Side) != g.Offer.By {
		k.took(rules.Side(c.Side))
	}
	g.Opening = g.Opening && c.Kind != clock.Pressed
	onMove := k.clock.View(k.Now).OnMove
	if onMove == clock.Nobody {
		if g.Phase == match.AwaitRoll { // the start was taken back
			g.Phase = match.AwaitOpening
		}
		return
	}
	if g.Phase == match.AwaitOpening {
		g.Phase, g.Opening = match.AwaitRoll, true // no double before the opening play (OPEN-8)
		side := rules.Side(onMove)
		k.emit(referee.Event{Type: referee.GameStarted, Side: &side})
	}
	if g.Phase == match.AwaitRoll {
		g.Turn = rules.Side(onMove)
	}
}

func (k *Timekeeper) took(side rules.Side) {
	if k.Match.Take(side) == nil {
		k.emit(referee.Event{Type: referee.CubeTaken, Side: &side, Cube: k.Match.Game.Cube.Value})
	}
}

// flagged counts what a fallen flag costs (CLOCK-4, CLOCK-5): nothing yet where overtime can still be given.
func (k *Timekeeper) flagged(side clock.Side) {
	if !k.clock.View(k.Now).Final || k.Match.LoseOnTime(rules.Side(side)) != nil {
		return
	}
	k.ended()
}

// ended tells the result of a game and stops the clock.
func (k *Timekeeper) ended() {
	result := k.Match.Result
	winner := result.Winner
	if result.Points > 0 {
		k.emit(referee.Event{Type: referee.GameEnded, Side: &winner, Points: result.Points, How: result.String(),
			Score: k.score(), Cube: result.Cube})
	}
	why := clock.BetweenGames
	if k.Match.Game.Phase == match.MatchOver {
		k.emit(referee.Event{Type: referee.MatchEnded, Side: &winner, Score: k.score(), How: result.String()})
		why = clock.MatchOver
	}
	changes, _ := k.clock.Stop(k.Now, why) // never refused for these reasons
	k.changed(changes)
}

func (k *Timekeeper) score() *referee.Score {
	return &referee.Score{Light: k.Match.Score[rules.Light], Dark: k.Match.Score[rules.Dark]}
}

// phases names what the match waits for in the words of a referee's state.
var phases = map[match.Phase]string{
	match.AwaitOpening: "opening", match.AwaitRoll: "await", match.AwaitAnswer: "await", match.Rolled: "await",
	match.GameOver: "over", match.MatchOver: "match_over",
}

// State returns the public state after the last input: clock, score and cube. There are no checkers in it.
func (k *Timekeeper) State() referee.State {
	g := &k.Match.Game
	s := referee.State{
		Match: k.Settings.Match, Seq: k.Seq, TMS: k.Now.Milliseconds(), Game: g.Number, Phase: phases[g.Phase],
		Players: k.Settings.Players, Length: k.Settings.Length, Score: *k.score(), Crawford: g.Crawford,
		Layout: k.Settings.Layout, Clock: referee.ShowClock(k.clock.Still(), k.Now),
		Plays: []referee.LastPlay{}, Rulings: []referee.RulingBody{},
		Cube: referee.CubeState{Enabled: k.Match.Options.Cube && !g.Crawford, Value: g.Cube.Value, Owner: g.Cube.OwnerName()},
	}
	switch g.Phase {
	case match.AwaitRoll:
		s.Turn = g.Turn.String()
	case match.AwaitAnswer:
		s.Turn, s.Cube.Offered = g.Turn.String(), g.Offer.By.String()
	case match.GameOver, match.MatchOver:
		s.Winner = k.Match.Result.Winner.String()
	}
	return s
}

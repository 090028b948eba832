package transcript

import (
	"fmt"

	"davar/rules"
	"davar/rules/referee"
)

// Of returns the transcript of the events, which must be in order from the match's first one on; it may stop anywhere.
func Of(facts Facts, events []referee.Event) *Transcript {
	f := follower{t: &Transcript{Facts: facts}, ties: map[int]int{}}
	if s := facts.Settings; s != nil {
		f.t.Score = [2]int{rules.Light: s.Score.Light, rules.Dark: s.Score.Dark}
		f.crawfordDone = s.CrawfordDone
	}
	for i := range events {
		f.follow(&events[i])
	}
	f.finish()
	return f.t
}

// follower walks the events once.
type follower struct {
	t            *Transcript
	crawfordDone bool
	ties         map[int]int     // ties of the opening roll, by game
	rolled       *Turn           // rolled and not played yet
	fast         bool            // a fast roll is in question (D6)
	set          *rules.Position // put by a person, before the game goes on
	clock        *referee.ClockView
	pace         pace
}

// game returns the game in progress; nil before the first.
func (f *follower) game() *Game {
	if len(f.t.Games) == 0 {
		return nil
	}
	return &f.t.Games[len(f.t.Games)-1]
}

// follow takes one event.
func (f *follower) follow(e *referee.Event) {
	if f.t.Started == "" {
		f.t.Started = e.At
	}
	f.pace.follow(e)
	if e.Clock != nil {
		f.clock = e.Clock
	}
	if e.Type == referee.GameStarted {
		f.gameStarted(e)
		return
	}
	f.remark(e)
	g := f.game()
	if g == nil {
		return
	}
	if g.Result == nil && e.Game == g.Number {
		g.Ended = e.TMS
	}
	switch e.Type {
	case referee.Roll:
		f.roll(g, e)
	case referee.PlayMade, referee.Dance:
		f.play(g, e)
	case referee.CubeOffered, referee.CubeTaken, referee.CubeDropped:
		f.cube(g, e)
	case referee.TurnEnded:
		f.turnEnded(g, e)
	case referee.GameEnded:
		f.gameEnded(g, e)
	case referee.MatchEnded:
		f.matchEnded(g, e)
	case referee.MatchReopened:
		f.t.Finished = false
		if g.Result != nil {
			g.Result.Match = false
		}
	}
}

// remark takes what is said about the play: rulings, ties, decisions.
func (f *follower) remark(e *referee.Event) {
	switch e.Type {
	case referee.RulingMade:
		if e.Ruling == nil {
			return
		}
		r := Ruling{Seq: e.Seq, Game: e.Game, TMS: e.TMS, Body: *e.Ruling}
		if e.Side != nil {
			r.Side = *e.Side
		}
		f.t.Rulings = append(f.t.Rulings, r)
		switch e.Ruling.Code {
		case "D11":
			f.ties[e.Game]++
		case "D6":
			f.fast = true
		}
	case referee.RulingWithdrawn:
		for i := range f.t.Rulings {
			if e.Ruling != nil && f.t.Rulings[i].Seq == e.Ruling.ID {
				f.t.Rulings[i].Withdrawn = true
			}
		}
	case referee.DecisionMade:
		f.t.Decisions = append(f.t.Decisions, *e)
		f.decided(e)
	}
}

// gameStarted begins a game, or has the one in progress go on from what a person said.
func (f *follower) gameStarted(e *referee.Event) {
	g := f.game()
	again := g != nil && g.Number == e.Game
	if !again {
		f.rolled, f.fast = nil, false
		f.t.Games = append(f.t.Games, f.newGame(e))
		g = f.game()
	}
	score := f.t.Score
	if e.Score != nil {
		score = [2]int{rules.Light: e.Score.Light, rules.Dark: e.Score.Dark}
	}
	f.setScore(g, score)
	switch {
	case again && e.Why == "corrected":
		g.Turns, f.rolled = nil, nil
	case again:
		f.rolled, f.fast = nil, false
		g.dropOffer()
		g.reopen()
	}
	if f.set != nil {
		if len(g.Turns) == 0 {
			g.Start = *f.set
		} else if e.Side != nil {
			g.Turns = append(g.Turns, Turn{Kind: Set, Side: *e.Side, Seq: e.Seq, After: *f.set, on: true, Ended: e.TMS})
		}
		f.set = nil
	}
	f.pace.begin(e)
}

func (f *follower) newGame(e *referee.Event) Game {
	o := f.t.Rules()
	g := Game{Number: e.Game, Start: rules.Start(o.Variant), Cube: 1, Began: e.TMS, Ended: e.TMS}
	if o.OpeningTies == rules.TieAutoDouble && f.t.Length == 0 {
		g.Cube <<= min(f.ties[e.Game], max(o.AutoDoubleLimit, 0), 6)
	}
	return g
}

// setScore writes the score before a game and finds out whether it is the Crawford game (CUBE-11).
func (f *follower) setScore(g *Game, score [2]int) {
	f.t.Score, g.Score = score, score
	done := f.crawfordDone
	for i := range f.t.Games[:len(f.t.Games)-1] {
		done = done || f.t.Games[i].Crawford
	}
	g.Crawford = f.t.crawford() && !done && max(score[0], score[1]) == f.t.Length-1
}

// reopen has a game that seemed over go on.
func (g *Game) reopen() { g.Result = nil }

// dropOffer forgets a double that was never answered: it was none.
func (g *Game) dropOffer() {
	if n := len(g.Turns); n > 0 && g.Turns[n-1].Kind == Double {
		g.Turns = g.Turns[:n-1]
	}
}

// roll takes a roll or its correction.
func (f *follower) roll(g *Game, e *referee.Event) {
	if e.Side == nil || len(e.Dice) != 2 {
		return
	}
	dice := rules.Dice{uint8(e.Dice[0]), uint8(e.Dice[1])}
	if e.Why == "corrected" {
		if t := f.rollToCorrect(g, e); t != nil {
			t.Dice, t.roll, t.Corrected = dice, e.Seq, true
		}
		return
	}
	g.reopen()
	g.dropOffer()
	if f.rolled != nil && f.rolled.Side != *e.Side {
		f.lose(g) // the turn before was never made out
	}
	f.rolled = &Turn{
		Kind: Roll, Side: *e.Side, Seq: e.Seq, roll: e.Seq, Dice: dice, Rolled: e.TMS, Began: f.pace.since(e.TMS), Unseen: true,
	}
}

// lose files a roll of which the play was not seen.
func (f *follower) lose(g *Game) {
	t := *f.rolled
	f.rolled = nil
	f.t.Notes = append(f.t.Notes, fmt.Sprintf("game %d: what %v played with %v was not seen", g.Number, t.Side, t.Dice))
	g.Turns = append(g.Turns, t)
}

// play takes a play or a dance, or its correction.
func (f *follower) play(g *Game, e *referee.Event) {
	if e.Side == nil {
		return
	}
	if e.Why == "corrected" {
		if t := playToCorrect(g, e); t != nil {
			f.write(g, t, e)
			t.Corrected = true
		}
		return
	}
	g.reopen()
	g.dropOffer()
	t := Turn{Kind: Roll, Side: *e.Side, Rolled: e.TMS, Began: f.pace.since(e.TMS)}
	if f.rolled != nil {
		if f.rolled.Side == *e.Side {
			t = *f.rolled
			f.rolled = nil
		} else {
			f.lose(g)
		}
	}
	f.write(g, &t, e)
	f.pace.close(&t, e)
	g.Turns = append(g.Turns, t)
}

// write puts what a play's event says into the turn.
func (f *follower) write(g *Game, t *Turn, e *referee.Event) {
	t.Seq, t.Notation, t.Unseen, t.Confidence = e.Seq, e.Notation, false, e.Confidence
	t.Illegal = e.Legal != nil && !*e.Legal
	if len(e.Dice) == 2 {
		t.Dice = rules.Dice{uint8(e.Dice[0]), uint8(e.Dice[1])}
	}
	pos, err := g.position(e.Position, t.Side)
	if err != nil {
		f.t.Notes = append(f.t.Notes, fmt.Sprintf("game %d, event %d: %v", g.Number, e.Seq, err))
		t.Unseen = true
		return
	}
	t.After, t.on = pos, true
}

// cube takes a cube action.
func (f *follower) cube(g *Game, e *referee.Event) {
	if e.Side == nil {
		return
	}
	if f.rolled != nil && e.Type == referee.CubeOffered && f.rolled.Side != *e.Side {
		f.lose(g)
	}
	g.reopen()
	t := Turn{Kind: Double, Side: *e.Side, Seq: e.Seq, Cube: e.Cube, Began: f.pace.since(e.TMS), Ended: e.TMS}
	switch e.Type {
	case referee.CubeTaken:
		t.Kind = Take
	case referee.CubeDropped:
		t.Kind, t.Cube = Drop, 0
	}
	g.Turns = append(g.Turns, t)
}

// turnEnded notes when a turn ended; without a roll it was one of a player closed out.
func (f *follower) turnEnded(g *Game, e *referee.Event) {
	switch {
	case e.Side == nil || e.Game != g.Number:
	case f.rolled != nil && f.rolled.Side == *e.Side:
		f.rolled.Ended = e.TMS
	case f.rolled == nil && g.Result == nil:
		t := Turn{Kind: Pass, Side: *e.Side, Seq: e.Seq, Began: f.pace.since(e.TMS)}
		f.pace.close(&t, e)
		g.Turns = append(g.Turns, t)
	}
}

// gameEnded takes the result.
func (f *follower) gameEnded(g *Game, e *referee.Event) {
	if e.Side == nil {
		return
	}
	f.breakOff(g)
	score := f.t.Score
	if e.Score != nil {
		score = [2]int{rules.Light: e.Score.Light, rules.Dark: e.Score.Dark}
	}
	g.Result = &Result{Winner: *e.Side, Points: e.Points, How: e.How, Cube: e.Cube, Score: score}
	g.Ended, g.Clock, f.t.Score = e.TMS, f.clock, score
}

// breakOff files a roll that was not played before the game ended.
func (f *follower) breakOff(g *Game) {
	if f.rolled != nil {
		f.rolled.Ended = max(f.rolled.Ended, f.rolled.Rolled)
		g.Turns = append(g.Turns, *f.rolled)
		f.rolled = nil
	}
}

func (f *follower) matchEnded(g *Game, e *referee.Event) {
	if e.Side == nil {
		return
	}
	f.t.Finished, f.t.Winner = true, *e.Side
	if g.Result == nil { // time lost the match (CLOCK-4)
		f.breakOff(g)
		g.Result = &Result{Winner: *e.Side, How: e.How, Cube: g.cubeNow(), Score: f.t.Score}
		g.Ended, g.Clock = e.TMS, f.clock
	}
	g.Result.Match = true
}

// cubeNow returns the cube's value after the turns so far.
func (g *Game) cubeNow() int {
	value := max(g.Cube, 1)
	for i := range g.Turns {
		if t := &g.Turns[i]; (t.Kind == Take || t.Kind == Set) && t.Cube > 0 && !t.Void {
			value = t.Cube
		}
	}
	return value
}

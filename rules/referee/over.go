package referee

import (
	"davar/clock"
	"davar/rules"
)

// gameOver announces the end of the game, and of the match if that is decided (END-1, SCORE-1).
func (r *Referee) gameOver() {
	result := r.Match.Result
	winner := result.Winner
	champion, decided := r.Match.Winner()
	r.Winner = champion.String()
	r.Agreed, r.Fast, r.Roll, r.Ended, r.Breach = false, nil, nil, nil, nil
	if result.Points > 0 {
		r.emit(Event{
			Type: GameEnded, Side: &winner, Points: result.Points, How: result.String(), Score: r.score(),
			Cube: result.Cube, Position: r.base().ID(winner),
		})
	}
	r.Eyes.Dice.spend(r.Now + 1)
	if decided {
		r.emit(Event{Type: MatchEnded, Side: &champion, Score: r.score(), How: result.String()})
		r.stopClock(clock.MatchOver)
		r.enter(phaseMatch)
		return
	}
	r.stopClock(clock.BetweenGames)
	r.enter(phaseOver)
}

// stepOver waits for the next game: the starting position set up, by itself (SETUP-5).
func (r *Referee) stepOver(still bool) {
	v := &r.Eyes.View
	if !still || v.Pictures < setupPictures || r.Settings.ConfirmScore && !r.Agreed {
		r.watchEarlyStart(still)
		return
	}
	start := rules.Start(r.Match.Options.Rules.Variant)
	if v.wrong(&start) > 0 {
		if r.Agreed {
			r.nextGame()
		}
		return
	}
	r.nextGame()
	r.ready(start, r.Now)
}

// watchEarlyStart points out that a new game is begun before the score was agreed (S4).
func (r *Referee) watchEarlyStart(still bool) {
	if !still || r.asked("S4") || !r.Settings.ConfirmScore || r.Agreed {
		return
	}
	start := rules.Start(r.Match.Options.Rules.Variant)
	if r.Eyes.View.wrong(&start) == 0 && len(r.Eyes.Dice.fresh()) == 2 {
		r.Asked = append(r.Asked, "S4")
		r.tell("S4", nil)
	}
}

// nextGame begins the next game with its setup.
func (r *Referee) nextGame() {
	over := r.Match
	if err := r.Match.Next(); err != nil {
		return
	}
	r.keepGame(over)
	r.newGame()
}

// newGame awaits the setup of a game that is to begin.
func (r *Referee) newGame() {
	r.Winner, r.Last, r.History, r.Doubles, r.Asked, r.Plays = "", nil, nil, nil, nil, []LastPlay{}
	r.CubeHome, r.CubeWrong, r.OfferPut = false, false, false
	r.Rulings = []RulingBody{}
	r.Current = r.Match.Game.Position
	r.stopClock(clock.Opening)
	r.enter(phaseSetup)
}

package referee

import (
	"slices"

	"davar/rules"
	"davar/rules/match"
)

// pastTurn is a closed turn of this game: enough of it is kept to go back to it, and to derive it anew when something
// before it is corrected (DIR-5).
type pastTurn struct {
	Seq   int64          `json:"seq"`   // of its play
	Roll  int64          `json:"roll"`  // of its roll
	Plays int            `json:"plays"` // length of the list of plays before it
	Game  match.Game     `json:"game"`  // before its play
	Final rules.Position `json:"final"`
	Legal bool           `json:"legal"`
	Seen  outlook        `json:"seen"` // when it ended
}

// remember keeps the turn that is being closed.
func (r *Referee) remember(seq int64, final rules.Position, legal bool) {
	r.History = append(r.History, pastTurn{
		Seq: seq, Roll: r.Roll.Seq, Plays: len(r.Plays), Game: r.Match.Game, Final: final, Legal: legal,
		Seen: r.Eyes.View.outlook(),
	})
}

// pastAt returns the place of the turn whose play has the number seq, of the last turn when it is 0.
func (r *Referee) pastAt(seq int64) (int, error) {
	at := len(r.History) - 1
	if seq != 0 {
		at = slices.IndexFunc(r.History, func(t pastTurn) bool { return t.Seq == seq })
	}
	if at < 0 {
		return 0, refusal("no closed turn of this game has that number; an earlier game can only be gone back to (undo), its score set by itself")
	}
	return at, nil
}

// amendment is what a person corrects in a closed turn; nil leaves a thing as it was.
type amendment struct {
	Dice  *rules.Dice
	Final *rules.Position
	Cube  *match.Cube
}

// correctPast puts right the roll, the result or the cube of a closed turn, and derives anew all that followed.
func (r *Referee) correctPast(d *Decision) error {
	at, err := r.pastAt(d.Seq)
	if err != nil {
		return err
	}
	t := &r.History[at]
	var a amendment
	switch d.What {
	case DecideRoll:
		dice, err := diceOf(d.Dice)
		if err != nil {
			return err
		}
		a.Dice = &dice
	case DecideSet:
		if d.Position == nil {
			return refusal("the position is missing")
		}
		if err := d.Position.Check(t.Game.Excluded); err != nil {
			return err
		}
		a.Final = d.Position
	case DecideCube:
		trial, cube := r.Match, cubeOf(d)
		if err := trial.SetCube(cube); err != nil {
			return err
		}
		a.Cube = &cube
	default:
		return refusal("of a closed turn only the roll, the position and the cube can be corrected; undo goes back to it")
	}
	if about, _ := AboutSide(d.What); about && d.Side != t.Game.Turn {
		return refusal("that turn was the other player's")
	}
	r.rederive(at, a)
	return nil
}

// story is the derivation anew of the turns since a correction.
type story struct {
	old  []pastTurn // as they were
	pos  rules.Position
	cube match.Cube
	misread
}

// misread is what a person says stood in places where the pictures showed something else: as long as they show the same
// there, the same error is made.
type misread struct {
	Seen  outlook
	Shift [outlookPlaces]int // by how many checkers more than shown
}

// rederive applies the amendment to closed turn number at and judges all later ones anew by what was seen of them.
// What comes out otherwise is published as corrected.
func (r *Referee) rederive(at int, a amendment) {
	s := story{old: slices.Clone(r.History)}
	s.pos, s.cube = s.old[at].Game.Position, s.old[at].Game.Cube
	if a.Cube != nil {
		s.cube = *a.Cube
	}
	for j := at; j < len(r.History); j++ {
		was := &s.old[j]
		if j > at {
			if was.Game.Position != s.old[j-1].Final {
				s.pos = was.Game.Position // a person set it in between
			}
			s.cube = carried(s.cube, s.old[j-1].Game.Cube, was.Game.Cube, r.Match.Options.CubeMax)
			if s.pos == was.Game.Position && s.cube == was.Game.Cube {
				return // from here on all is as it was
			}
			a = amendment{}
		}
		r.deriveTurn(j, &s, a)
	}
	r.takeUp(&s)
}

// deriveTurn judges closed turn j anew from where the story stands.
func (r *Referee) deriveTurn(j int, s *story, a amendment) {
	t, was := &r.History[j], &s.old[j]
	t.Game.Position, t.Game.Cube = s.pos, s.cube
	side := t.Game.Turn
	if a.Dice != nil && *a.Dice != t.Game.Dice {
		t.Game.Dice = *a.Dice
		t.Roll = r.emit(Event{
			Type: Roll, Side: &side, Dice: numbers(t.Game.Dice), Opening: t.Game.Opening, Why: "corrected", Corrects: was.Roll,
		})
	}
	if a.Final != nil {
		t.Final = *a.Final
		s.misread = misreadOf(was.Seen, a.Final)
	} else {
		t.Final = r.resultOf(t, was, &s.misread)
	}
	verdict := r.law.judge.Judge(&s.pos, side, t.Game.Dice, &t.Final, t.Game.Excluded)
	t.Legal = verdict.Legal
	s.pos = t.Final
	r.publishTurn(t, &verdict)
}

// resultOf returns where a turn led: of the legal results the one the pictures show, or, when they contradict every one,
// what was done on the board.
func (r *Referee) resultOf(t, was *pastTurn, m *misread) rules.Position {
	done, possible := repeated(&t.Game.Position, was)
	plays := r.law.plays(&t.Game.Position, t.Game.Turn, t.Game.Dice)
	if len(plays) == 0 {
		plays = []rules.Play{{Final: t.Game.Position}}
	}
	best, top, contradicted := rules.Position{}, -1e9, 0
	for i := range plays {
		final := &plays[i].Final
		score, wrong := m.weigh(was.Seen, final)
		switch {
		case possible && *final == done:
			score += likeBefore
		case *final == was.Final:
			score += likeBefore / 2
		}
		if score > top {
			best, top, contradicted = *final, score, wrong
		}
	}
	if !possible {
		done = was.Final
	}
	literally, _ := m.weigh(was.Seen, &done)
	if contradicted >= ruleWrong && literally-top > ruleLead || len(was.Seen) == 0 && best != done && best != was.Final {
		return done
	}
	return best
}

// likeBefore counts for a result that the same movement of checkers leads to as before.
const likeBefore = 1.0

// repeated returns the position to which the movement of the turn as it was leads from another one, and whether that
// can be.
func repeated(from *rules.Position, was *pastTurn) (rules.Position, bool) {
	pos := *from
	for side := range pos.Checkers {
		for p := range pos.Checkers[side] {
			n := int(from.Checkers[side][p]) + int(was.Final.Checkers[side][p]) - int(was.Game.Position.Checkers[side][p])
			if n < 0 || n > rules.Checkers {
				return was.Final, false
			}
			pos.Checkers[side][p] = uint8(n)
		}
	}
	return pos, pos.Check(was.Game.Excluded) == nil
}

// misreadOf returns where the pictures showed something else than the position.
func misreadOf(seen outlook, pos *rules.Position) misread {
	m := misread{Seen: seen}
	if len(seen) == 4*outlookPlaces {
		for place, n := range in(pos) {
			if shown, ok := seen.best(place); ok {
				m.Shift[place] = n - shown
			}
		}
	}
	return m
}

// weigh returns the log-likelihood of the position by an outlook, and in how many places that contradicts it.
func (m *misread) weigh(o outlook, pos *rules.Position) (score float64, wrong int) {
	if len(o) < 4*outlookPlaces {
		return 0, 0
	}
	stuck := o.same(m.Seen)
	for place, n := range in(pos) {
		against := o.against(place, n)
		if shift := m.Shift[place]; shift != 0 {
			if shifted := o.against(place, n-shift); stuck&(1<<place) != 0 || shifted > against {
				against = shifted
			}
		}
		if place >= 26 {
			score += trayTrust * against
			continue
		}
		score += against
		if against <= -outlookWrong {
			wrong++
		}
	}
	return score, wrong
}

// publishTurn says what came out otherwise than it was told.
func (r *Referee) publishTurn(t *pastTurn, verdict *rules.Verdict) {
	side, legal := t.Game.Turn, t.Legal
	e := Event{
		Type: PlayMade, Side: &side, Dice: numbers(t.Game.Dice), Notation: verdict.Play.String(),
		Position: t.Final.ID(side), Legal: &legal, Why: "corrected", Corrects: t.Seq,
	}
	if legal && t.Final == t.Game.Position {
		e.Type, e.Legal = Dance, nil
	}
	if t.Plays >= len(r.Plays) {
		return
	}
	told := &r.Plays[t.Plays]
	same := LastPlay{
		Seq: told.Seq, Side: side.String(), Dice: e.Dice, Notation: e.Notation, Position: e.Position, Legal: legal,
	}
	if told.Notation == same.Notation && told.Position == same.Position && told.Legal == legal && slices.Equal(told.Dice, same.Dice) {
		return
	}
	same.Seq = r.emit(e)
	*told, t.Seq = same, same.Seq
}

// carried returns the cube after a while in which it went from before to after, had it been another one at first.
func carried(cube, before, after match.Cube, most int) match.Cube {
	if before == after {
		return cube
	}
	value := after.Value
	if before.Value > 0 && after.Value%before.Value == 0 {
		value = min(cube.Value*(after.Value/before.Value), most)
	}
	return match.Cube{Value: value, Owned: after.Owned, Owner: after.Owner}
}

// takeUp continues the game, or what had become of it, from where the story has led.
func (r *Referee) takeUp(s *story) {
	end := len(r.History) - 1
	was, now := &s.old[end], &r.History[end]
	g := &r.Match.Game
	if _, win := s.pos.Won(r.Match.Options.Rules); win != rules.NoWin || r.over() && r.Match.Result.How == match.BornOff {
		r.endAgain(now)
		return
	}
	if g.Position == was.Final {
		g.Position = s.pos
	}
	cube := carried(s.cube, was.Game.Cube, g.Cube, r.Match.Options.CubeMax)
	if before := r.Match; r.over() {
		if cube.Value != r.Match.Result.Cube && r.Match.Recount(cube.Value) == nil {
			r.countedAnew(&before)
		}
		g.Cube = cube
		return
	}
	g.Cube = cube
	if g.Phase == match.AwaitAnswer {
		g.Offer.Value = 2 * g.Cube.Value
	}
	if r.Breach != nil {
		r.withdraw(r.Breach.Ruling)
		r.Breach = nil
		r.resumeClock()
		r.enter(phaseRolled)
	}
	if r.Roll != nil {
		r.Roll.Readings, r.Roll.Doubt = nil, 0
	}
	if r.Last != nil {
		r.Last.Match, r.Last.Others = r.Match, nil
		r.Last.Match.Game, r.Last.Roll.Dice, r.Last.Roll.Seq = now.Game, now.Game.Dice, now.Roll
	}
	r.Current = *r.base()
}

// endAgain closes the last turn anew: the game ends with it, perhaps otherwise than before, or goes on.
func (r *Referee) endAgain(last *pastTurn) {
	before := r.Match
	r.Match.Uncount()
	r.Match.Game = last.Game
	if err := r.Match.Play(last.Final); err != nil {
		return
	}
	r.Current = last.Final
	switch {
	case r.Match.Game.Phase < match.GameOver:
		r.Winner, r.Agreed = "", false
		r.startClock(r.Match.Game.Turn)
		r.enter(phaseAwait)
	case before.Game.Phase < match.GameOver:
		r.gameOver()
	default:
		r.countedAnew(&before)
	}
}

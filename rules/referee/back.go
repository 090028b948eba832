package referee

import (
	"slices"

	"davar/rules/match"
)

// pastDouble is a double that was answered, kept to be gone back to.
type pastDouble struct {
	Plays int        `json:"plays"` // length of the list of plays before it
	Game  match.Game `json:"game"`  // the double being on offer
}

// keepDouble keeps a double that is being answered; before is the game in which it is on offer.
func (r *Referee) keepDouble(before match.Game) {
	r.Doubles = append(r.Doubles, pastDouble{Plays: len(r.Plays), Game: before})
}

// ofThisGame tells whether seq is the number of a play or cube action of the game in progress, or of the last one.
func (r *Referee) ofThisGame(seq int64) bool {
	return (&finishedGame{Turns: r.History, Plays: r.Plays}).holds(seq)
}

// decideUndo goes back to a closed turn or a double of this game or of an earlier one of the match: what came after it is
// gone, the end of the match with it.
func (r *Referee) decideUndo(d *Decision) error {
	seq, earlier, saved := r.backToSeq(d), len(r.Earlier), r.table
	if seq != 0 && !r.ofThisGame(seq) {
		if err := r.reopenEarlier(seq); err != nil {
			return err
		}
	}
	if double := r.doubleAt(seq); double >= 0 {
		r.backToDouble(double)
		return nil
	}
	at, err := r.pastAt(seq)
	if err != nil {
		r.table = saved
		return err
	}
	r.backTo(at, at == len(r.History)-1 && earlier == len(r.Earlier), d)
	return nil
}

// backToSeq returns the number of the play or cube action to go back to: where none is named the last play, or, if it is the
// cube of the Crawford game that is in question, its first double (CUBE-12). 0: there is none.
func (r *Referee) backToSeq(d *Decision) int64 {
	switch {
	case d.Seq != 0:
		return d.Seq
	case d.Ruling == "C3" && len(r.Doubles) > 0:
		return r.Plays[r.Doubles[0].Plays].Seq
	case len(r.History) > 0:
		return r.History[len(r.History)-1].Seq
	}
	return 0
}

// doubleAt returns the place of the double to which the cube action with the number seq belongs, -1 when it is none.
func (r *Referee) doubleAt(seq int64) int {
	at := slices.IndexFunc(r.Plays, func(p LastPlay) bool { return seq != 0 && p.Seq == seq && len(p.Dice) == 0 })
	for i := range slices.Backward(r.Doubles) {
		if at >= 0 && r.Doubles[i].Plays <= at {
			return i
		}
	}
	return -1
}

// backTo has closed turn number at of this game played anew with its roll. When it is the last one, its player gets back the
// time he had when he pressed.
func (r *Referee) backTo(at int, last bool, d *Decision) {
	past := r.History[at]
	g := &past.Game
	r.Match.Uncount()
	r.Match.Game = past.Game
	r.cutPlays(past.Plays)
	r.playAnew()
	r.Roll = &roll{
		Side: g.Turn, Dice: g.Dice, Opening: g.Opening && g.Turns == 0, At: r.Now, Replay: true, Stated: true, Seq: past.Roll,
	}
	if last {
		r.undoPress(g.Turn, d.By, d.Why)
	} else {
		r.startClock(g.Turn)
	}
	r.enter(phaseRolled)
}

// backToDouble goes back to before double number at of this game: who made it is to roll, and may double again.
func (r *Referee) backToDouble(at int) {
	past := r.Doubles[at]
	g := past.Game
	g.Phase, g.Offer, g.Doubled = match.AwaitRoll, match.Offer{}, at > 0
	r.Match.Uncount()
	r.cutPlays(past.Plays)
	r.goOnFrom(g)
}

// goOnFrom has the game go on from there, its player being to roll.
func (r *Referee) goOnFrom(g match.Game) {
	r.Match.Game = g
	r.playAnew()
	r.startClock(g.Turn)
	r.enter(phaseAwait)
}

// playAnew forgets what was about to happen: play goes on from the game's position.
func (r *Referee) playAnew() {
	r.Roll, r.Ended, r.Breach, r.Fast, r.Blind, r.Last = nil, nil, nil, nil, nil, nil
	r.Asked, r.Notice, r.Winner = nil, "", ""
	r.Rulings = []RulingBody{}
	r.Current = r.Match.Game.Position
	r.Agreed, r.OfferPut, r.CubeHome, r.CubeWrong = false, false, false, false
	r.Eyes.Dice.spend(r.Now + 1)
}

// cutPlays forgets what was played and doubled from play number n of the game on.
func (r *Referee) cutPlays(n int) {
	r.Plays = r.Plays[:n]
	r.History = slices.DeleteFunc(slices.Clone(r.History), func(t pastTurn) bool { return t.Plays >= n })
	r.Doubles = slices.DeleteFunc(slices.Clone(r.Doubles), func(d pastDouble) bool { return d.Plays >= n })
}

// decideAgain has the game, or the earlier one of play Seq, played anew from its opening roll: nothing of it counts, nor of
// what came after it.
func (r *Referee) decideAgain(d *Decision) error {
	if d.Seq != 0 && !r.ofThisGame(d.Seq) {
		if err := r.reopenEarlier(d.Seq); err != nil {
			return err
		}
	}
	if g := r.Match.Game.Phase; g == match.AwaitOpening {
		return refusal("the game has not begun")
	}
	r.Match.Again()
	r.playAnew()
	r.newGame()
	return nil
}

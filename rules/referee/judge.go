package referee

import (
	"math"
	"time"
)

// judge looks what the turn led to, once it has ended and the board lies still.
func (r *Referee) judge() {
	v := &r.Eyes.View
	if v.Pictures < leastPictures {
		return
	}
	w := r.weighEnd(v)
	switch wrong, miscounted := r.wrongNumber(v, &w); {
	case miscounted && v.To-max(v.From, r.Ended.At) < wrongCountStill:
	case miscounted:
		w.Literal, w.Whole, w.Literly = wrong, true, v.score(&wrong)+notByRule
		r.breached(&w, false)
	case w.legal() && (!w.reread() || r.Roll.seenFor(&w.Legal.Play.Final) >= ruleStill):
		r.acceptBest(&w)
	case w.nothing(), r.Ended.By == "lift" && w.Whole && w.Literal == *r.base():
		r.nothingPlayed(v, &w)
	case r.movedSince():
		r.goneOn(v, &w)
	case w.illegal(v) && r.Roll.seenFor(&w.Literal) >= ruleStill && !r.Roll.inDispute() && r.oneCode(&w.Literal) && !r.mayBeStray(v, &w):
		r.illegal(v, &w)
	default:
		r.unclear(v, &w)
	}
}

// illegal rules on an illegal play, unless the next throw has closed the window on it already (IRREG-6).
func (r *Referee) illegal(v *evidence, w *weighing) {
	switch {
	case r.throwsNext():
		r.breached(w, true)
		r.stand()
	case r.nextThrown() > 0: // that closes the window, as soon as it is sure
	case r.Ended.By != "lift" || v.To >= r.Ended.At+liftSure:
		r.breached(w, false)
	}
}

// goneOn deals with a board on which the next player has moved too before this turn was made out.
func (r *Referee) goneOn(v *evidence, w *weighing) {
	if play, found := r.sequence(); found {
		r.accept(&play, 0.95)
		return
	}
	r.unclear(v, w)
}

// legal tells whether a legal play explains the pictures well and clearly better than anything else.
func (w *weighing) legal() bool {
	if (w.Wrong&^w.Doubt).count() > 1 || w.Wrong.count() > 2 || w.Legal.Score-w.Second < clearLead {
		return false
	}
	if !w.Stays && w.Nothing > w.Legal.Score-clearLead {
		return false
	}
	if w.reread() && (w.Legal.Score < w.Read.Score+clearLead || w.Clear && w.Whole && w.Legal.Score < w.Literly+clearLead) {
		return false // that the play is illegal is as likely as that something was misread
	}
	return !w.Whole || w.Literal == w.Legal.Play.Final || w.Wrong == 0 || w.Legal.Score > w.Literly-ruleLead
}

// nothing tells whether the board looks as before the turn, although something must be played.
func (w *weighing) nothing() bool {
	return !w.Stays && w.Nothing > w.Legal.Score+clearLead && w.Bound-w.Nothing < clearLead-nothingMoved
}

// illegal tells whether an illegal position explains the pictures so well and every legal one so badly that it
// may be held against the player (DESIGN §2.1). Places where the pictures contradicted the position before the moves
// already speak against no play.
func (w *weighing) illegal(v *evidence) bool {
	if !w.Whole || !w.Clear || w.Unseen != 0 || v.Pictures < rulePictures || w.Doubt.count() > 2 {
		return false
	}
	if w.Doubt.count() > 1 && w.Doubt&differing(&w.Literal, &w.Read.Base) != 0 {
		return false // the position that the play is judged from may not have been the one on the board: no checker is in one place wrong
	}
	if !v.sharp(differing(&w.Literal, &w.Read.Base)) {
		return false // that it is illegal may be certain, but not what was done
	}
	wrong, _ := v.misfits(&w.Literal)
	if wrong.count() > 1 || (w.ReadOff&^w.Doubt).count() < ruleWrong+(wrong&^w.Doubt).count() {
		return false
	}
	if w.Redice.Dice != w.Read.Dice && w.Literly-w.Redice.Score < diceLead {
		return false
	}
	return w.Literly-w.Read.Score >= ruleLead && (w.Legal.Base == w.Read.Base || w.Literly-w.Legal.Score >= ruleLead)
}

// confidence returns how probable the best legal play is among all explanations.
func (w *weighing) confidence() float64 {
	rest := math.Exp(w.Second - w.Legal.Score)
	if !w.Stays {
		rest += math.Exp(w.Nothing - w.Legal.Score)
	}
	if w.Whole && w.Literal != w.Legal.Play.Final {
		rest += math.Exp(min(w.Literly-w.Legal.Score, 0))
	}
	return 1 / (1 + rest)
}

// nothingPlayed deals with a turn's end without a move. Dice out of view need not have been lifted: the turn then
// goes on. After a press it is an incomplete play (M1).
func (r *Referee) nothingPlayed(v *evidence, w *weighing) {
	if v.To-r.Ended.At < time.Second || v.Pictures < rulePictures {
		return
	}
	still, _ := v.misfits(r.base())
	moved := w.Doubt&^still != 0 // where the board was not as supposed before, it is now
	sure := w.Clear && !r.Roll.inDispute() && w.nothing() && !moved
	w.Literal, w.Whole = *r.base(), true
	switch {
	case w.reread() && w.Legal.Play.Final == *r.base() && w.Literly-w.Legal.Score < diceLead:
		if r.throwsNext() || r.Ended.By == "press" {
			r.acceptBest(w) // with what the dice may have shown nothing could be played
		}
	case r.throwsNext() && sure:
		r.breached(w, true)
		r.stand()
	case r.throwsNext():
		r.resume(r.nextUp())
	case r.Ended.By == "press" && sure && len(r.Roll.Readings) <= 1:
		r.breached(w, false)
	case r.Ended.By == "press":
		r.ask(askPlay) // moved, and put back after the press; or it is not certain what was thrown
	}
}

// throwsNext tells whether the other player has thrown: two dice lie in his right half.
func (r *Referee) throwsNext() bool {
	fresh := r.Eyes.Dice.fresh()
	return len(fresh) == 2 && r.inRightHalf(fresh, r.Roll.Side.Other())
}

// unclear asks the players to show the board when it has lain still for long without a clear reading (X1).
func (r *Referee) unclear(v *evidence, w *weighing) {
	if v.To-max(v.From, r.Ended.At) >= unclearAfter && v.Pictures >= 3*leastPictures {
		r.ask(askPlay)
	}
	goneOn := (r.throwsNext() || r.nextThrown() > 0 || r.offered()) && v.Pictures >= 2*leastPictures
	if !goneOn && (v.To-r.Ended.At < givesUpAfter || v.To-v.From < ruleStill) {
		return
	}
	hopeless := w.Wrong.count() > 2
	if (hopeless || w.elsewhere(v)) && r.resume(r.nextUp()) || hopeless {
		return
	}
	r.acceptBest(w) // play has gone on: the likeliest is the base of the next turn
}

// elsewhere tells whether the pictures contradict the best legal play and show another position without doubt: wherever
// that came from, the next turn begins there.
func (w *weighing) elsewhere(v *evidence) bool {
	return w.Whole && w.Wrong.count() >= ruleWrong && v.wrong(&w.Literal) == 0 && w.Literly-w.Legal.Score >= clearLead
}

package referee

import (
	"fmt"

	"davar/clock"
	"davar/rules"
)

// answered takes a person's word where it settles an open question of the referee and does nothing else: a disputed roll
// stands, a cube was only adjusted, the clock times are recorded, the written score is another. It reports whether that
// was so; every other decision is carried out by decide.
func (r *Referee) answered(d *Decision) bool {
	if alone(d) {
		return false
	}
	switch d.What {
	case DecideConfirm:
		r.emit(r.decision(DecisionMade, d))
		r.Timed = true
		return true
	case DecideNext:
		return r.otherScore(d)
	case DecidePause:
		r.Appeal = r.Appeal || d.Why == "appeal" || d.Why == string(clock.Ruling)
		return false
	case DecideAdjust, DecideScore:
		return false
	}
	appeal := r.Appeal
	r.Appeal = false
	switch d.What {
	case DecideResume:
		r.Away = nil
		if appeal && (r.clock == nil || r.clock.View(r.Now).Paused == "") {
			r.emit(r.decision(DecisionMade, d))
			return true
		}
	case DecideStand:
		return r.letStand(d)
	case DecideRethrow:
		return r.agreed(d)
	}
	return false
}

// agreed takes note that both players agree to throw again what was called invalid, or may be cocked (DICE-5): nothing
// more is to be done.
func (r *Referee) agreed(d *Decision) bool {
	called := r.open("D1") || r.open("D2") || r.open("D3") || r.open("D4") || r.open("D12")
	if r.Roll != nil || r.Fast != nil || !called && r.Doubtful == nil {
		return false
	}
	r.emit(r.decision(DecisionMade, d))
	r.settleCodes("D1", "D2", "D3", "D4", "D12")
	r.Doubtful = nil
	r.Eyes.Dice.spend(r.Now + 1)
	return true
}

// disputes are the codes that are settled by letting stand what they are about.
var disputes = []string{"D5", "D7", "D9", "C6"}

// letStand settles a dispute by letting things stand: the roll counts, the cube was only adjusted.
func (r *Referee) letStand(d *Decision) bool {
	if d.Ruling == "" && (r.Breach != nil || r.Fast != nil || r.Ended != nil) {
		return false // decide knows of something else that can stand
	}
	if r.firstStands(d) {
		return true
	}
	if d.Ruling == "D5" && r.Doubtful != nil && !r.open("D5") {
		r.emit(r.decision(DecisionMade, d))
		r.Doubtful = nil // people have settled it before the referee could be sure of it
		return true
	}
	for _, code := range disputes {
		if r.open(code) && (d.Ruling == "" || d.Ruling == code) {
			r.emit(r.decision(DecisionMade, d))
			r.settleCodes(code)
			if code == "D9" && r.Roll != nil {
				r.Roll.Again, r.Roll.Disputed, r.Roll.HalfAgain = rules.Dice{}, false, false // it is the first throw that stands
			}
			return true
		}
	}
	return false
}

// firstStands takes the first of two throws for the roll of the turn, when people say that the second one was of a valid roll
// (D9) and the referee had taken that one.
func (r *Referee) firstStands(d *Decision) bool {
	if d.Ruling != "D9" || r.open("D9") || r.Roll == nil || r.Ended != nil || !r.Roll.Again.Valid() || sameDice(r.Roll.Again, r.Roll.Dice) {
		return false
	}
	x := r.Roll
	r.emit(r.decision(DecisionMade, d))
	x.Moved, x.Seen = x.Seen, x.AgainSeen // the second ones lie there for it
	first := x.Again
	x.Again, x.AgainSeen = rules.Dice{}, [2]die{}
	r.correctRoll(first) // it stays in dispute if there were more than the two throws that were seen
	return true
}

// otherScore points out that the score the players have written down is not the referee's (S3): it waits until they
// agree, the written one prevailing (SCORE-4, SCORE-5). It reports false when the scores agree.
func (r *Referee) otherScore(d *Decision) bool {
	if d.Score == nil || *d.Score == *r.score() || !r.over() {
		return false
	}
	r.emit(r.decision(DecisionMade, d))
	r.Agreed = false
	r.settleCodes("S3")
	r.tell("S3", map[string]string{"x": r.score().text(), "y": d.Score.text()})
	return true
}

// text is the score as people write it, light's points first.
func (s *Score) text() string { return fmt.Sprintf("%d-%d", s.Light, s.Dark) }

package referee

import (
	"strconv"
	"time"

	"davar/rules"
)

// breached announces an illegal play; the correction window opens (IRREG-1, IRREG-4).
func (r *Referee) breached(w *weighing) {
	verdict := r.law.judge(r.base(), r.Roll.Side, r.Roll.Dice, &w.Literal)
	if verdict.Legal {
		return
	}
	params := map[string]string{
		"a": strconv.Itoa(int(r.Roll.Dice[0])), "b": strconv.Itoa(int(r.Roll.Dice[1])), "points": verdict.Points,
	}
	if r.Breach != nil {
		if r.Breach.Final == w.Literal {
			return
		}
		r.withdraw(r.Breach.Ruling)
	}
	id := r.rule(verdict.Code, r.Roll.Side, params)
	if len(verdict.Rules) > 0 {
		body := r.out[len(r.out)-1].Ruling
		body.Rules = verdict.Rules
		for i := range r.Rulings {
			if r.Rulings[i].ID == id {
				r.Rulings[i].Rules = verdict.Rules
			}
		}
	}
	spoken := r.out[len(r.out)-1].Ruling.Audience == "table"
	r.Breach = &breach{Final: w.Literal, Ruling: id, Spoken: spoken, At: r.Now}
	r.Current = w.Literal
	r.Eyes.Dice.spend(r.spentBefore())
	if spoken {
		r.pauseClock("ruling")
	}
	r.enter(phaseEnded)
}

// correctedAfter is how long a legal position must lie still after a ruling to count as the correction.
const correctedAfter = 800 * time.Millisecond

// stepEnded waits while the correction window is open: until the play is put right, stands, or the next throw.
func (r *Referee) stepEnded(still bool) {
	if !still {
		return
	}
	v := &r.Eyes.View
	if v.From > r.Breach.At && v.To-v.From >= correctedAfter {
		if w := r.weigh(v); w.legal() && w.Wrong == 0 {
			r.resumeClock()
			r.accept(&w.Legal.Play, w.confidence())
			return
		}
	}
	next := r.Roll.Side.Other()
	fresh := r.Eyes.Dice.fresh()
	if len(fresh) != 2 || !r.inRightHalf(fresh, next) {
		return
	}
	if r.Breach.Spoken && min(fresh[0].First, fresh[1].First) > r.Breach.At {
		// Objected to in time, so this throw is void (IRREG-4, S60).
		r.emit(Event{Type: RollInvalid, Side: &next, Why: "premature", Dice: seenNumbers(fresh[0], fresh[1])})
		fresh[0].Spent, fresh[1].Spent = true, true
		return
	}
	r.stand()
}

// stand closes the turn with the illegal play as it is (IRREG-6).
func (r *Referee) stand() {
	b := r.Breach
	r.settle(b.Ruling)
	r.rule("M13", r.Roll.Side, nil)
	r.resumeClock()
	r.record(&rules.Play{Final: b.Final}, false, 0.99)
	r.closeTurn(b.Final)
}

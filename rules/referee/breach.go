package referee

import (
	"math"
	"strconv"
	"strings"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/match"
)

// breached announces an illegal play; the correction window opens (IRREG-1, IRREG-4). When it is closed already, late,
// only the director hears of it.
func (r *Referee) breached(w *weighing, late bool) {
	if r.Breach != nil && r.Breach.Final == w.Literal {
		return
	}
	verdict := r.law.judge.Judge(r.base(), r.Roll.Side, r.Roll.Dice, &w.Literal, r.Match.Game.Excluded)
	if verdict.Legal {
		return
	}
	r.tellEnd()
	if r.Breach != nil {
		r.withdraw(r.Breach.Ruling)
	}
	body := r.playRuling(&verdict, w)
	if late && body.Audience == "table" {
		body.Audience = "director"
	}
	id := r.announce(body, &r.Roll.Side, w.guilt())
	r.Breach = &breach{Final: w.Literal, Ruling: id, Spoken: body.Audience == "table", At: r.Now}
	if verdict.Code != rules.Impossible {
		r.Current = w.Literal // what can be shown
	}
	if !late {
		r.Eyes.Dice.spend(r.spentBefore())
	}
	if r.Breach.Spoken && !r.pausedForRuling() {
		r.pauseClock(clock.Ruling)
	}
	r.enter(phaseEnded)
}

// playRuling returns the announcement of an illegal play. A press before anything was played is one before the play was
// complete (K3); it is treated as the play it would be.
func (r *Referee) playRuling(v *rules.Verdict, w *weighing) RulingBody {
	body := r.ruling(string(v.Code), r.playParams(v))
	if v.Code == rules.TooFew && r.Ended.By == "press" && w.Literal == *r.base() {
		early := r.ruling("K3", nil)
		early.As, early.Remedy = body.Code, body.Remedy
		body, v.Rules = early, append(early.Rules, v.Rules...)
	}
	body.Rules, body.Nearest = v.Rules, notations(v.Nearest)
	return body
}

// playParams returns what fills the texts of the rulings on plays.
func (r *Referee) playParams(v *rules.Verdict) map[string]string {
	params := map[string]string{}
	switch v.Code {
	case "M3", "M12":
		params["a"], params["b"] = strconv.Itoa(int(r.Roll.Dice[0])), strconv.Itoa(int(r.Roll.Dice[1]))
	case "M7":
		points := make([]string, len(v.Points))
		for i, p := range v.Points {
			points[i] = strconv.Itoa(int(p))
		}
		params["points"] = strings.Join(points, ", ")
	case "M9":
		if v.Impossible != nil {
			params["n"], params["m"] = strconv.Itoa(v.Impossible.Active[rules.Light]), strconv.Itoa(v.Impossible.Active[rules.Dark])
		}
	}
	return params
}

func notations(plays []rules.Play) []string {
	var texts []string
	for i := range plays {
		texts = append(texts, plays[i].String())
	}
	return texts
}

// guilt returns how probable it is that no legal play led to what is seen.
func (w *weighing) guilt() float64 { return round(1 / (1 + math.Exp(w.Legal.Score-w.Literly))) }

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
	if r.doubleAccepts() {
		r.stand()
		r.stepCube()
		return
	}
	fresh := r.Eyes.Dice.fresh()
	if len(fresh) == 1 && !r.Breach.Spoken && r.nextThrew(fresh[0]) {
		r.stand()
	}
	if len(fresh) < 2 {
		return
	}
	next, first := r.Roll.Side.Other(), min(fresh[0].First, fresh[1].First)
	switch {
	case r.inRightHalf(fresh[:2], r.Roll.Side):
		if r.Breach.Voided && first > r.Breach.At {
			r.resume(r.Roll.Side) // the players have gone on
		}
	case !r.inRightHalf(fresh[:2], next):
	case !r.Breach.Spoken || first <= r.Breach.At:
		if r.closesWindow(fresh[:2], next) && !r.overlooked() {
			r.stand()
		}
	case r.Breach.Voided:
		if !r.overlooked() {
			r.resume(next)
		}
	default:
		// Objected to in time, so this throw is void (IRREG-4, S60).
		r.emit(Event{Type: RollInvalid, Side: &next, Why: "premature", Dice: seenNumbers(fresh[0], fresh[1])})
		fresh[0].Spent, fresh[1].Spent = true, true
		r.Breach.Voided = true
	}
}

// nextThrew tells whether a die that lies alone is certainly one of the next player's throw, of which the other cannot be
// seen, after an illegal play of which the players know nothing and that lies there still.
func (r *Referee) nextThrew(x *die) bool {
	return r.loneOfNext(x, r.Breach.At) && r.Eyes.View.wrong(&r.Breach.Final) <= 1 && r.Match.Options.CorrectUntil != match.UntilValidRoll
}

// loneOfNext tells whether a die that lies alone was certainly thrown by the next player after t.
func (r *Referee) loneOfNext(x *die, t time.Duration) bool {
	next := r.Roll.Side.Other()
	owner, known := x.body()
	his := r.Settings.sets() == 1 || known && owner == next
	return his && x.half() == r.rightHalf(next) && x.First > t && x.Rest >= 2*faultPictures && x.real() >= certain &&
		x.Last-x.Still >= restFor
}

// overlooked goes on from the likeliest legal play when the players throw on from a position that the referee took for
// an impossible one: they know better how many checkers there are.
func (r *Referee) overlooked() bool {
	if r.Breach.Final.Check(r.Match.Game.Excluded) == nil {
		return false
	}
	w := r.weigh(&r.Eyes.View)
	if w.Wrong.count() > 1 {
		return false
	}
	r.resumeClock()
	r.acceptBest(&w)
	return true
}

// closesWindow tells whether the throw closes the correction window: any throw does, or only a valid one
// (moves.correct_until, IRREG-4).
func (r *Referee) closesWindow(thrown []*die, side rules.Side) bool {
	if r.Match.Options.CorrectUntil != match.UntilValidRoll {
		return true
	}
	for _, x := range thrown {
		if f := r.faultOf(x, nil, side); f.unsure || f.code != "" {
			return false
		}
	}
	return true
}

// doubleAccepts tells whether the next player has offered a double where that accepts the play before it (CUBE-18,
// moves.correct_until). Elsewhere the offer is void and may be made anew (IRREG-15).
func (r *Referee) doubleAccepts() bool {
	o := &r.Match.Options
	if o.Regime != match.OpponentOption && o.CorrectUntil != match.UntilThrowOrDouble {
		return false
	}
	return r.offered()
}

// stand closes the turn with the illegal play as it is (IRREG-6). What no board can show cannot be played on: it waits
// until it is settled (IRREG-11).
func (r *Referee) stand() {
	b := r.Breach
	if b == nil || b.Final.Check(r.Match.Game.Excluded) != nil {
		return
	}
	r.settle(b.Ruling)
	r.rule("M13", r.Roll.Side, nil)
	r.resumeClock()
	r.record(&rules.Play{Final: b.Final}, false, 0.99)
	r.closeTurn(b.Final)
}

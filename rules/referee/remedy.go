package referee

import (
	"slices"

	"davar/clock"
)

// The moments until which remedies hold (RULES §3, §4), as far as they pass by themselves.
var (
	untilRoll = []string{
		"lifted", "play_begun", "play_complete", "play_goes_on", "next_roll", "next_action", "answered", "at_once", "opening_play",
		"next_round",
	}
	untilPlayed = []string{"play_complete", "play_goes_on", "at_once"}
)

// lapse closes the open rulings whose deadline is one of these: play has gone on.
func (r *Referee) lapse(until []string) {
	r.Rulings = slices.DeleteFunc(r.Rulings, func(b RulingBody) bool { return slices.Contains(until, b.Until) })
}

// withdraw takes back an open ruling because the board was put right in time.
func (r *Referee) withdraw(id int64) {
	for i, body := range r.Rulings {
		if body.ID == id {
			r.Rulings = slices.Delete(r.Rulings, i, i+1)
			r.emit(Event{Type: RulingWithdrawn, Ruling: &body})
			return
		}
	}
}

// withdrawCode takes back an open ruling of that code.
func (r *Referee) withdrawCode(code string) {
	for i := range r.Rulings {
		if r.Rulings[i].Code == code {
			r.withdraw(r.Rulings[i].ID)
			return
		}
	}
}

// settle closes an open ruling that was acted upon or has lapsed.
func (r *Referee) settle(id int64) {
	r.Rulings = slices.DeleteFunc(r.Rulings, func(b RulingBody) bool { return b.ID == id })
}

// settleCodes closes the open rulings of these codes.
func (r *Referee) settleCodes(codes ...string) {
	r.Rulings = slices.DeleteFunc(r.Rulings, func(b RulingBody) bool { return slices.Contains(codes, b.Code) })
}

// halt stops the clocks for a ruling that stops play (severity B, CLOCK-9), if the players hear of it and time runs.
func (r *Referee) halt(body *RulingBody) {
	if body.Severity != "B" || body.Code == "K2" || body.Audience != "table" || r.clock == nil || r.clock.View(r.Now).Running == clock.Nobody {
		return
	}
	r.pauseClock(clock.Ruling)
	r.Halted = true
}

// goOn lets the clocks run again when everything that stopped play is settled.
func (r *Referee) goOn() {
	if !r.Halted || slices.ContainsFunc(r.Rulings, func(b RulingBody) bool { return b.Severity == "B" }) {
		return
	}
	r.Halted = false
	if r.pausedForRuling() {
		r.resumeClock()
	}
}

package referee

import (
	"slices"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/match"
)

var clockEvents = map[clock.Kind]string{
	clock.Started: ClockStarted, clock.Pressed: ClockPressed, clock.Stopped: ClockPaused, clock.Paused: ClockPaused,
	clock.Resumed: ClockResumed, clock.Flagged: ClockFlagged,
}

// tickClock lets a flag fall that is due.
func (r *Referee) tickClock() {
	if r.clock != nil {
		r.clockChanged(r.clock.Tick(r.Now))
	}
}

// clockChanged turns the clock's changes into events.
func (r *Referee) clockChanged(changes []clock.Change) {
	for i := range changes {
		c := &changes[i]
		e := ClockEvent(c, r.clockView())
		at := r.at
		r.at = c.At
		r.emit(e)
		r.at = at
		if c.Kind == clock.Flagged {
			r.flagged(rules.Side(c.Side))
		}
	}
}

// wrongClockFor is how long the clock may run for the wrong side after a roll before that is pointed out.
const wrongClockFor = 4 * time.Second

// watchClock points out that the other player's time runs, or nobody's, while a player moves (K1, CLOCK-14).
func (r *Referee) watchClock() {
	if r.clock == nil || r.Ended != nil || r.Fast != nil || len(r.Held) > 0 {
		return // a press that waits for the pictures before it has moved the clock already
	}
	v := r.clock.View(r.Now)
	if v.Running == clock.Side(r.Roll.Side) || v.Running == clock.Nobody && !slices.Contains(forgotten, v.Paused) {
		r.withdrawCode("K1")
		return
	}
	if v.Running == clock.Nobody && r.Roll.Opening && !r.Roll.Stated && r.partLifted() {
		r.Roll.Lies = r.Now
		return // they throw a die again
	}
	if r.starterInDoubt() {
		return
	}
	if r.Now-max(r.Roll.At, r.Roll.Lies) >= wrongClockFor && r.once("K1") {
		r.rule("K1", r.Roll.Side, nil)
	}
}

// forgotten are the reasons for which both clocks may stand that are over when a player has rolled and moves.
var forgotten = []clock.Reason{clock.Opening, clock.BetweenGames, clock.Break, clock.DieOffTable, clock.Undone, clock.Restarted}

// flagged announces that side's time has run out, and what it costs him (CLOCK-4, CLOCK-5): nothing yet where overtime
// can still be given.
func (r *Referee) flagged(side rules.Side) {
	r.rule("K2", side, map[string]string{"player": side.String()})
	if !r.clock.View(r.Now).Final || r.Match.Options.TimeLoss == match.TimeLosesNone || r.Phase == phaseOver || r.Phase == phaseMatch {
		return
	}
	if err := r.Match.LoseOnTime(side); err == nil {
		r.gameOver()
	}
}

// clockView returns what the clock shows now; nil without a clock.
func (r *Referee) clockView() *ClockView {
	if r.clock == nil {
		return nil
	}
	return ShowClock(r.clock.Still(), r.Now)
}

func (r *Referee) startClock(side rules.Side) {
	if r.clock != nil {
		changes, _ := r.clock.Start(r.Now, clock.Side(side))
		r.clockChanged(changes)
	}
}

func (r *Referee) stopClock(why clock.Reason) {
	if r.clock != nil {
		changes, _ := r.clock.Stop(r.Now, why)
		r.clockChanged(changes)
	}
}

func (r *Referee) pauseClock(why clock.Reason) {
	if r.clock != nil {
		limit := time.Duration(0)
		if why == clock.Break {
			limit = r.Settings.BreakMax
		}
		changes, _ := r.clock.Pause(r.Now, why, limit)
		r.clockChanged(changes)
	}
}

func (r *Referee) resumeClock() {
	if r.clock != nil && r.clock.View(r.Now).Paused != "" {
		changes, _ := r.clock.Resume(r.Now)
		r.clockChanged(changes)
	}
}

func (r *Referee) pausedForRuling() bool {
	return r.clock != nil && r.clock.View(r.Now).Paused == clock.Ruling
}

// undoPress gives the turn back to side, both reserves as they were when he pressed.
func (r *Referee) undoPress(side rules.Side, by, why string) {
	if r.clock == nil {
		return
	}
	changes, err := r.clock.Undo(r.Now, by, why)
	r.clockChanged(changes)
	if v := r.clock.View(r.Now); err == nil && v.OnMove == clock.Side(side) {
		r.resumeClock()
		return
	}
	r.startClock(side)
}

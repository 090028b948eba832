package transcript

import "davar/rules/referee"

// pace measures how long turns take, pauses not counted.
type pace struct {
	turn   int64 // t_ms at which the turn in progress began
	paused int64 // t_ms since which the clocks stand for a pause, -1 when they do not
	idle   int64 // ms of pauses in this turn
	began  bool
}

// follow notes pauses.
func (p *pace) follow(e *referee.Event) {
	switch e.Type {
	case referee.ClockPaused:
		if p.began && p.paused < 0 {
			p.paused = e.TMS
		}
	case referee.ClockResumed, referee.ClockStarted:
		p.resume(e.TMS)
	}
}

func (p *pace) resume(t int64) {
	if p.began && p.paused >= 0 {
		p.idle += max(0, t-max(p.paused, p.turn))
		p.paused = -1
	}
}

// begin starts the first turn of a game.
func (p *pace) begin(e *referee.Event) { *p = pace{turn: e.TMS, paused: -1, began: true} }

// since returns when the turn in progress began.
func (p *pace) since(now int64) int64 {
	if !p.began {
		return now
	}
	return p.turn
}

// close ends a turn with its event and begins the next one's.
func (p *pace) close(t *Turn, e *referee.Event) {
	if t.Ended == 0 {
		t.Ended = e.TMS
	}
	if p.paused >= 0 {
		p.resume(t.Ended)
	}
	t.Used = max(0, t.Ended-t.Began-p.idle)
	*p = pace{turn: t.Ended, paused: -1, began: true}
}

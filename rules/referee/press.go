package referee

import (
	"errors"
	"time"

	"davar/clock"
	"davar/rules/match"
)

// press takes a player's button: the clock at once, the turn as soon as all pictures taken before are in.
func (r *Referee) press(p heldPress) {
	if r.Away != nil {
		r.Away.Here[p.Side&1] = true
		if r.clock != nil && r.clock.View(r.Now).Paused == clock.Break {
			return // he shows that he is back
		}
	}
	if r.Halted && r.Breach == nil {
		r.Halted = false // the players have gone on
		r.resumeClock()
	}
	if r.clock != nil {
		// The edge's own time counts, even if a later picture was handled before it.
		changes, err := r.clock.Press(p.At, clock.Side(p.Side))
		if errors.Is(err, clock.ErrStale) {
			changes, err = r.clock.Press(r.Now, clock.Side(p.Side))
		}
		r.clockChanged(changes)
		if err == nil {
			r.Pressed = p
		}
		if errors.Is(err, clock.ErrNotOnMove) && !r.Lost { // whose time runs is then only what was thought likely
			r.rule("K4", p.Side, nil)
		}
		if err != nil && !r.pausedForRuling() {
			return
		}
	}
	r.Held = append(r.Held, p)
}

// releasePresses lets the presses before t act on the turn.
func (r *Referee) releasePresses(t time.Duration) {
	for len(r.Held) > 0 && r.Held[0].At < t {
		p := r.Held[0]
		r.Held = r.Held[1:]
		r.actOnPress(p)
	}
	if len(r.Held) == 0 {
		r.Held = nil
	}
}

// actOnPress ends a turn or answers a double (CLOCK-3, CLOCK-8).
func (r *Referee) actOnPress(p heldPress) {
	g := &r.Match.Game
	switch r.Phase {
	case phaseAwait:
		switch {
		case g.Phase == match.AwaitAnswer && p.Side != g.Offer.By:
			r.answeredByPress(p.Side)
		case g.Phase == match.AwaitRoll && p.Side == g.Turn && g.Position.ClosedOut(p.Side):
			r.forfeit()
		case g.Phase == match.AwaitRoll && p.Side == g.Turn && r.Blind == nil:
			r.Blind = &ending{At: p.At, By: "press"}
		}
	case phaseRolled:
		x := r.Roll
		switch {
		case r.Ended != nil:
			r.Ended.Passed = r.Ended.Passed || p.Side != x.Side
		case !r.Settings.timed():
		case x.Opening:
			r.openingPress(p)
		case p.Side == x.Side:
			r.endTurn(p.At, "press")
		}
	case phaseEnded:
		if p.Side == r.Roll.Side {
			r.pressedAgain()
		}
	}
}

// pressedAgain ends the turn anew after the player has put an illegal play right.
func (r *Referee) pressedAgain() {
	if w := r.weigh(&r.Eyes.View); r.Eyes.View.Pictures >= leastPictures && w.legal() {
		r.resumeClock()
		r.accept(&w.Legal.Play, w.confidence())
	}
}

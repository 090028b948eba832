package timekeeper

import (
	"errors"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
)

// decide takes a person's word (DIR-5): it is logged and takes effect, or is refused and changes nothing.
func (k *Timekeeper) decide(d *referee.Decision) {
	side := d.Side
	e := referee.Event{Type: referee.DecisionMade, What: d.What, By: d.By, Side: &side, Why: d.Why, Points: d.Points, Score: d.Score, Transaction: d.Transaction}
	said, seq := len(k.out), k.Seq
	k.emit(e)
	if err := k.carryOut(d); err != nil {
		k.out, k.Seq = k.out[:said], seq
		e.Type, e.Refusal = referee.DecisionRefused, err.Error()
		k.emit(e)
	}
}

// carryOut does what was decided. On an error nothing has been changed.
func (k *Timekeeper) carryOut(d *referee.Decision) error {
	if d.Side > rules.Dark {
		return errors.New("there is no such side")
	}
	side := clock.Side(d.Side)
	switch d.What {
	case referee.DecideStart:
		return k.done(k.clock.Start(k.Now, side))
	case referee.DecidePause:
		return k.pause(d.Why)
	case referee.DecideResume:
		return k.done(k.clock.Resume(k.Now))
	case referee.DecideUndo, referee.DecideReplay:
		return k.undo(d)
	case referee.DecideAdjust:
		return k.done(k.clock.Adjust(k.Now, side, time.Duration(d.RemainingMS)*time.Millisecond, d.By, d.Why))
	case referee.DecideOvertime:
		return k.done(k.clock.GrantOvertime(k.Now, d.By))
	case referee.DecideForfeit:
		return k.done(k.clock.ForfeitDelay(k.Now, side, d.By, d.Why))
	case referee.DecideDouble, referee.DecideTake, referee.DecideDrop, referee.DecideCube:
		return k.cube(d)
	case referee.DecideResign:
		return k.result(d)
	case referee.DecideScore:
		return k.setScore(d.Score)
	case referee.DecideNext:
		return k.next()
	}
	return errors.New("that needs a camera on the board; here only time, cube and score are kept")
}

// done tells what the clock did, or hands on why it refused.
func (k *Timekeeper) done(changes []clock.Change, err error) error {
	k.changed(changes)
	return err
}

// breakMax is how long a break may last (break.max, PROC-2).
const breakMax = 10 * time.Minute

// pause stops the clocks; a break is had once a match, between games (PROC-2).
func (k *Timekeeper) pause(why string) error {
	reason, limit := clock.Director, time.Duration(0)
	switch r := clock.Reason(why); r {
	case clock.Ruling, clock.DieOffTable, clock.Resignation, clock.Agreed, clock.Fault:
		reason = r
	case clock.Break:
		if k.Match.Game.Phase != match.GameOver || k.Breaks > 0 {
			return errors.New("a break is taken once a match, between games (PROC-2)")
		}
		reason, limit = r, breakMax
	}
	if err := k.done(k.clock.Pause(k.Now, reason, limit)); err != nil {
		return err
	}
	if reason == clock.Break {
		k.Breaks++
	}
	return nil
}

// undo takes the last press back; its player's turn goes on at once.
func (k *Timekeeper) undo(d *referee.Decision) error {
	if k.Match.Game.Phase >= match.GameOver {
		return errors.New("the game is over")
	}
	if err := k.done(k.clock.Undo(k.Now, d.By, d.Why)); err != nil {
		return err
	}
	if v := k.clock.View(k.Now); v.Paused == clock.Undone {
		return k.done(k.clock.Resume(k.Now))
	}
	return nil
}

// cube takes what is done with the cube. The clock is the players': a double and a take are pressed (CLOCK-8), a drop
// stops it.
func (k *Timekeeper) cube(d *referee.Decision) error {
	m, side := &k.Match, d.Side
	switch d.What {
	case referee.DecideDouble:
		if err := m.Double(side); err != nil {
			return err
		}
		k.emit(referee.Event{Type: referee.CubeOffered, Side: &side, Cube: m.Game.Offer.Value})
	case referee.DecideTake:
		if err := m.Take(side); err != nil {
			return err
		}
		k.emit(referee.Event{Type: referee.CubeTaken, Side: &side, Cube: m.Game.Cube.Value})
	case referee.DecideDrop:
		dropped, err := m.Drop(side)
		switch {
		case err != nil:
			return err
		case dropped:
			k.emit(referee.Event{Type: referee.CubeDropped, Side: &side})
			k.ended()
		default: // a drop that would lose the match is a take (CUBE-17)
			k.emit(referee.Event{Type: referee.CubeTaken, Side: &side, Cube: m.Game.Cube.Value})
		}
	default:
		c := match.Cube{Value: d.Cube}
		if d.Owner != nil {
			c.Owned, c.Owner = true, *d.Owner
		}
		return m.SetCube(c)
	}
	return nil
}

// result ends the game: side has lost it by a single, a gammon or a backgammon.
func (k *Timekeeper) result(d *referee.Decision) error {
	if err := k.Match.Award(d.Side.Other(), rules.Win(d.Points), match.BornOff); err != nil {
		return err
	}
	k.ended()
	return nil
}

func (k *Timekeeper) setScore(s *referee.Score) error {
	if s == nil {
		return errors.New("the score is missing")
	}
	return k.Match.SetScore([2]int{s.Light, s.Dark}, k.Match.CrawfordDone && !k.Match.Game.Crawford)
}

// next begins the next game: the clock stands for its opening roll.
func (k *Timekeeper) next() error {
	if err := k.Match.Next(); err != nil {
		return err
	}
	return k.done(k.clock.Stop(k.Now, clock.Opening))
}

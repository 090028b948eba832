package timekeeper

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"davar/clock"
	"davar/rules/match"
	"davar/rules/referee"
)

// Timekeeper keeps one match. It is not safe for concurrent use: one goroutine owns it.
type Timekeeper struct {
	keeping
	clock *clock.Clock
	out   []referee.Event // of the input being handled
	at    time.Duration   // the moment of what is being told
}

// keeping is all that a timekeeper knows beside the clock: plain data, so that a checkpoint of it is complete.
type keeping struct {
	Settings referee.Settings `json:"settings"`
	Now      time.Duration    `json:"now"`
	Seq      int64            `json:"seq"`
	Began    bool             `json:"began"`
	Match    match.Match      `json:"match"`
	Breaks   int              `json:"breaks"`            // taken in this match (PROC-2)
	Restart  *clock.Change    `json:"restart,omitempty"` // to be told with the next input
}

// New returns the timekeeper of a match before its first opening roll. Of the settings it heeds match, players, length,
// score, cube, Crawford, options and clock, which must be set. It is an error when they contradict each other.
func New(s referee.Settings) (*Timekeeper, error) {
	if s.Clock == nil {
		return nil, errors.New("timekeeper: new match: no time control is set")
	}
	reserve, err := s.Clock.Reserve(s.Length, s.Score.Light+s.Score.Dark)
	if err != nil {
		return nil, fmt.Errorf("timekeeper: new match: %w", err)
	}
	c, err := clock.New(*s.Clock, [2]time.Duration{reserve, reserve}, 0)
	if err != nil {
		return nil, fmt.Errorf("timekeeper: new match: %w", err)
	}
	options := s.Options
	options.Cube, options.Crawford = s.Cube, s.Crawford
	m, err := match.New(s.Length, options)
	if err == nil {
		err = m.SetScore([2]int{s.Score.Light, s.Score.Dark}, s.CrawfordDone)
	}
	if err != nil {
		return nil, fmt.Errorf("timekeeper: new match: %w", err)
	}
	return &Timekeeper{keeping: keeping{Settings: s, Match: m}, clock: c}, nil
}

// Handle takes the next input and returns what follows from it, oldest first; nil when nothing does. A sighting is a
// tick.
func (k *Timekeeper) Handle(in referee.Input) []referee.Event {
	k.out, k.at = nil, in.T
	k.Now = max(k.Now, in.T)
	if !k.Began {
		k.Began = true
		k.emit(referee.Event{Type: referee.MatchStarted})
	}
	if k.Restart != nil {
		k.tell(*k.Restart)
		k.Restart = nil
	}
	k.changed(k.clock.Tick(k.Now))
	switch {
	case in.Press != nil:
		k.press(in.T, clock.Side(in.Press.Side))
	case in.Decision != nil:
		k.decide(in.Decision)
	}
	return k.out
}

// press takes a player's button at the moment of its edge.
func (k *Timekeeper) press(at time.Duration, side clock.Side) {
	changes, err := k.clock.Press(at, side)
	if errors.Is(err, clock.ErrStale) {
		changes, _ = k.clock.Press(k.Now, side)
	}
	k.changed(changes)
}

func (k *Timekeeper) emit(e referee.Event) {
	k.Seq++
	e.Seq, e.Match, e.Game, e.TMS = k.Seq, k.Settings.Match, k.Match.Game.Number, k.at.Milliseconds()
	k.out = append(k.out, e)
}

func (k *Timekeeper) tell(c clock.Change) {
	at := k.at
	k.at = c.At
	k.emit(referee.ClockEvent(&c, referee.ShowClock(k.clock.Still(), k.Now)))
	k.at = at
}

// changed tells what happened to the clock and lets the match follow.
func (k *Timekeeper) changed(changes []clock.Change) {
	for _, c := range changes {
		k.tell(c)
		switch c.Kind {
		case clock.Started, clock.Pressed, clock.TakenBack:
			k.passTurn(c)
		case clock.Flagged:
			k.flagged(c.Side)
		}
	}
}

// Clock returns the clock as it stands after the last input; it is always there.
func (k *Timekeeper) Clock() (clock.Still, bool) { return k.clock.Still(), true }

// checkpoint is the JSON form of a timekeeper.
type checkpoint struct {
	Version int              `json:"timekeeper"`
	Keeping keeping          `json:"keeping"`
	Clock   clock.Checkpoint `json:"clock"`
}

const checkpointVersion = 1

// Checkpoint returns the whole inner state as JSON.
func (k *Timekeeper) Checkpoint() ([]byte, error) {
	text, err := json.Marshal(checkpoint{checkpointVersion, k.keeping, k.clock.Checkpoint(k.Now)})
	if err != nil {
		return nil, fmt.Errorf("timekeeper: write a checkpoint: %w", err)
	}
	return text, nil
}

// Interval is how much of a running side's time may be missing after a restart: checkpoints must be written at least
// that often.
const Interval = time.Second

// Restore returns the timekeeper that Checkpoint described, after a power cut: a clock that ran is paused (reason
// "restart") with the time it had then. It is an error when the text is a referee's, or contradicts itself.
func Restore(text []byte) (*Timekeeper, error) {
	var cp checkpoint
	if err := json.Unmarshal(text, &cp); err != nil {
		return nil, fmt.Errorf("timekeeper: restore a match: %w", err)
	}
	if cp.Version != checkpointVersion {
		return nil, errors.New("timekeeper: restore a match: it was not kept by a timekeeper of this version")
	}
	c, changes, err := clock.Restart(cp.Clock, max(cp.Clock.AsOf, cp.Keeping.Now), Interval)
	if err != nil {
		return nil, fmt.Errorf("timekeeper: restore a match: %w", err)
	}
	k := &Timekeeper{keeping: cp.Keeping, clock: c}
	if last := changes[len(changes)-1]; last.Missing > 0 {
		last.Kind = clock.Paused
		k.Restart = &last
	}
	return k, nil
}

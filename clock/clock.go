package clock

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// What a call can be refused for. Errors carry the call in their text; test with errors.Is.
var (
	ErrStale     = errors.New("it happened before the clock's last change")
	ErrNotOnMove = errors.New("it is the other side's turn")
	ErrStanding  = errors.New("the clock stands")
	ErrRunning   = errors.New("the clock runs")
	ErrFlagged   = errors.New("a flag has fallen; the director decides")
	ErrNobody    = errors.New("nobody is on move; start a side instead")
	ErrNothing   = errors.New("there is nothing to take back in this game")
	ErrArgument  = errors.New("it is not possible")
)

// Grace is how long after a flag's moment a shell should wait before its Tick, so that the edge of a button
// pressed just in time, stamped but still on its way, is heard first.
const Grace = 30 * time.Millisecond

// Clock is one table's clock. Use New, Restore or Restart. It is not safe for concurrent use: one goroutine
// owns it.
type Clock struct {
	control Control
	now     moment
	past    []moment // before each start, press and stop of this game, oldest first
}

// New returns a clock on which light and dark have the given reserves, standing for the opening roll from
// moment at. It is an error when the control is not valid or a reserve not above zero.
func New(control Control, reserve [2]time.Duration, at time.Duration) (*Clock, error) {
	if err := control.Validate(); err != nil {
		return nil, err
	}
	for _, r := range reserve {
		if r <= 0 || r > longest {
			return nil, fmt.Errorf("clock: new: reserve %v is not between 0 and %v", r, longest)
		}
	}
	if at < 0 || at > longest {
		return nil, fmt.Errorf("clock: new: moment %v is not between 0 and %v", at, longest)
	}
	c := &Clock{control: control}
	c.now = moment{At: at, Reserve: reserve, OnMove: Nobody, First: Nobody, Turn: Turn{Side: Nobody}}
	c.now.halt(Opening, 0)
	return c, nil
}

// Control returns the time control in force.
func (c *Clock) Control() Control { return c.control }

// Press is side's button going down at the moment of its edge. From side on move it ends his turn, after play,
// double or take alike (CLOCK-3, CLOCK-8). While the clock stands for the opening roll it starts the other side:
// the player of the lower die presses. Any other press is refused with ErrNotOnMove, ErrStanding, ErrFlagged or,
// when older than the last change, ErrStale.
func (c *Clock) Press(at time.Duration, side Side) ([]Change, error) {
	changes, err := c.reach("press", at, side)
	if err != nil {
		return changes, err
	}
	switch {
	case c.now.Stop.Reason == Opening:
		c.settle(at)
		return append(changes, c.startSide(side.Other())), nil
	case c.frozen():
		return changes, refuse("press", ErrFlagged)
	case !c.now.Running:
		return changes, refuse("press", ErrStanding)
	case c.now.OnMove != side:
		return changes, refuse("press", ErrNotOnMove)
	}
	c.settle(at)
	c.remember()
	before := c.now.remaining()
	turn := c.now.end(&c.control)
	c.now.begin(&c.control, side.Other())
	return append(changes, c.change(Pressed, side, before, func(ch *Change) { ch.Turn = &turn })), nil
}

// Start lets side's time run from at with a fresh delay, whoever was on move: after an opening roll that was
// not pressed, or by the director's word. It is refused with ErrRunning when side's time already runs and with
// ErrFlagged after a flag.
func (c *Clock) Start(at time.Duration, side Side) ([]Change, error) {
	changes, err := c.reach("start", at, side)
	if err != nil {
		return changes, err
	}
	if c.frozen() {
		return changes, refuse("start", ErrFlagged)
	}
	if c.now.Running && c.now.OnMove == side {
		return changes, refuse("start", ErrRunning)
	}
	c.settle(at)
	return append(changes, c.startSide(side)), nil
}

func (c *Clock) startSide(side Side) Change {
	if c.now.OnMove == Nobody {
		c.past = c.past[:0] // a new game: what lies before cannot be taken back by a press
	}
	c.remember()
	before := c.now.remaining()
	c.now.begin(&c.control, side)
	return c.change(Started, side, before, nil)
}

// Stop makes both sides stand with nobody on move: BetweenGames when a game has ended (also by a drop, CLOCK-8),
// MatchOver, or Opening when the next opening roll may be thrown. The open turn gets what its system grants.
// Other reasons, and Opening after a flag, are refused.
func (c *Clock) Stop(at time.Duration, why Reason) ([]Change, error) {
	changes, err := c.reach("stop", at, Light)
	if err != nil {
		return changes, err
	}
	if !slices.Contains(stopReasons, why) {
		return changes, fmt.Errorf("clock: stop: %q is none of %v: %w", why, stopReasons, ErrArgument)
	}
	if c.frozen() && why == Opening {
		return changes, refuse("stop", ErrFlagged)
	}
	c.settle(at)
	side, before := c.now.OnMove, c.now.remaining()
	if side != Nobody {
		c.remember()
		if !c.frozen() {
			c.now.end(&c.control)
		}
	}
	c.now.OnMove, c.now.Turn, c.now.Left = Nobody, Turn{Side: Nobody}, 0
	c.now.halt(why, 0)
	return append(changes, c.change(Stopped, side, before, nil)), nil
}

// Pause interrupts the game for a reason that may be given (CLOCK-9), for at most limit (0: no limit; PROC-2
// gives a break 10 minutes). The delay left is kept. A clock that already stands gets the new reason and limit.
// It is refused with ErrFlagged after a flag and with ErrArgument for a reason that is no pause.
func (c *Clock) Pause(at time.Duration, why Reason, limit time.Duration) ([]Change, error) {
	changes, err := c.reach("pause", at, Light)
	if err != nil {
		return changes, err
	}
	if !slices.Contains(pauseReasons, why) {
		return changes, fmt.Errorf("clock: pause: %q is none of %v: %w", why, pauseReasons, ErrArgument)
	}
	if limit < 0 || limit > longest {
		return changes, fmt.Errorf("clock: pause: a limit of %v: %w", limit, ErrArgument)
	}
	if c.frozen() {
		return changes, refuse("pause", ErrFlagged)
	}
	c.settle(at)
	c.now.halt(why, limit)
	return append(changes, c.change(Paused, c.now.OnMove, c.now.remaining(), nil)), nil
}

// Resume lets the interrupted turn go on with the delay it had left. After a pause between games, with nobody
// on move, the clock stands for the opening roll again. It is refused with ErrRunning, ErrFlagged, and with
// ErrNobody while the clock stands for the opening roll or a finished match.
func (c *Clock) Resume(at time.Duration) ([]Change, error) {
	changes, err := c.reach("resume", at, Light)
	if err != nil {
		return changes, err
	}
	switch {
	case c.now.Running:
		return changes, refuse("resume", ErrRunning)
	case c.frozen():
		return changes, refuse("resume", ErrFlagged)
	case c.now.Stop.Reason == Opening, c.now.Stop.Reason == MatchOver:
		return changes, refuse("resume", ErrNobody)
	}
	c.settle(at)
	if c.now.OnMove == Nobody {
		c.now.halt(Opening, 0)
	} else {
		c.now.Running, c.now.Stop = true, stop{}
	}
	return append(changes, c.change(Resumed, c.now.OnMove, c.now.remaining(), nil)), nil
}

// Tick says that time has come to at and returns what that alone did: a flag that has fallen, a pause that has
// lasted too long. Ticks may come as often and as seldom as one likes, in any order; nothing else depends on
// them. A tick that brings a flag moves the clock to the flag's moment only, so that a press stamped between
// that and the tick is still taken for what it is.
func (c *Clock) Tick(at time.Duration) []Change {
	var changes []Change
	for due, ok := c.Due(); ok && due <= min(at, longest); due, ok = c.Due() {
		side, kind := c.now.OnMove, LimitPassed
		if c.now.Running {
			kind = Flagged
		} else {
			c.now.Stop.Told = true
		}
		c.settle(due)
		changes = append(changes, c.change(kind, side, c.now.remaining(), nil))
	}
	return changes
}

// reach checks a call's moment and side and reports what fell due before it. The clock itself moves to the moment
// only by settle, once the call is known to be allowed: a refused press must not make an earlier one stale that
// is still on its way.
func (c *Clock) reach(call string, at time.Duration, side Side) ([]Change, error) {
	switch {
	case at < c.now.At:
		return nil, fmt.Errorf("clock: %s at %v: %w (%v)", call, at, ErrStale, c.now.At)
	case at > longest:
		return nil, fmt.Errorf("clock: %s at %v: %w", call, at, ErrArgument)
	case side > Dark:
		return nil, fmt.Errorf("clock: %s: side %d: %w", call, uint8(side), ErrArgument)
	}
	return c.Tick(at), nil
}

// settle moves the clock to at, before which nothing falls due.
func (c *Clock) settle(at time.Duration) { c.now.advance(&c.control, at) }

func (c *Clock) change(kind Kind, side Side, before [2]time.Duration, more func(*Change)) Change {
	ch := Change{Kind: kind, At: c.now.At, Side: side, Reason: c.now.Stop.Reason, Before: before, After: c.now.remaining()}
	if more != nil {
		more(&ch)
	}
	return ch
}

// frozen says whether a fallen flag keeps both sides from running.
func (c *Clock) frozen() bool { return c.now.First != Nobody && !c.control.Mechanical }

func (c *Clock) remember() { c.past = append(c.past, c.now) }

func refuse(call string, why error) error { return fmt.Errorf("clock: %s: %w", call, why) }

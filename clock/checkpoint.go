package clock

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Checkpoint is everything a clock knows, for JSON. Times are exact nanoseconds. As long as nothing changes only
// AsOf moves: a shell that made a checkpoint durable at the last change need only store a newer AsOf every second.
type Checkpoint struct {
	Version int           `json:"v"`
	AsOf    time.Duration `json:"as_of_ns"` // moment up to which it is known that nothing else happened
	Control Control       `json:"control"`
	Now     moment        `json:"now"`
	Past    []moment      `json:"past,omitempty"`
}

const checkpointVersion = 1

// Checkpoint returns the clock's state, to be made durable at each change and, while a side runs, at least every
// second; at is the moment of writing and bounds what a power cut can lose. It shares no memory with the clock.
func (c *Clock) Checkpoint(at time.Duration) Checkpoint {
	return Checkpoint{Version: checkpointVersion, AsOf: max(at, c.now.At), Control: c.control,
		Now: c.now, Past: slices.Clone(c.past)}
}

// Restore returns the clock exactly as it was: given the same later calls it does the same. Use it where nothing
// was lost, as when a recording is refereed again. It is an error when the checkpoint contradicts itself.
func Restore(cp Checkpoint) (*Clock, error) {
	if err := cp.validate(); err != nil {
		return nil, err
	}
	return &Clock{control: cp.Control, now: cp.Now, past: slices.Clone(cp.Past)}, nil
}

// Restart returns the clock after a power cut: a side that was running has the time it had at the checkpoint's
// AsOf and stands there (reason Restarted); all that passed from then to at is nobody's. interval is how often
// checkpoints were made durable: at most that much of the running side's time is missing, which the change and
// View say. It is an error when the checkpoint contradicts itself or at lies before it.
func Restart(cp Checkpoint, at, interval time.Duration) (*Clock, []Change, error) {
	c, err := Restore(cp)
	if err != nil {
		return nil, nil, err
	}
	if at < cp.AsOf || at > longest {
		return nil, nil, fmt.Errorf("clock: restart at %v: the checkpoint was written at %v: %w", at, cp.AsOf, ErrStale)
	}
	changes := c.Tick(cp.AsOf)
	c.settle(cp.AsOf)
	missing := time.Duration(0)
	if c.now.Running {
		missing = max(interval, 0)
		c.now.halt(Restarted, 0)
		c.now.Stop.Missing = missing
	}
	changes = append(changes, c.Tick(at)...)
	c.settle(at)
	return c, append(changes, c.change(PowerRestored, c.now.OnMove, c.now.remaining(), func(ch *Change) {
		ch.Missing = missing
	})), nil
}

func (cp *Checkpoint) validate() error {
	if cp.Version != checkpointVersion {
		return fmt.Errorf("clock: restore: a checkpoint of version %d, not %d", cp.Version, checkpointVersion)
	}
	if err := cp.Control.Validate(); err != nil {
		return fmt.Errorf("clock: restore: %w", err)
	}
	if cp.AsOf < cp.Now.At || cp.AsOf > longest {
		return fmt.Errorf("clock: restore: changed at %v and written at %v cannot be", cp.Now.At, cp.AsOf)
	}
	var last time.Duration
	for i := range cp.Past {
		if err := cp.Past[i].validate(&cp.Control, last); err != nil {
			return fmt.Errorf("clock: restore: turn %d: %w", i+1, err)
		}
		last = cp.Past[i].At
	}
	if err := cp.Now.validate(&cp.Control, last); err != nil {
		return fmt.Errorf("clock: restore: %w", err)
	}
	return nil
}

// validate checks what the arithmetic relies on; notBefore is the moment before this one.
func (m *moment) validate(c *Control, notBefore time.Duration) error {
	switch {
	case m.At < notBefore || m.At > longest:
		return fmt.Errorf("moment %v comes before %v", m.At, notBefore)
	case m.OnMove > Nobody || m.First > Nobody:
		return errors.New("a side is neither light nor dark")
	case m.Running && (m.OnMove == Nobody || m.Stop != stop{}):
		return errors.New("it runs and stands")
	case !m.Running && !m.Stop.Reason.known():
		return fmt.Errorf("it stands for the unknown reason %q", m.Stop.Reason)
	case m.Left < 0 || m.Left > c.Delay:
		return fmt.Errorf("%v is left of a delay of %v", m.Left, c.Delay)
	case m.Stop.Limit < 0 || m.Stop.Limit > longest || m.Stop.Since < 0 || m.Stop.Since > m.At:
		return errors.New("the pause has no possible limit or start")
	case (m.First == Nobody) != (m.Fallen == [2]bool{}) || m.First != Nobody && !m.Fallen[m.First]:
		return errors.New("the flags contradict each other")
	case m.Running && m.First != Nobody && !c.Mechanical:
		return errors.New("it runs after a flag")
	}
	for s, r := range m.Reserve {
		if r < -longest || r > longest || r <= 0 && !m.Fallen[s] {
			return fmt.Errorf("%s has a reserve of %v and no flag", Side(s), r)
		}
	}
	return nil
}

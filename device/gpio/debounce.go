package gpio

import "time"

// Limits of a Debouncer.
const (
	// LockOut is how long after a contact opens or closes its bounces are ignored. Good buttons bounce for less
	// than 8 ms; a hand needs more than 60 ms to press one twice.
	LockOut = 30 * time.Millisecond
	// StuckAfter is how long a button may be down before it is reported as stuck.
	StuckAfter = 10 * time.Second
	// Confirm is how long a level must contradict the edges before it is believed: a loaded kernel shows a level
	// some milliseconds before it hands over the edge that brought it, and the edge knows the time better.
	Confirm = 100 * time.Millisecond
	// ChatterEdges is how many edges in a second may be ignored before the button is reported.
	ChatterEdges = 60
)

// Debouncer turns the edges of one button into presses. It is a pure state machine: time comes with each call
// and must not run backwards. The first edge of a press counts, at its own time; what follows within the
// lock-out is bounce. The button must be seen released, and quiet for another lock-out, before it can be
// pressed again. Edges can be lost: after each lock-out, and now and then, the driver reads the level and tells it
// to Level, which finds the presses and releases that no edge told of.
//
// The zero value is not usable; start from NewDebouncer.
type Debouncer struct {
	button  Button
	lockOut time.Duration
	state   contact
	until   time.Time // end of the lock-out
	since   time.Time // of being down
	hint    bool      // level after the last edge: true = down
	stuck   bool      // reported
	doubt   time.Time // when the level began to contradict the edges; zero: it does not
	window  time.Time // start of the second in which ignored edges are counted
	ignored int
	chatter bool // reported, and not quiet for a second since
}

// contact is what a Debouncer believes of its button.
type contact uint8

const (
	up       contact = iota // released and quiet: the next edge down is a press
	pressed                 // within the lock-out after a press
	held                    // down
	released                // within the lock-out after a release
)

// NewDebouncer returns the debouncer of a button that is down or not at moment at. A button that is down is not
// pressed by that: it counts once it has been released.
func NewDebouncer(b Button, lockOut time.Duration, at time.Time, down bool) *Debouncer {
	d := &Debouncer{button: b, lockOut: lockOut, since: at}
	if down {
		d.state, d.hint = held, true
	}
	return d
}

// Edge takes an edge to down or up, read at moment at.
func (d *Debouncer) Edge(at time.Time, down bool) []Event {
	d.settle(at)
	d.hint, d.doubt = down, time.Time{}
	switch {
	case d.state == up && down:
		return d.press(at, false)
	case d.state == held && !down:
		return d.release(at)
	case d.state == released:
		d.until = at.Add(d.lockOut)
	}
	return d.ignore(at)
}

// Level takes the level read at moment at, when no edge was waiting to be read.
func (d *Debouncer) Level(at time.Time, down bool) []Event {
	d.settle(at)
	if is := d.state == pressed || d.state == held; is == down {
		d.doubt = time.Time{}
		if d.state == held && !d.stuck && at.Sub(d.since) >= StuckAfter {
			d.stuck = true
			return []Event{{Kind: Stuck, Button: d.button, At: at}}
		}
		return nil
	}
	if d.state == pressed || d.state == released {
		return nil // asked again when the lock-out is over
	}
	if d.doubt.IsZero() {
		d.doubt = at
	}
	if at.Sub(d.doubt) < Confirm {
		return nil
	}
	since := d.doubt
	d.hint, d.doubt = down, time.Time{}
	if down {
		return d.press(since, true)
	}
	return d.release(since)
}

// Due returns when Level is next wanted; false when edges alone suffice.
func (d *Debouncer) Due() (time.Time, bool) {
	switch {
	case !d.doubt.IsZero():
		return d.doubt.Add(Confirm), true
	case d.state == pressed || d.state == released:
		return d.until, true
	case d.state == held && !d.stuck:
		return d.since.Add(StuckAfter), true
	}
	return time.Time{}, false
}

// settle ends a lock-out that is over at moment at, by the level last heard of.
func (d *Debouncer) settle(at time.Time) {
	if d.state == pressed && !at.Before(d.until) {
		d.state = held
		if !d.hint { // a tap shorter than the lock-out
			d.state, d.until = released, d.until.Add(d.lockOut)
		}
	}
	if d.state == released && !at.Before(d.until) {
		d.state = up
		if d.hint {
			d.state = held // it was a break in the contact, not a release
		}
	}
}

func (d *Debouncer) press(at time.Time, late bool) []Event {
	d.state, d.since, d.until = pressed, at, at.Add(d.lockOut)
	return []Event{{Kind: Press, Button: d.button, At: at, Late: late}}
}

func (d *Debouncer) release(at time.Time) []Event {
	d.state, d.until = released, at.Add(d.lockOut)
	if d.stuck {
		d.stuck = false
		return []Event{{Kind: Freed, Button: d.button, At: at}}
	}
	return nil
}

// ignore counts an edge that means nothing, and reports a button that makes too many of them once.
func (d *Debouncer) ignore(at time.Time) []Event {
	if at.Sub(d.window) >= time.Second {
		busy := d.ignored > ChatterEdges && at.Sub(d.window) < 2*time.Second
		d.chatter = d.chatter && busy
		d.window, d.ignored = at, 0
	}
	d.ignored++
	if d.ignored <= ChatterEdges || d.chatter {
		return nil
	}
	d.chatter = true
	return []Event{{Kind: Chatter, Button: d.button, At: at}}
}

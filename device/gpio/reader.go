package gpio

import (
	"context"
	"time"
)

// poll is how often the levels are read when no edge comes, so that a lost edge costs no press, and how long a
// done context can go unnoticed. It must be positive: for periph -1 returns at once and 0 never.
const poll = 250 * time.Millisecond

// Between attempts to bring lines back that failed, doubled each time. periph writes a line for each chip that it may not
// open at each of them.
const (
	retryMin = time.Second
	retryMax = 15 * time.Second
)

// lines is a set of button lines as hardware gives them, levels already turned into down and up.
type lines interface {
	// wait waits for the next edge, at most timeout, which is positive; none in time is ok = false.
	wait(timeout time.Duration) (e edge, ok bool, err error)
	// down reads all levels now.
	down() ([buttons]bool, error)
	// reopen tries to bring lines back that failed.
	reopen() error
	// now is the time the edges are stamped with.
	now() time.Time
}

// edge is one change of one line.
type edge struct {
	button Button
	down   bool
	at     time.Time
}

// reader turns the edges of lines into events. It implements Buttons.
type reader struct {
	in      lines
	lockOut time.Duration
	each    [buttons]*Debouncer
	queue   []Event
	lost    bool
	again   time.Duration // until the next attempt while they are lost
}

func newReader(in lines, lockOut time.Duration) (*reader, error) {
	r := &reader{in: in, lockOut: lockOut}
	return r, r.begin()
}

// newLostReader returns a reader of lines that could not be taken so far.
func newLostReader(in lines, lockOut time.Duration, why error) *reader {
	r := &reader{in: in, lockOut: lockOut}
	r.lose(why)
	return r
}

// lose tells that the lines fail.
func (r *reader) lose(why error) {
	r.lost, r.again = true, retryMin
	r.queue = append(r.queue, Event{Kind: Lost, Button: AllButtons, At: r.in.now(), Err: why})
}

// begin forgets what was and starts from the levels of now.
func (r *reader) begin() error {
	down, err := r.in.down()
	if err != nil {
		return err
	}
	for b := range r.each {
		r.each[b] = NewDebouncer(Button(b), r.lockOut, r.in.now(), down[b])
	}
	return nil
}

// Next implements Buttons.
func (r *reader) Next(ctx context.Context) (Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Event{}, err
		}
		if len(r.queue) > 0 {
			e := r.queue[0]
			r.queue = r.queue[1:]
			return e, nil
		}
		if r.lost {
			r.retry(ctx)
		} else if err := r.read(); err != nil {
			r.lose(err)
		}
	}
}

// read waits for one edge or for the next moment at which a level has to be read. Levels are read only when no
// edge is waiting: then they are what came of all edges before.
func (r *reader) read() error {
	now := r.in.now()
	timeout := poll
	for _, d := range r.each {
		if due, ok := d.Due(); ok {
			timeout = min(timeout, due.Sub(now))
		}
	}
	e, ok, err := r.in.wait(max(timeout, time.Millisecond))
	if err != nil {
		return err
	}
	if ok {
		r.queue = append(r.queue, r.each[e.button].Edge(e.at, e.down)...)
		return nil
	}
	down, err := r.in.down()
	if err != nil {
		return err
	}
	now = r.in.now()
	for b, d := range r.each {
		r.queue = append(r.queue, d.Level(now, down[b])...)
	}
	return nil
}

// retry tries once to bring the lines back, and waits when they do not come, each time longer.
func (r *reader) retry(ctx context.Context) {
	err := r.in.reopen()
	if err == nil {
		err = r.begin()
	}
	if err == nil {
		r.lost = false
		r.queue = append(r.queue, Event{Kind: Back, Button: AllButtons, At: r.in.now()})
		return
	}
	again := time.NewTimer(r.again)
	r.again = min(2*r.again, retryMax)
	defer again.Stop()
	select {
	case <-ctx.Done():
	case <-again.C:
	}
}

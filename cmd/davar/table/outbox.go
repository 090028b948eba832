package table

import (
	"sync"

	"davar/rules/referee"
)

// outcome is one input and what it led to.
type outcome struct {
	in     referee.Input
	events []referee.Event
	first  bool // no input yet: the state with which the table begins
	over   bool // no input any more: the film has been seen to its end
}

// outbox carries outcomes from the judge to the scribe. Putting never blocks; what waits is bounded only by
// memory, since an event must not be lost because a disk is full.
type outbox struct {
	mu      sync.Mutex
	waiting []outcome
	closed  bool
	ready   chan struct{}
}

func newOutbox() *outbox { return &outbox{ready: make(chan struct{}, 1)} }

func (o *outbox) put(out outcome) {
	o.mu.Lock()
	o.waiting = append(o.waiting, out)
	o.mu.Unlock()
	o.signal()
}

// length returns how many outcomes wait to be written down.
func (o *outbox) length() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.waiting)
}

// close says that nothing more will be put.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.ready <- struct{}{}:
	default:
	}
}

// takeAll waits for outcomes and returns all there are, oldest first; nil when the outbox is closed and empty.
func (o *outbox) takeAll() []outcome {
	for {
		o.mu.Lock()
		all, closed := o.waiting, o.closed
		o.waiting = nil
		o.mu.Unlock()
		if len(all) > 0 {
			return all
		}
		if closed {
			o.signal()
			return nil
		}
		<-o.ready
	}
}

package web

import (
	"errors"
	"sync"
)

// eventsAhead is how many events may wait for a viewer before he is dropped.
const eventsAhead = 64

var (
	errFull   = errors.New("web: too many viewers")
	errClosed = errors.New("web: the server stops")
)

// message is one server-sent event.
type message struct {
	id   int64
	name string
	data []byte
}

// viewer is one open stream. The hub fills its channels and never waits for it.
type viewer struct {
	to      audience
	wake    chan struct{} // holds one: there is a newer state
	events  chan message
	dropped chan struct{} // closed by the hub: end the stream
}

// hub knows the newest state and everybody who looks at it.
type hub struct {
	max int

	mu      sync.Mutex
	latest  [audiences]*snapshot
	viewers map[*viewer]struct{}
	closed  bool
}

func newHub(limit int) *hub { return &hub{max: limit, viewers: map[*viewer]struct{}{}} }

// state returns the newest state for an audience, nil before the first.
func (h *hub) state(to audience) *snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.latest[to]
}

// keep has those who come find a state; who is there already is not told.
func (h *hub) keep(to audience, s *snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.latest[to] = s
}

func (h *hub) setState(to audience, s *snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.latest[to] = s
	for v := range h.viewers {
		if v.to != to {
			continue
		}
		select {
		case v.wake <- struct{}{}:
		default: // he will find this state when he gets to the one before
		}
	}
}

func (h *hub) publish(to audience, m message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range h.viewers {
		if v.to != to {
			continue
		}
		select {
		case v.events <- m:
		default:
			h.drop(v)
		}
	}
}

// join adds a viewer, who finds the newest state waiting for him.
func (h *hub) join(to audience) (*viewer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errClosed
	}
	if len(h.viewers) >= h.max {
		return nil, errFull
	}
	v := &viewer{to: to, wake: make(chan struct{}, 1), events: make(chan message, eventsAhead), dropped: make(chan struct{})}
	if h.latest[to] != nil {
		v.wake <- struct{}{}
	}
	h.viewers[v] = struct{}{}
	return v, nil
}

// leave removes a viewer; it is safe for one who was dropped.
func (h *hub) leave(v *viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.viewers, v)
}

// drop ends a viewer's stream; the lock is held.
func (h *hub) drop(v *viewer) {
	delete(h.viewers, v)
	close(v.dropped)
}

// close ends all streams and admits no more.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for v := range h.viewers {
		h.drop(v)
	}
}

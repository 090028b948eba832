package web

import (
	"errors"
	"sync"
)

// messagesAhead is how many messages may wait for a viewer before he is dropped.
const messagesAhead = 64

var (
	errFull   = errors.New("web: too many viewers")
	errClosed = errors.New("web: the server stops")
)

// viewer is one open stream. The hub lays before him what is to be sent and never waits for him.
type viewer struct {
	to      audience
	wake    chan struct{} // holds one: there is something to take
	dropped chan struct{} // closed by the hub: end the stream

	mu       sync.Mutex
	messages []message // to be sent, oldest first
	state    *snapshot // newest that he has not got; nil: he has it
	cut      func()    // ends his connection at once; nil: it cannot be
}

// put lays something before the viewer and reports whether there was room.
func (v *viewer) put(m *message, s *snapshot) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if m != nil {
		if len(v.messages) == messagesAhead {
			return false
		}
		v.messages = append(v.messages, *m)
	}
	if s != nil {
		v.state = s // he never needs the one before
	}
	select {
	case v.wake <- struct{}{}:
	default:
	}
	return true
}

// take returns all that is to be sent.
func (v *viewer) take() (messages []message, state *snapshot) {
	v.mu.Lock()
	defer v.mu.Unlock()
	messages, state = v.messages, v.state
	v.messages, v.state = nil, nil
	return messages, state
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
		if v.to == to {
			v.put(nil, s)
		}
	}
}

func (h *hub) publish(to audience, m message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range h.viewers {
		if v.to == to && !v.put(&m, nil) {
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
	v := &viewer{to: to, wake: make(chan struct{}, 1), dropped: make(chan struct{})}
	if h.latest[to] != nil {
		v.put(nil, h.latest[to])
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

// drop ends a viewer's stream, also one that just waits for its connection; the lock is held.
func (h *hub) drop(v *viewer) {
	delete(h.viewers, v)
	close(v.dropped)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cut != nil {
		v.cut()
	}
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

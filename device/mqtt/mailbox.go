package mqtt

import (
	"errors"
	"net"
	"sync"
	"time"
)

// Limits of a client of the embedded broker that reads slowly or not at all.
const (
	mailboxLimit = 1 << 20          // bytes waiting for it
	mailboxTime  = 10 * time.Second // for the network to take some
	roomKept     = 64 << 10         // bytes of memory kept for the next message
)

// errSlow ends the connection of a client that does not read what it subscribed to.
var errSlow = errors.New("the client does not read")

// mailbox is a connection whose Write never waits: bytes are kept and sent by a goroutine of its own. The broker
// library writes under a lock that whoever publishes needs too; written to directly, one viewer with a dead
// radio link would stop the stream for all.
type mailbox struct {
	net.Conn

	mu      sync.Mutex
	waiting []byte
	failed  error
	closing bool
	wake    chan struct{} // holds one
	done    chan struct{} // the sender has ended and the connection is closed
}

// newMailbox takes over conn and starts sending; Close ends it.
func newMailbox(conn net.Conn) *mailbox {
	m := &mailbox{Conn: conn, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go m.send()
	return m
}

// Write keeps p to be sent. It fails when the connection has failed or too much is waiting; the connection is
// then of no more use.
func (m *mailbox) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.failed != nil:
		return 0, m.failed
	case m.closing:
		return 0, net.ErrClosed
	case len(m.waiting)+len(p) > mailboxLimit:
		m.failed = errSlow
		m.Conn.Close() // wakes reader and sender
		return 0, m.failed
	}
	m.waiting = append(m.waiting, p...)
	m.nudge()
	return len(p), nil
}

// Close lets what is waiting be sent, for closingTimeout at most, and ends the connection. It does not wait.
func (m *mailbox) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closing {
		m.closing = true
		_ = m.Conn.SetReadDeadline(time.Now()) // who reads is to stop
		_ = m.Conn.SetWriteDeadline(time.Now().Add(closingTimeout))
		m.nudge()
	}
	return nil
}

// SetDeadline limits reading only: when writing fails is for the mailbox to say.
func (m *mailbox) SetDeadline(t time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closing {
		return net.ErrClosed
	}
	return m.Conn.SetReadDeadline(t)
}

func (m *mailbox) nudge() {
	select {
	case m.wake <- struct{}{}:
	default: // one is enough
	}
}

// send writes what is waiting until the mailbox is closed and empty, or the connection fails.
func (m *mailbox) send() {
	defer close(m.done)
	defer m.Conn.Close()
	var sending []byte
	for range m.wake {
		for {
			if cap(sending) > roomKept {
				sending = nil
			}
			m.mu.Lock()
			sending, m.waiting = m.waiting, sending[:0]
			ended := m.failed != nil || m.closing && len(sending) == 0
			if !m.closing {
				_ = m.Conn.SetWriteDeadline(time.Now().Add(mailboxTime))
			}
			m.mu.Unlock()
			if ended {
				return
			}
			if len(sending) == 0 {
				break
			}
			if _, err := m.Conn.Write(sending); err != nil {
				m.mu.Lock()
				m.failed = err
				m.mu.Unlock()
				return
			}
		}
	}
}

package mqtt

import (
	"crypto/tls"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/mochi-mqtt/server/v2/listeners"
)

// listener takes connections in for the embedded broker. Unlike the library's own it knows every connection,
// also one that has not said a word yet, and its Close returns only when all of them are done with.
type listener struct {
	id      string
	address string
	secure  *tls.Config // nil: plain
	limit   int         // connections at a time; more are closed at once

	listen net.Listener

	mu      sync.Mutex
	closed  bool
	conns   map[*mailbox]bool
	serving sync.WaitGroup
}

func newListener(id, address string, secure *tls.Config, limit int) *listener {
	return &listener{id: id, address: address, secure: secure, limit: limit, conns: map[*mailbox]bool{}}
}

// Init begins to listen.
func (l *listener) Init(*slog.Logger) (err error) {
	if l.listen, err = net.Listen("tcp", l.address); err == nil && l.secure != nil {
		l.listen = tls.NewListener(l.listen, l.secure)
	}
	return err
}

// ID names the listener in the broker.
func (l *listener) ID() string { return l.id }

// Protocol names the transport.
func (l *listener) Protocol() string { return "tcp" }

// Address is where it listens, with the port chosen for ":0".
func (l *listener) Address() string {
	if l.listen == nil {
		return l.address
	}
	return l.listen.Addr().String()
}

// Serve takes connections in until Close.
func (l *listener) Serve(establish listeners.EstablishFn) {
	for {
		conn, err := l.listen.Accept()
		if err != nil {
			if l.isClosed() {
				return
			}
			// Too many open files, or a connection gone before it was taken: the next may do.
			time.Sleep(acceptPause)
			continue
		}
		if m := l.admit(conn); m != nil {
			go func() {
				defer l.dismiss(m)
				_ = establish(l.id, m) // how a client leaves is nobody's concern
			}()
		}
	}
}

// acceptPause keeps a failing Accept from taking the processor.
const acceptPause = 50 * time.Millisecond

func (l *listener) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

func (l *listener) admit(conn net.Conn) *mailbox {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.conns) >= l.limit {
		conn.Close()
		return nil
	}
	m := newMailbox(conn)
	l.conns[m] = true
	l.serving.Add(1)
	return m
}

func (l *listener) dismiss(m *mailbox) {
	m.Close()
	<-m.done
	l.mu.Lock()
	delete(l.conns, m)
	l.mu.Unlock()
	l.serving.Done()
}

// Close stops listening, lets closeClients say goodbye, for closingTimeout at most, and waits for the last
// connection to end.
func (l *listener) Close(closeClients listeners.CloseFn) {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	if l.listen != nil {
		l.listen.Close()
	}
	closeClients(l.id)
	l.mu.Lock()
	for m := range l.conns {
		m.Close()
	}
	l.mu.Unlock()
	l.serving.Wait()
}

var _ listeners.Listener = (*listener)(nil)

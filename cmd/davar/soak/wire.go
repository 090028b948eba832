package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
)

// wire is the network between the table and its broker. While it is cut, connections stay open and nothing goes through,
// as when somebody pulls the cable behind a switch.
type wire struct {
	to       string
	listener net.Listener
	running  sync.WaitGroup

	mu    sync.Mutex
	whole chan struct{} // closed while the wire is whole
	ends  map[net.Conn]struct{}
}

func startWire(to string) (*wire, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("soak: lay the network: %w", err)
	}
	w := &wire{to: to, listener: l, whole: make(chan struct{}), ends: map[net.Conn]struct{}{}}
	close(w.whole)
	w.running.Go(w.accept)
	return w, nil
}

func (w *wire) addr() string { return w.listener.Addr().String() }

func (w *wire) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		w.running.Go(func() { w.join(near) })
	}
}

// join copies both ways until one side ends.
func (w *wire) join(near net.Conn) {
	defer w.drop(near)
	w.keep(near)
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		return // the broker is down
	}
	defer w.drop(far)
	w.keep(far)
	ctx, ended := context.WithCancel(context.Background())
	defer ended()
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		both.Go(func() {
			defer ended()
			_, _ = io.Copy(way[1], w.through(ctx, way[0]))
			near.Close()
			far.Close()
		})
	}
	both.Wait()
}

// through returns the connection as it is read at the other end of the wire.
func (w *wire) through(ctx context.Context, c net.Conn) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		n, err := c.Read(p)
		w.mu.Lock()
		whole := w.whole
		w.mu.Unlock()
		select {
		case <-whole:
			return n, err
		case <-ctx.Done():
			return 0, io.EOF
		}
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func (w *wire) keep(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ends[c] = struct{}{}
}

func (w *wire) drop(c net.Conn) {
	c.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.ends, c)
}

// cut stops everything that goes through, until it is called with false.
func (w *wire) cut(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if on {
		w.whole = make(chan struct{})
	} else {
		close(w.whole)
	}
}

// stop ends all connections and waits for them; the wire must be whole.
func (w *wire) stop() {
	w.listener.Close()
	w.mu.Lock()
	for c := range w.ends {
		c.Close()
	}
	w.mu.Unlock()
	w.running.Wait()
}

package mqtt

import (
	"net"
	"sync"
	"testing"
)

// wire is a line between a client and a server that can be cut, mended and stalled.
type wire struct {
	t       testing.TB
	address string
	target  string

	mu     sync.Mutex
	listen net.Listener
	ends   []net.Conn
	gate   *sync.RWMutex // held for writing: nothing passes
	stuck  bool
}

func newWire(t testing.TB, target string) *wire {
	t.Helper()
	w := &wire{t: t, target: target, address: freeAddress(t)}
	w.mend()
	t.Cleanup(w.cut)
	return w
}

// forward lets connections to address through to target until the test ends.
func forward(t testing.TB, address, target string) *wire {
	t.Helper()
	w := &wire{t: t, target: target, address: address}
	w.mend()
	t.Cleanup(w.cut)
	return w
}

// mend makes the line whole.
func (w *wire) mend() {
	w.t.Helper()
	l, err := net.Listen("tcp", w.address)
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	w.listen, w.gate = l, &sync.RWMutex{}
	gate := w.gate
	w.mu.Unlock()
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", w.target)
			if err != nil {
				near.Close()
				continue
			}
			w.mu.Lock()
			w.ends = append(w.ends, near, far)
			w.mu.Unlock()
			go pass(gate, near, far)
			go pass(gate, far, near)
		}
	}()
}

// stall holds up everything on the line without closing it.
func (w *wire) stall() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gate.Lock()
	w.stuck = true
}

// cut breaks the line: both ends notice.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listen.Close()
	for _, end := range w.ends {
		end.Close()
	}
	w.ends = nil
	if w.stuck {
		w.gate.Unlock()
		w.stuck = false
	}
}

func pass(gate *sync.RWMutex, from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			gate.RLock()
			_, writeErr := to.Write(buffer[:n])
			gate.RUnlock()
			if writeErr != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

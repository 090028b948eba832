package web

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// writeTimeout ends the stream of a viewer whose connection takes nothing any more.
const writeTimeout = 10 * time.Second

// message is one server-sent event, written once for everybody who gets it.
type message []byte

func newMessage(name string, data []byte) message {
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, data)
}

func newNumberedMessage(id int64, name string, data []byte) message {
	return fmt.Appendf(nil, "id: %d\nevent: %s\ndata: %s\n\n", id, name, data)
}

var beatMessage = newMessage("beat", []byte("{}"))

// streamEvents is GET /events: the whole state at once and after each change (event "state"), what is told about
// the game (event "event") and a sign of life in between (event "beat"), by which a page notices a dead
// connection. With the query plays=new a state that follows upon the one before holds only the plays that are new in it,
// from number "plays_from" on. A stream opened signed in ends when the session does.
func (s *Server) streamEvents(w http.ResponseWriter, r *http.Request) { s.stream(w, r, func() {}) }

// stream serves a viewer and calls left when he has gone, which may be long after it has returned.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, left func()) {
	to := s.audienceOf(r)
	viewer, err := s.hub.join(to)
	if err != nil {
		left()
		tooMany(w)
		return
	}
	one := &stream{server: s, viewer: viewer, brief: r.URL.Query().Get("plays") == "new", has: -1}
	if to != public { // his session may end, or the tablet's right be taken
		one.still = func() bool { return s.audienceOf(r) == to }
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // a proxy in between must not hold events back
	follow := func() {
		defer left()
		defer s.hub.leave(viewer)
		one.serve()
	}
	if conn := takeOver(w); conn != nil {
		viewer.mu.Lock()
		viewer.cut = func() { conn.Close() }
		viewer.mu.Unlock()
		one.out, one.gone = conn, nil
		s.streams.Go(func() {
			defer conn.Close()
			follow()
		})
		return
	}
	control := http.NewResponseController(w)
	// The server's limit for reading a request must not end a stream that has been read long ago.
	_ = control.SetReadDeadline(time.Time{})
	one.out, one.gone = response{w, control}, r.Context().Done()
	follow()
}

func tooMany(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "5")
	http.Error(w, "too many viewers: try again in a few seconds", http.StatusServiceUnavailable)
}

// takeOver answers a request and returns its connection, nil when it cannot be had. The library keeps buffers, the
// request and a second goroutine, some 30 KB together, for as long as a request is served; of ten thousand who watch for
// hours only the connections are kept.
func takeOver(w http.ResponseWriter) net.Conn {
	h := w.Header()
	conn, ahead, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil
	}
	h.Set("Connection", "close") // the body ends with it
	_ = conn.SetDeadline(time.Now().Add(writeTimeout))
	fmt.Fprintf(ahead, "HTTP/1.1 200 OK\r\nDate: %s\r\n", time.Now().UTC().Format(http.TimeFormat))
	_ = h.Write(ahead)
	_, _ = ahead.WriteString("\r\n")
	if ahead.Flush() != nil {
		conn.Close() // whoever serves it will notice
	}
	return conn
}

// outlet is where a stream goes. Each write has a deadline.
type outlet interface {
	SetWriteDeadline(time.Time) error
	Write([]byte) (int, error)
}

// response is the outlet of a request whose connection cannot be taken over.
type response struct {
	http.ResponseWriter
	control *http.ResponseController
}

// SetWriteDeadline bounds the writes to come.
func (r response) SetWriteDeadline(at time.Time) error { return r.control.SetWriteDeadline(at) }

// Write sends at once.
func (r response) Write(p []byte) (int, error) {
	n, err := r.ResponseWriter.Write(p)
	if err != nil {
		return n, err
	}
	return n, r.control.Flush()
}

// stream is one viewer's.
type stream struct {
	server *Server
	viewer *viewer
	out    outlet
	gone   <-chan struct{} // closed when the viewer has gone; nil: a write will tell
	still  func() bool     // whether he may go on; nil: he may
	brief  bool            // he keeps the plays that he has been sent
	has    int64           // number of the state sent last; -1: none
}

// serve sends until the viewer or the server has enough.
func (s *stream) serve() {
	hello := []byte("retry: 1500\n\n")
	if late := s.server.late(); s.viewer.to == public && late > 0 {
		hello = append(hello, lateMessage(late)...)
	}
	if s.write(hello) != nil {
		return
	}
	beat := time.NewTicker(s.server.beat)
	defer beat.Stop()
	for {
		select {
		case <-s.viewer.wake:
			if s.write(s.next()...) != nil {
				return
			}
		case <-beat.C:
			if s.still != nil && !s.still() || s.write(beatMessage) != nil {
				return
			}
		case <-s.viewer.dropped:
			return
		case <-s.gone:
			return
		}
	}
}

// next returns what the viewer is to be sent now, the state last: it is the one after the events.
func (s *stream) next() (parts [][]byte) {
	messages, state := s.viewer.take()
	for _, m := range messages {
		parts = append(parts, m)
	}
	if state == nil {
		return parts
	}
	body := state.body
	if s.brief && state.news != nil && s.has == state.number-1 {
		body = state.news
	}
	s.has = state.number
	head := fmt.Appendf(nil, "id: %d\nevent: state\ndata: ", state.seq)
	return append(parts, state.opening(head, time.Now()), body, []byte("}\n\n"))
}

// write sends the parts as one.
func (s *stream) write(parts ...[]byte) error {
	if len(parts) == 0 {
		return nil
	}
	if err := s.out.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if conn, ok := s.out.(net.Conn); ok {
		all := net.Buffers(parts)
		_, err := all.WriteTo(conn)
		return err
	}
	for _, part := range parts {
		if _, err := s.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// showState is GET /state.json: what a stream would send first.
func (s *Server) showState(w http.ResponseWriter, r *http.Request) {
	now := s.hub.state(s.audienceOf(r))
	w.Header().Set("Cache-Control", "no-store")
	if now == nil {
		http.Error(w, "nothing to show yet", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(now.encode(time.Now()))
}

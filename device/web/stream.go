package web

import (
	"fmt"
	"net/http"
	"time"
)

// writeTimeout ends the stream of a viewer whose connection takes nothing any more.
const writeTimeout = 10 * time.Second

// streamEvents is GET /events: the whole state at once and after each change (event "state"), what is told about
// the game (event "event") and a sign of life in between (event "beat"), by which a page notices a dead
// connection. A stream opened signed in ends when the session does.
func (s *Server) streamEvents(w http.ResponseWriter, r *http.Request) {
	to := s.audienceOf(r)
	viewer, err := s.hub.join(to)
	if err != nil {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many viewers: try again in a few seconds", http.StatusServiceUnavailable)
		return
	}
	defer s.hub.leave(viewer)

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy in between must not hold events back
	stream := streamWriter{w, http.NewResponseController(w)}
	// The server's limit for reading a request must not end a stream that has been read long ago.
	_ = stream.control.SetReadDeadline(time.Time{})
	if stream.write("retry: 1500\n\n") != nil {
		return
	}
	if late := s.late(); to == public && late > 0 {
		err = stream.send(lateMessage(late))
	}
	beat := time.NewTicker(s.beat)
	defer beat.Stop()
	for err == nil {
		select {
		case <-viewer.wake:
			now := s.hub.state(to)
			err = stream.send(message{id: now.seq, name: "state", data: now.encode(time.Now())})
		case m := <-viewer.events:
			err = stream.send(m)
		case <-beat.C:
			if s.audienceOf(r) != to { // his session has ended, or the tablet's right was taken
				return
			}
			err = stream.write("event: beat\ndata: {}\n\n")
		case <-viewer.dropped:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// streamWriter writes server-sent events, each flushed and each with a deadline.
type streamWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (s streamWriter) send(m message) error {
	return s.write(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", m.id, m.name, m.data))
}

func (s streamWriter) write(text string) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
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

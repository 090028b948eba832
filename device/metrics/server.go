package metrics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Server serves what tells how the program does. Make it with Listen.
type Server struct {
	listener net.Listener
	server   *http.Server
}

// Pages of a Server.
type Pages struct {
	Metrics http.Handler
	// Healthy returns nil while the program works; its error goes to who asks.
	Healthy func() error
	// Examine returns the doctor's report, as JSON is made of it.
	Examine func(ctx context.Context) any
	Log     *slog.Logger
}

// examineTime is how long an examination may take; a hanging device takes its check's whole time.
const examineTime = 30 * time.Second

// Listen opens the address, so that one in use is told before the match begins.
func Listen(address string, p Pages) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("metrics: listen on %s: %w; set metrics.listen to a free address of this machine, or leave it empty", address, err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", p.Metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if err := p.Healthy(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /doctor.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(p.Examine(r.Context())); err != nil {
			p.Log.Debug("the doctor's report did not go out", "error", err)
		}
	})
	return &Server{listener, &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: examineTime + 10*time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug),
	}}, nil
}

// Addr is where it listens, with the port that was chosen for ":0".
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Run serves until ctx ends; then it returns nil.
func (s *Server) Run(ctx context.Context) error {
	stopped := context.AfterFunc(ctx, func() { s.server.Close() })
	defer stopped()
	if err := s.server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("metrics: serve on %s: %w", s.Addr(), err)
	}
	return nil
}

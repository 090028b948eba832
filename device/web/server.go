package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/alexedwards/scs/v2"

	"davar/device/analysis"
	"davar/device/journal"
	"davar/device/phrasebook"
	"davar/rules/referee"
)

const (
	headerTimeout  = 5 * time.Second
	idleTimeout    = 2 * time.Minute
	requestTimeout = 30 * time.Second // for everything but the stream
	stopTimeout    = 5 * time.Second  // how long a stopping server waits for answers under way
)

// Settings of a server. Addr is required.
type Settings struct {
	Addr string // where to listen, "127.0.0.1:8080"; port 0 takes any free one
	// Password opens the buttons and decisions; plain, or a bcrypt hash. Empty: the page only shows.
	Password string
	// Accounts are those who sign in by name, besides the director whom Password is for.
	Accounts []Account
	// Sessions keeps who has signed in; nil: this server does, as long as it runs. See NewSessions.
	Sessions scs.Store
	// Folder is where the console keeps the paired tablets and the draw sheet; empty: in memory.
	Folder string
	Book   *phrasebook.Book // texts; nil takes the catalogue with its defaults
	// Control hands a press or a decision to the table; In.T is not set: the moment of the call is the moment of
	// the press. Its error is told to the person who pressed. Nil: the page only shows.
	Control func(ctx context.Context, in referee.Input) error
	// Frame returns the newest picture of the camera as JPEG and when it was taken; false when there is none.
	// Nil: no picture is shown. It must not block.
	Frame func() (jpeg []byte, taken time.Time, ok bool)
	// Drawn is Frame with what was read of the picture drawn in, for the director. Nil: he sees Frame.
	Drawn func() (jpeg []byte, taken time.Time, ok bool)
	// PublicFrame shows the picture to spectators too, as late as all they see (publish.picture).
	PublicFrame bool
	// Table is the table's name on the console, such as "1".
	Table string
	// Tables lists the tables of the console; nil: the one of this server. It must not block.
	Tables func() []ConsoleTable
	// Calibrator learns where the board lies; nil: the console cannot calibrate.
	Calibrator Calibrator
	// MatchMaker begins matches; nil: the console cannot.
	MatchMaker MatchMaker
	// Examine has the table's doctor look at it, and tells what he finds in a language; nil: the console has no such page.
	Examine func(ctx context.Context, lang string) []Symptom
	// Order takes a director's decision to a table of a hall, for the match he saw; nil: a hall has no console. Its error is
	// told to him.
	Order func(ctx context.Context, at Place, match string, d referee.Decision) error
	// Afar reaches what else a hall's tables have for directors; nil: their consoles show no pictures and set nothing up.
	Afar Afar
	// SessionKey seals the sessions of a hall's console, 32 random bytes at least; halls behind one load balancer share
	// one. nil: one is drawn, and who has signed in is known to this hall alone, as long as it runs.
	SessionKey []byte
	// ClockOnly says that nobody watches the board: there is no page of it, only that of the table.
	ClockOnly bool
	// Matches is the match log; nil: there are no pages of it.
	Matches *journal.Journal
	// Delay is how far spectators are behind the closing of a turn's correction window, and how long after its end a
	// match opens to those who are not the director (publish.delay, PUB-1). 0 shows everything at once.
	Delay time.Duration
	// Embed lists whose pages may show /embed in a frame, as frame-ancestors of a content policy does, such as
	// "https://club.example"; empty: anybody's, "none": nobody's.
	Embed string
	// MaxViewers bounds the open streams; 0 means 4096. Who comes later is asked to try again.
	MaxViewers int
	Log        *slog.Logger // nil discards
}

// Server is the web server of one table. Make it with New, feed it with SetState and Publish from any goroutine,
// and let Run serve.
type Server struct {
	settings   Settings
	book       *phrasebook.Book
	log        *slog.Logger
	hub        *hub
	guard      *guard
	draw       *draw
	pages      *pages
	handler    http.Handler
	listener   net.Listener
	addrKey    string          // the setting that Addr comes from
	beat       time.Duration   // between signs of life on a stream
	streams    *sync.WaitGroup // those that outlive their requests
	closing    func()          // ends all streams
	controlled time.Duration   // how long the table may take to answer
	far        *far            // of a desk of a hall: the table; nil: it is this server's own, or cannot be asked anything

	mu         sync.Mutex // guards what follows
	faults     []string   // of the table's devices, in the order of the alphabet
	shown      *shown     // nil: no state yet
	public     *shown     // what spectators see of it; nil: nothing yet
	held       held
	judgements analysis.Judgements // of the match in play
	frames     frames              // that spectators will see
	asked      *referee.Event      // the last question of the referee; nil: none since the start
	guest      guest               // of a hall's table
	concerned  concerned           // of a desk of a hall
	equipment  Equipment           // likewise
}

// shown is what SetState was last called with.
type shown struct {
	state  referee.State
	asOf   time.Time
	rate   float64
	judged *analysis.Judgement // nil: nothing
}

// New prepares a server; it opens nothing yet. Errors name the setting to mend.
func New(s Settings) (*Server, error) {
	if s.Addr == "" {
		return nil, errors.New("web: new server: no address to listen on; set web.listen, for example 127.0.0.1:8080")
	}
	if err := checkEmbed(s.Embed); err != nil {
		return nil, err
	}
	if s.MaxViewers == 0 {
		s.MaxViewers = 4096
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.Book == nil {
		book, err := phrasebook.Open("")
		if err != nil {
			return nil, fmt.Errorf("web: new server: %w", err)
		}
		s.Book = book
	}
	guard, err := newGuard(&s)
	if err != nil {
		return nil, err
	}
	pages, err := newPages(s.Book)
	if err != nil {
		return nil, err
	}
	server := &Server{
		settings: s, book: s.Book, log: s.Log, guard: guard, pages: pages,
		addrKey: "web.listen", hub: newHub(s.MaxViewers), beat: 15 * time.Second, held: newHeld(s.Delay),
		streams: &sync.WaitGroup{}, controlled: controlTimeout,
	}
	server.settings.Password, server.settings.Accounts = "", nil // the guard has what it needs of them
	if server.draw, err = openDraw(s.Folder); err != nil {
		return nil, err
	}
	server.closing = server.hub.close
	server.handler = server.routes()
	return server, nil
}

// Listen opens the port, so that a port in use is known before anything else starts; Run does it when it was
// not done before.
func (s *Server) Listen() error {
	if s.listener != nil {
		return nil
	}
	listener, err := net.Listen("tcp", s.settings.Addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("web: listen on %s: another program uses this port; stop it or set %s to another port", s.settings.Addr, s.addrKey)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("web: listen on %s: this port needs more rights; set %s to a port of 1024 or above", s.settings.Addr, s.addrKey)
	case err != nil:
		return fmt.Errorf("web: listen on %s: %w; %s must be an address of this machine with a port, such as 127.0.0.1:8080", s.settings.Addr, err, s.addrKey)
	}
	s.listener = listener
	return nil
}

// URL returns the address of the page for a browser on this machine. It is exact once Listen has succeeded.
func (s *Server) URL() string {
	addr := s.settings.Addr
	if s.listener != nil {
		addr = s.listener.Addr().String()
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "http://" + addr
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Run serves until ctx ends and everything it started has stopped; then it returns nil. It may be called once.
func (s *Server) Run(ctx context.Context) error {
	if err := s.Listen(); err != nil {
		return err
	}
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	var releasing sync.WaitGroup
	until, stop := context.WithCancel(ctx)
	releasing.Go(func() { s.release(until) })
	releasing.Go(func() { s.watchFrames(until) })
	defer releasing.Wait()
	defer stop()
	defer s.streams.Wait()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(s.listener) }()
	select {
	case err := <-failed:
		s.closing()
		return fmt.Errorf("web: serve on %s: %w", s.settings.Addr, err)
	case <-ctx.Done():
	}
	s.closing()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		server.Close()
	}
	<-failed
	return nil
}

// SetState shows a new state. AsOf is the moment at which the figures of s.Clock were true and rate is how many
// seconds of the match pass in one real second (1 at a live table). It never blocks.
func (s *Server) SetState(state referee.State, asOf time.Time, rate float64) {
	s.show(&shown{state: state, asOf: asOf, rate: rate})
}

func (s *Server) show(now *shown) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = now
	if !s.guest.is {
		s.showTo(table, director)
	}
	if s.settings.Delay <= 0 {
		s.public = s.shown
		s.showTo(public)
		return
	}
	s.held.add(waiting{match: now.state.Match, seq: now.state.Seq, at: time.Now(), state: now})
}

// SetFault says that a device of the table fails, or works again; what names it as the texts "fault." of the phrasebook
// do. It never blocks.
func (s *Server) SetFault(what string, fails bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, known := slices.BinarySearch(s.faults, what)
	switch {
	case fails == known:
		return
	case fails:
		s.faults = slices.Insert(slices.Clone(s.faults), at, what)
	default:
		s.faults = slices.Delete(slices.Clone(s.faults), at, at+1)
	}
	s.showTo(public, table, director)
}

// showTo hands what there is to some of the audiences; the lock is held.
func (s *Server) showTo(viewers ...audience) {
	for _, to := range viewers {
		from := s.shown
		if to == public {
			from = s.withJudgement(s.public)
		}
		if from != nil {
			hasFrame := s.settings.Frame != nil && s.mayWatch(to)
			s.hub.setState(to, newSnapshot(s.book, from, s.faults, s.guest.away, to, hasFrame, s.hub.state(to)))
		}
	}
}

// Publish tells viewers of an event, as far and as soon as they may hear of it. It never blocks.
func (s *Server) Publish(e referee.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.held.saw(e, now)
	s.frames.closed(s.held.embargo.Closings(), now)
	if e.Type == referee.Attention && e.Ruling != nil {
		s.asked = &e
	}
	players := [2]string{}
	if s.shown != nil {
		players = s.shown.state.Players
	}
	for to := range audiences {
		if to != public && s.guest.is {
			break
		}
		data := eventView(s.book, e, players, to)
		if data == nil {
			continue
		}
		m := newNumberedMessage(e.Seq, "event", data)
		if to == public && s.settings.Delay > 0 {
			s.held.add(waiting{match: e.Match, seq: e.Seq, at: now, message: m})
			continue
		}
		s.hub.publish(to, m)
	}
}

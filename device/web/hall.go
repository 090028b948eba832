package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"davar/device/analysis"
	"davar/rules/referee"
)

// Why a hall hears nothing of a table.
const (
	AwayStopped = "stopped" // it has ended in order
	AwayOffline = "offline" // it has been lost
	AwayUnknown = "unknown" // the hall itself hears nothing
)

// Hall shows many tables to spectators: a page that lists them all, and below /t/<club>/<table>/ the pages of each. It
// keeps nothing but the newest state of each table, as somebody tells it from any goroutine, and asks for nothing: any
// number of halls may show the same tables.
type Hall struct {
	front   *Server // what all tables share, and the viewers of the list
	watched atomic.Int64

	mu      sync.Mutex
	tables  map[Place]*Server
	desks   map[Place]*Server         // what directors see of the tables
	matches map[Place][]FinishedMatch // that are over
	rows    map[Place]*row            // the list as it was told last
	deaf    bool                      // nothing is heard of any table
	closed  bool
	dirty   bool // the list may have changed
}

// Place names a table.
type Place struct {
	Club  string `json:"club"`
	Table string `json:"table"`
}

func (p Place) compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Club, q.Club), compareNaturally(p.Table, q.Table))
}

// guest is what a table's server is to a hall: seen by spectators alone, as late as the table itself sees to.
type guest struct {
	is   bool
	own  string // why nothing is heard of it, as SetAway has it
	deaf bool   // nothing is heard of any
	away string // which of both is shown
	late time.Duration
}

// NewHall prepares a hall; it opens nothing yet. Of the settings Addr, Book, Embed, MaxViewers and Log hold, and for a
// director's console Accounts, Order, Afar and SessionKey.
func NewHall(s Settings) (*Hall, error) {
	front, err := New(Settings{
		Addr: s.Addr, Book: s.Book, Embed: s.Embed, MaxViewers: s.MaxViewers, Log: s.Log, Accounts: s.Accounts, Order: s.Order, Afar: s.Afar,
	})
	if err != nil {
		return nil, err
	}
	h := &Hall{front: front, tables: map[Place]*Server{}, desks: map[Place]*Server{}, matches: map[Place][]FinishedMatch{}, rows: map[Place]*row{}, deaf: true}
	front.guest.is, front.addrKey = true, "hub.listen"
	if h.hasConsole() {
		if err := h.openConsole(s); err != nil {
			return nil, err
		}
	}
	front.handler, front.closing = h.routes(), h.close
	h.tell(h.changes())
	return h, nil
}

// Listen opens the port, as Server.Listen does.
func (h *Hall) Listen() error { return h.front.Listen() }

// URL returns the address of the list for a browser on this machine.
func (h *Hall) URL() string { return h.front.URL() }

// Run serves until ctx ends and everything has stopped, then it returns nil. It may be called once.
func (h *Hall) Run(ctx context.Context) error {
	var telling sync.WaitGroup
	until, stop := context.WithCancel(ctx)
	telling.Go(func() { h.keepTelling(until) })
	defer telling.Wait()
	defer stop()
	return h.front.Run(ctx)
}

// SetState shows a new state of a table, as Server.SetState does; late is how far the table holds back what spectators
// see, judged what an engine makes of the game, if that is known. A table is in the hall from its first state on.
func (h *Hall) SetState(at Place, s referee.State, asOf time.Time, rate float64, late time.Duration, judged *analysis.Judgement) {
	table := h.table(at, true)
	table.mu.Lock()
	if table.guest.late != late {
		table.guest.late = late
		table.hub.publish(public, lateMessage(late))
	}
	table.mu.Unlock()
	table.show(&shown{state: s, asOf: asOf, rate: rate, judged: judged})
	h.touch()
}

// Publish tells those who look at a table of an event. A table without a state is passed over.
func (h *Hall) Publish(at Place, e referee.Event) {
	if table := h.table(at, false); table != nil {
		table.Publish(e)
	}
}

// SetAway says why nothing is heard of a table; empty: it is there.
func (h *Hall) SetAway(at Place, why string) {
	if table := h.table(at, false); table != nil {
		if table.changeAway(func(g *guest) { g.own = why }) {
			h.touch()
		}
	}
	if desk := h.desk(at, false); desk != nil {
		desk.changeAway(func(g *guest) { g.own = why })
	}
}

// SetDeaf says whether the hall hears of any table at all. It begins deaf.
func (h *Hall) SetDeaf(deaf bool) {
	h.mu.Lock()
	h.deaf, h.dirty = deaf, true
	h.mu.Unlock()
	h.each(func(table *Server) { table.changeAway(func(g *guest) { g.deaf = deaf }) })
}

// Remove takes a table out of the hall.
func (h *Hall) Remove(at Place) {
	h.mu.Lock()
	table, desk := h.tables[at], h.desks[at]
	delete(h.tables, at)
	delete(h.desks, at)
	delete(h.matches, at)
	h.mu.Unlock()
	if table != nil {
		table.hub.close()
		h.touch()
	}
	if desk != nil {
		desk.hub.close()
	}
}

func (h *Hall) table(at Place, wanted bool) *Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	table := h.tables[at]
	if table == nil && wanted {
		table = h.front.beside()
		h.tables[at] = table
		if h.closed {
			table.hub.close()
		}
	}
	return table
}

func (h *Hall) each(do func(*Server)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, table := range h.tables {
		do(table)
	}
	for _, desk := range h.desks {
		do(desk)
	}
}

// close ends the streams of all tables.
func (h *Hall) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.front.hub.close()
	for _, table := range h.tables {
		table.hub.close()
	}
	for _, desk := range h.desks {
		desk.hub.close()
	}
}

func (h *Hall) touch() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dirty = true
}

// beside returns the server of a further table, which shares all with s but the table itself.
func (s *Server) beside() *Server {
	return &Server{
		settings: s.settings, book: s.book, log: s.log, guard: s.guard, pages: s.pages, beat: s.beat, streams: s.streams,
		hub: newHub(s.settings.MaxViewers), held: newHeld(0), guest: guest{is: true}, controlled: s.controlled,
	}
}

// changeAway changes what is known of a table's absence and reports whether it shows.
func (s *Server) changeAway(do func(*guest)) (news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.guest.away
	do(&s.guest)
	s.guest.away = s.guest.own
	if s.guest.deaf {
		s.guest.away = AwayUnknown
	}
	if s.guest.away == was {
		return false
	}
	if s.guest.is {
		s.showTo(public)
	} else {
		s.showTo(director)
	}
	return true
}

// late is how far what spectators get is behind.
func (s *Server) late() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.guest.late, s.settings.Delay)
}

func lateMessage(late time.Duration) message {
	return newMessage("late", fmt.Appendf(nil, `{"delay_ms":%d}`, late.Milliseconds()))
}

func (h *Hall) routes() http.Handler {
	mux := http.NewServeMux()
	quick := func(pattern string, handle http.HandlerFunc) { mux.Handle(pattern, withDeadline(handle)) }
	f := h.front
	quick("GET /{$}", func(w http.ResponseWriter, r *http.Request) { f.page(w, r, "hall.html", "page.hall_title") })
	quick("GET /tables.json", f.showState)
	quick("GET /matches", h.results)
	quick("GET /assets/{name}", f.pages.asset)
	quick("GET /texts/{file}", f.pages.texts)
	quick("GET /healthz", h.health)
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) { h.stream(f, w, r) })
	at := func(leaf string, show func(*Server, http.ResponseWriter, *http.Request)) {
		quick("GET /t/{club}/{table}/"+leaf, h.withTable(show))
	}
	at("{$}", (*Server).livePage)
	at("overlay", (*Server).overlay)
	at("embed", (*Server).embed)
	at("state.json", (*Server).showState)
	mux.HandleFunc("GET /t/{club}/{table}/events", h.withTable(h.stream))
	quick("GET /t/{club}/{table}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.EscapedPath()+"/", http.StatusMovedPermanently)
	})
	if h.hasConsole() {
		h.consoleRoutes(mux, quick)
	}
	return withHeaders(http.NewCrossOriginProtection().Handler(mux))
}

// withTable leads a request to the table it names.
func (h *Hall) withTable(show func(*Server, http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if table := h.table(Place{r.PathValue("club"), r.PathValue("table")}, false); table != nil {
			show(table, w, r)
			return
		}
		h.nobody(w, r)
	}
}

// stream lets only so many watch all tables together.
func (h *Hall) stream(table *Server, w http.ResponseWriter, r *http.Request) {
	if h.watched.Add(1) > int64(h.front.settings.MaxViewers) {
		h.watched.Add(-1)
		tooMany(w)
		return
	}
	table.stream(w, r, func() { h.watched.Add(-1) })
}

// health tells a load balancer whether this hall is worth sending people to: one that hears nothing is not.
func (h *Hall) health(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	deaf := h.deaf
	h.mu.Unlock()
	if deaf {
		http.Error(w, "no connection to the broker", http.StatusServiceUnavailable)
		return
	}
	w.Write([]byte("ok\n"))
}

// nobody answers for a table that is not there.
func (h *Hall) nobody(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusNotFound)
	h.front.page(w, r, "hall.html", "page.hall_title")
}

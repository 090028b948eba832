package web

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"davar/rules/referee"
)

// orderTimeout is how long a table of a hall may take to answer: a broker lies between.
const orderTimeout = 10 * time.Second

// shortestKey is how long a key for passes must be, in bytes.
const shortestKey = 32

// errNoPress refuses the clock's button where there is none.
var errNoPress = errors.New("the clock is pressed at the table")

// hasConsole tells whether directors can sign in to the hall and decide.
func (h *Hall) hasConsole() bool { return h.front.settings.Order != nil }

// ofHall tells whether this is a hall with a console, or a desk of it.
func (s *Server) ofHall() bool { return s.settings.Order != nil }

// openConsole prepares the hall for directors.
func (h *Hall) openConsole(s Settings) error {
	key := s.SessionKey
	switch {
	case key == nil:
		key = []byte(rand.Text() + rand.Text())
	case len(key) < shortestKey:
		return errors.New("web: new hall: the key for sessions is too short: 32 random bytes, such as openssl rand -hex 32 writes")
	}
	h.front.guard.passes = &passes{key, time.Now}
	h.front.settings.Tables = h.consoleTables
	return nil
}

// SetPrivateState shows a table's newest state to directors, undelayed, and what the table has. A table is on the console
// from its first on.
func (h *Hall) SetPrivateState(at Place, s referee.State, asOf time.Time, rate float64, has Equipment) {
	desk := h.desk(at, true)
	desk.mu.Lock()
	defer desk.mu.Unlock()
	desk.shown = &shown{state: s, asOf: asOf, rate: rate}
	desk.equipment, desk.faults = has, has.Faults
	desk.showTo(director)
}

// PublishPrivate tells directors of an event at a table.
func (h *Hall) PublishPrivate(at Place, e referee.Event) {
	desk := h.desk(at, false)
	if desk == nil {
		return
	}
	desk.mu.Lock()
	defer desk.mu.Unlock()
	if e.Type == referee.Attention && e.Ruling != nil {
		desk.asked = &e
	}
	desk.concerned.note(e)
	players := [2]string{}
	if desk.shown != nil {
		players = desk.shown.state.Players
	}
	if data := eventView(desk.book, e, players, director); data != nil {
		desk.hub.publish(director, newNumberedMessage(e.Seq, "event", data))
	}
}

// concerned are the sides that the rulings of a match are about, by their numbers: a state does not tell, and a hall has
// no log to look into.
type concerned struct {
	match string
	sides map[int64]string
}

func (c *concerned) note(e referee.Event) {
	if c.match != e.Match {
		*c = concerned{match: e.Match, sides: map[int64]string{}}
	}
	if e.Type == referee.RulingMade && e.Side != nil {
		c.sides[e.Seq] = e.Side.String()
	}
}

// desk returns what directors see of a table. It shares nothing with what spectators see of it, so that nothing can get
// from one to the other.
func (h *Hall) desk(at Place, wanted bool) *Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	desk := h.desks[at]
	if desk == nil && wanted {
		desk = h.front.beside()
		desk.guest.is, desk.guest.deaf = false, h.deaf
		desk.settings.Table, desk.controlled = at.Table, orderTimeout
		desk.settings.Control = func(ctx context.Context, in referee.Input) error { return h.order(ctx, at, desk, in) }
		if afar := h.front.settings.Afar; afar != nil {
			desk.far, desk.draw = newFar(afar, at), &draw{} // a draw sheet would have to be kept
		}
		h.desks[at] = desk
		if h.closed {
			desk.hub.close()
		}
	}
	return desk
}

// order takes a decision to the table, for the match that the director saw.
func (h *Hall) order(ctx context.Context, at Place, desk *Server, in referee.Input) error {
	if in.Decision == nil {
		return errNoPress
	}
	desk.mu.Lock()
	match := ""
	if desk.shown != nil {
		match = desk.shown.state.Match
	}
	desk.mu.Unlock()
	err := h.front.settings.Order(ctx, at, match, *in.Decision)
	h.front.log.Info("a decision was sent to a table", "club", at.Club, "table", at.Table, "decision", in.Decision.What, "by", in.Decision.By, "error", err)
	return err
}

// desk returns below which the console's pages of a table lie.
func (p Place) desk() string {
	return "/t/" + url.PathEscape(p.Club) + "/" + url.PathEscape(p.Table) + "/director"
}

// consoleTables lists the tables as the console shows them.
func (h *Hall) consoleTables() []ConsoleTable {
	h.mu.Lock()
	defer h.mu.Unlock()
	tables := make([]ConsoleTable, 0, len(h.desks))
	for at, desk := range h.desks {
		t := desk.ConsoleTable()
		t.Club, t.Link = at.Club, at.desk()+"/"
		desk.mu.Lock()
		t.Away = desk.guest.away
		desk.mu.Unlock()
		tables = append(tables, t)
	}
	slices.SortFunc(tables, func(a, b ConsoleTable) int { return Place{a.Club, a.Name}.compare(Place{b.Club, b.Name}) })
	return tables
}

// consoleRoutes adds the door, the list of tables and each table's desk. What directors see lies apart from all that
// spectators may ask for, and is guarded in one place.
func (h *Hall) consoleRoutes(mux *http.ServeMux, quick func(pattern string, handle http.HandlerFunc)) {
	front := console{h.front}
	quick("GET /signin", front.signInPage)
	quick("POST /signin", front.signIn)
	quick("POST /signout", front.signOut)
	quick("GET /director", front.guarded(func(w http.ResponseWriter, r *http.Request) {
		front.page(w, r, "director.html", "console.title")
	}))
	quick("GET /director/tables.json", front.directed(front.tables))
	at := func(show func(console, http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if desk := h.desk(Place{r.PathValue("club"), r.PathValue("table")}, false); desk != nil {
				show(console{desk}, w, r)
				return
			}
			h.nobody(w, r)
		}
	}
	page := func(leaf, file, title string, data func(console, *http.Request, pageData) any) {
		quick("GET /t/{club}/{table}/director/"+leaf, front.guarded(at(func(c console, w http.ResponseWriter, r *http.Request) {
			c.render(w, file, data(c, r, c.data(r, title)))
		})))
	}
	plain := func(_ console, _ *http.Request, d pageData) any { return d }
	page("{$}", "desk.html", "console.table_title", plain)
	page("calibrate", "calibrate.html", "console.calibrate_title", plain)
	page("setup", "setup.html", "console.setup_title", func(c console, r *http.Request, d pageData) any { return c.setupData(r, d) })
	asked := func(method, leaf string, answer func(console, http.ResponseWriter, *http.Request)) {
		quick(method+" /t/{club}/{table}/director/"+leaf, front.directed(at(answer)))
	}
	asked("GET", "cases.json", console.cases)
	asked("POST", "decision", func(c console, w http.ResponseWriter, r *http.Request) { c.decide(w, r) })
	asked("GET", "picture.jpg", console.picture)
	asked("GET", "evidence/{seq}/{role}", console.evidence)
	asked("POST", "calibration", console.tryCorners)
	asked("POST", "calibration/keep", console.keepCorners)
	asked("POST", "setup", console.setUp)
	mux.HandleFunc("GET /t/{club}/{table}/director/events", front.directed(at(func(c console, w http.ResponseWriter, r *http.Request) {
		c.streamEvents(w, r)
	})))
}

package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"time"

	"davar/rules/referee"
)

// console is the director's: all tables at a glance, one table in detail, calibration, setting up a match, and the tablets
// at the tables. Nothing of it is to be had without a director's session; what changes something takes a program's
// credential too (guard.who).
type console struct{ *Server }

func (c console) routes(quick func(pattern string, handle http.HandlerFunc)) {
	page := func(pattern, file, title string, data func(*http.Request, pageData) any) {
		quick("GET "+pattern, c.guarded(func(w http.ResponseWriter, r *http.Request) {
			c.render(w, file, data(r, c.data(r, title)))
		}))
	}
	plain := func(_ *http.Request, d pageData) any { return d }
	page("/director", "director.html", "console.title", plain)
	page("/director/table", "desk.html", "console.table_title", plain)
	page("/director/calibrate", "calibrate.html", "console.calibrate_title", plain)
	page("/director/setup", "setup.html", "console.setup_title", func(r *http.Request, d pageData) any { return c.setupData(r, d) })
	quick("GET /director/tables.json", c.directed(c.tables))
	quick("GET /director/cases.json", c.directed(c.cases))
	quick("POST /director/decision", c.directed(c.decide))
	quick("GET /director/picture.jpg", c.directed(c.picture))
	quick("GET /director/tablets.json", c.directed(func(w http.ResponseWriter, r *http.Request) { reply(w, append([]Tablet{}, c.guard.tablets.all()...)) }))
	quick("POST /director/tablets", c.directed(c.invite))
	quick("POST /director/tablets/revoke", c.directed(c.revoke))
	quick("POST /director/calibration", c.directed(c.tryCorners))
	quick("POST /director/calibration/keep", c.directed(c.keepCorners))
	quick("POST /director/setup", c.directed(c.setUp))
	quick("POST /director/draw", c.directed(c.importDraw))
	quick("POST /director/draw/clear", c.directed(c.clearDraw))
}

// guarded lets a director see a page; others are led to the door.
func (c console) guarded(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !c.guard.signedIn(r) {
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, r, "/signin?"+url.Values{"next": {r.URL.RequestURI()}}.Encode(), http.StatusSeeOther)
			return
		}
		page(w, r)
	}
}

// directed lets a director have what is not a page.
func (c console) directed(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		who, ok := c.admit(w, r)
		if !ok {
			return
		}
		if who.Role != Director {
			http.Error(w, errNotYours.Error(), http.StatusForbidden)
			return
		}
		handle(w, r)
	}
}

// signInPage is GET /signin, which leads on to the page that was asked for.
func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) {
	if s.guard.signedIn(r) {
		http.Redirect(w, r, s.onward(r.URL.Query().Get("next")), http.StatusSeeOther)
		return
	}
	s.page(w, r, "signin.html", "table.sign_in")
}

func (c console) render(w http.ResponseWriter, name string, data any) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	if err := c.pages.templates.ExecuteTemplate(w, name, data); err != nil {
		c.log.Debug("a page could not be sent whole", "error", err)
	}
}

// reply answers with JSON.
func reply(w http.ResponseWriter, what any) {
	body, err := json.Marshal(what)
	if err != nil {
		http.Error(w, "try again", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(body)
}

// mistakes is the answer to something filled in wrongly. It is an answer like others and no failure of HTTP, which browsers
// would report as an error of the page.
type mistakes struct {
	Wrong any `json:"wrong"`
}

// tableRow is a table in the console's list.
type tableRow struct {
	Club    string             `json:"club,omitempty"`
	Name    string             `json:"name"`
	Link    string             `json:"link,omitempty"`
	Away    string             `json:"away,omitempty"`
	Needs   []string           `json:"needs"`  // most urgent first
	Says    []words            `json:"says"`   // what the referee says or asks there now
	Faults  []string           `json:"faults"` // devices that fail
	Players [2]string          `json:"players"`
	Length  int                `json:"length"`
	Score   referee.Score      `json:"score"`
	Game    int                `json:"game"`
	Phase   string             `json:"phase"`
	Turn    string             `json:"turn"`
	Cube    referee.CubeState  `json:"cube"`
	Points  [24]int            `json:"points"`
	Bar     [2]int             `json:"bar"`
	Off     [2]int             `json:"off"`
	Layout  referee.Layout     `json:"layout"`
	Clock   *referee.ClockView `json:"clock,omitempty"`
	AgeMS   int64              `json:"age_ms"` // of the clock's figures
	Rate    float64            `json:"rate"`
	Appeal  bool               `json:"appeal,omitempty"`
	Known   bool               `json:"known"` // there is a state
}

// tables is GET /director/tables.json: all tables, who needs the director first.
func (c console) tables(w http.ResponseWriter, _ *http.Request) {
	now := time.Now()
	rows := []*tableRow{}
	for _, t := range c.allTables() {
		rows = append(rows, c.tableRow(&t, now))
	}
	slices.SortStableFunc(rows, byNeed)
	reply(w, rows)
}

// allTables returns the tables of the hall, or the one of this server.
func (c console) allTables() []ConsoleTable {
	if c.settings.Tables != nil {
		return c.settings.Tables()
	}
	return []ConsoleTable{c.ConsoleTable()}
}

// ConsoleTable returns this server's table as a console lists it. It never blocks.
func (s *Server) ConsoleTable() ConsoleTable {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := ConsoleTable{Name: s.settings.Table, Link: "/director/table", Faults: slices.Clone(s.faults)}
	if s.shown != nil {
		state := s.shown.state
		t.State, t.AsOf, t.Rate = &state, s.shown.asOf, s.shown.rate
	}
	return t
}

func (c console) tableRow(t *ConsoleTable, now time.Time) *tableRow {
	row := &tableRow{Club: t.Club, Name: t.Name, Link: t.Link, Away: t.Away, Needs: t.Needs(now), Says: []words{}, Faults: t.Faults}
	if row.Needs == nil {
		row.Needs = []string{}
	}
	if row.Faults == nil {
		row.Faults = []string{}
	}
	s := t.State
	if s == nil {
		return row
	}
	row.Known, row.Players, row.Length, row.Score, row.Game, row.Phase, row.Turn = true, s.Players, s.Length, s.Score, s.Game, s.Phase, s.Turn
	row.Cube, row.Points, row.Bar, row.Off, row.Layout, row.Clock = s.Cube, s.Points, s.Bar, s.Off, s.Layout, s.Clock
	row.Appeal = s.Appeal
	row.AgeMS, row.Rate = now.Sub(t.AsOf).Milliseconds(), t.Rate
	for i := range s.Rulings {
		row.Says = append(row.Says, viewRuling(c.book, &s.Rulings[i]).Text)
	}
	if s.Notice != "" {
		row.Says = append(row.Says, wordsOf(c.book, func(lang string) string { return c.book.Attention(lang, s.Notice) }))
	}
	return row
}

// picture is GET /director/picture.jpg: the newest picture with what was read of it drawn in.
func (c console) picture(w http.ResponseWriter, r *http.Request) {
	if c.far != nil {
		c.farPicture(w, r)
		return
	}
	look := c.settings.Drawn
	if look == nil || r.URL.Query().Get("plain") != "" {
		look = c.settings.Frame
	}
	if look != nil {
		if jpeg, taken, ok := look(); ok {
			sendPicture(w, jpeg, taken)
			return
		}
	}
	w.WriteHeader(http.StatusNoContent) // there will be one a moment after it was first asked for
}

func sendPicture(w http.ResponseWriter, jpeg []byte, taken time.Time) {
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Last-Modified", taken.UTC().Format(http.TimeFormat))
	w.Write(jpeg)
}

// invite is POST /director/tablets {"name":"…"}: a code that pairs one tablet.
func (c console) invite(w http.ResponseWriter, r *http.Request) {
	var wish struct {
		Name string `json:"name"`
	}
	if !readWish(w, r, &wish) {
		return
	}
	if wish.Name == "" || len(wish.Name) > longestName {
		http.Error(w, "give the tablet a name of 1 to 40 characters", http.StatusBadRequest)
		return
	}
	code, err := c.guard.tablets.invite(wish.Name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	reply(w, map[string]any{"code": code, "minutes": int(codeLife / time.Minute)})
}

// revoke is POST /director/tablets/revoke {"id":"…"}.
func (c console) revoke(w http.ResponseWriter, r *http.Request) {
	var wish struct {
		ID string `json:"id"`
	}
	if !readWish(w, r, &wish) {
		return
	}
	known, err := c.guard.tablets.revoke(wish.ID)
	switch {
	case err != nil: // it is gone all the same until the next start
		c.log.Error("a tablet's right was taken, but that could not be written down", "error", err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case !known:
		http.Error(w, "there is no such tablet", http.StatusNotFound)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"davar/device/phrasebook"
	"davar/rules/referee"
)

//go:embed page
var pageFiles embed.FS

// pageTexts are the parts of the catalogue that a page fills in by itself; what happens in a game is told by the
// server in whole sentences.
var pageTexts = []string{"page.", "table.", "aloud.", "phase.", "side.", "severity.", "pause.", "fault.", "console."}

// pages serves the pages and what they are made of. All of it is fixed once made.
type pages struct {
	book      *phrasebook.Book
	templates *template.Template
	assets    map[string]asset
	phrases   map[string]map[string]phrasebook.Phrase
}

// asset is a file with the tag by which a browser asks whether its copy still holds.
type asset struct {
	kind, tag string
	data      []byte
}

func newAsset(kind string, data []byte) asset {
	sum := sha256.Sum256(data)
	return asset{kind, `"` + hex.EncodeToString(sum[:12]) + `"`, data}
}

func newPages(book *phrasebook.Book) (*pages, error) {
	p := &pages{book: book, assets: map[string]asset{}, phrases: map[string]map[string]phrasebook.Phrase{}}
	for _, lang := range book.Languages() {
		p.phrases[lang] = map[string]phrasebook.Phrase{}
		for key, phrase := range book.Phrases(lang) {
			for _, part := range pageTexts {
				if strings.HasPrefix(key, part) {
					p.phrases[lang][key] = phrase
				}
			}
		}
	}
	templates, err := template.ParseFS(pageFiles, "page/*.html")
	if err != nil {
		return nil, fmt.Errorf("web: read the pages: %w", err)
	}
	p.templates = templates
	files, err := fs.ReadDir(pageFiles, "page")
	if err != nil {
		return nil, fmt.Errorf("web: read the pages: %w", err)
	}
	for _, file := range files {
		data, err := fs.ReadFile(pageFiles, "page/"+file.Name())
		if err != nil {
			return nil, fmt.Errorf("web: read the pages: %w", err)
		}
		if kind := kindOf(file.Name()); kind != "" {
			p.assets[file.Name()] = newAsset(kind, data)
		}
	}
	return p, nil
}

// kindOf returns the media type of an asset, empty for files that are not served as they are.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".js": // said here because the machine's own table of types may say otherwise
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return mime.TypeByExtension(".svg")
	}
	return ""
}

// asset is GET /assets/{name}.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	a, ok := p.assets[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	serve(w, r, a)
}

// texts is GET /texts/{language}.json.
func (p *pages) texts(w http.ResponseWriter, r *http.Request) {
	phrases, ok := p.phrases[strings.TrimSuffix(r.PathValue("file"), ".json")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	data, err := json.Marshal(phrases)
	if err != nil {
		http.Error(w, "try again", http.StatusInternalServerError)
		return
	}
	serve(w, r, newAsset("application/json; charset=utf-8", data))
}

// caching has browsers keep an asset but ask, so that a new version of Davar shows at once. A picture is not asked for
// again for a day: browsers want the icon anew whenever the page's title changes, which it does each turn.
func (a asset) caching() string {
	if strings.HasPrefix(a.kind, "image/") {
		return "max-age=86400"
	}
	return "no-cache"
}

func serve(w http.ResponseWriter, r *http.Request, a asset) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("ETag", a.tag)
	h.Set("Cache-Control", a.caching())
	if r.Header.Get("If-None-Match") == a.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(a.data)
}

// pageData is what a page is made from.
type pageData struct {
	Lang, Dir, Theme, Title string
	Phrases                 map[string]phrasebook.Phrase
	SignedIn                bool   // a director
	Staff                   bool   // a director, or the unit at the table
	Open                    bool   // there are accounts, and something they open
	Named                   bool   // signing in needs a name
	Next                    string // where signing in leads; empty: back to this page
	Here                    string // which page of the console this is
	Camera                  bool   // a camera watches the board
	Doctor                  bool   // the table can be examined
	Board                   bool   // there is a page with the board
	Log                     bool   // there is a match log to look into
	Hall                    bool   // the table is one of a hall's, or this is the hall
	Console                 bool   // directors can sign in to the hall
	Desk                    string // below which the console asks about the table
	AtDesk                  bool   // the console's rooms of one table can be gone to
	Room                    string // the first of them
	Calibrates, SetsUp      bool   // and there are these
	Refused                 string // "", "wrong" or "wait"
	book                    *phrasebook.Book
}

// Presses tells whether the clocks on the table's page are buttons.
func (d pageData) Presses() bool { return d.Open && d.Staff }

// T returns a text of the catalogue in the page's language.
func (d pageData) T(key string) string { return d.book.Text(d.Lang, key, nil) }

// N writes figures in the digits of the page's language.
func (d pageData) N(v any) string {
	return d.book.Text(d.Lang, "sheet.number", map[string]string{"n": fmt.Sprint(v)})
}

// moment writes the day and the minute of an RFC 3339 time; empty for what is none.
func (d pageData) moment(at string) string {
	if len(at) < len("2006-01-02T15:04") {
		return ""
	}
	return d.book.Day(d.Lang, at) + " " + d.N(at[11:16])
}

// DarkWhen returns the media query under which the page is dark: always, never, or as the reader's system is.
func (d pageData) DarkWhen() string {
	switch d.Theme {
	case "dark":
		return "all"
	case "light":
		return "not all"
	}
	return "(prefers-color-scheme: dark)"
}

// Sides lists the players, for what the table's page has a button a side for.
func (pageData) Sides() []string { return []string{"light", "dark"} }

// SideDecisions lists the decisions about a side that have buttons; each is told by the text "table.<decision>s".
func (pageData) SideDecisions() []string {
	return []string{referee.DecideStart, referee.DecideReplay, referee.DecideRethrow}
}

// DecisionsTitle returns the key of what the decisions are called: the director's, or those of the players at the table.
func (d pageData) DecisionsTitle() string {
	if d.SignedIn {
		return "table.director"
	}
	return "console.players_decide"
}

// CubeValues lists what the cube can show.
func (pageData) CubeValues() []int { return []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512} }

// Corners lists the corners of the board as the texts "console.corner_" name them, in the order of a calibration.
func (pageData) Corners() []string { return []string{"tl", "tr", "br", "bl"} }

// CubeDecisions is SideDecisions for the cube.
func (pageData) CubeDecisions() []string {
	return []string{referee.DecideDouble, referee.DecideTake, referee.DecideDrop}
}

func (s *Server) data(r *http.Request, title string) pageData {
	lang := s.book.Match(r.URL.Query().Get("lang"), cookie(r, "lang"), r.Header.Get("Accept-Language"))
	d := pageData{
		Lang: lang, Dir: s.book.Direction(lang), Title: s.book.Text(lang, title, nil), Theme: "auto",
		Phrases: s.pages.phrases[lang], Open: s.guard.open() && (s.settings.Control != nil || s.ofHall()), Named: s.guard.named(), book: s.book,
		Board: !s.settings.ClockOnly, Log: s.settings.Matches != nil, Hall: s.guest.is || s.ofHall(), Console: s.ofHall(), Desk: "/director",
	}
	who := s.guard.session(r)
	d.SignedIn, d.Staff, d.Next = who.Role == Director, who.Role != "", s.onward(r.URL.Query().Get("next"))
	if d.Next == s.home() {
		d.Next = ""
	}
	if s.ofHall() {
		d.Desk = strings.TrimSuffix(r.URL.EscapedPath(), "/")
	}
	d.Here, d.Camera, d.Doctor = path.Base(r.URL.Path), s.settings.Frame != nil, s.settings.Examine != nil
	d.AtDesk, d.Room, d.Calibrates, d.SetsUp = !d.Hall, "/director/table", d.Camera, true
	if s.far != nil {
		d.leadTo(s, r)
	}
	for _, theme := range []string{cookie(r, "theme"), r.URL.Query().Get("theme")} {
		if theme == "light" || theme == "dark" {
			d.Theme = theme
		}
	}
	if refused := r.URL.Query().Get("refused"); refused == "wrong" || refused == "wait" {
		d.Refused = refused
	}
	return d
}

// leadTo fills in what leads through the console's rooms of a hall's table.
func (d *pageData) leadTo(table *Server, r *http.Request) {
	d.Desk = table.far.at.desk()
	d.AtDesk, d.Room, d.Camera = true, d.Desk+"/", table.canBeAsked(AskPicture)
	d.Calibrates, d.SetsUp = table.canBeAsked(AskCalibrate), table.canBeAsked(AskSetup)
	if strings.HasSuffix(r.URL.Path, "/") {
		d.Here = "table"
	}
}

func cookie(r *http.Request, name string) string {
	if c, err := r.Cookie(name); err == nil {
		return c.Value
	}
	return ""
}

func (s *Server) livePage(w http.ResponseWriter, r *http.Request) {
	if s.settings.ClockOnly {
		s.tablePage(w, r)
		return
	}
	s.page(w, r, "live.html", "page.title")
}

func (s *Server) tablePage(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, "table.html", "table.title")
}

func (s *Server) page(w http.ResponseWriter, r *http.Request, name, title string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store") // it depends on cookies and on who is signed in
	if err := s.pages.templates.ExecuteTemplate(w, name, s.data(r, title)); err != nil {
		s.log.Debug("a page could not be sent whole", "error", err)
	}
}

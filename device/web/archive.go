package web

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"davar/device/analysis"
	"davar/device/journal"
	"davar/device/scoresheet"
	"davar/device/season"
	"davar/rules/transcript"
)

// archive is the match log's pages: /matches and what lies below it. To those who are not the director a match opens
// only when it is over and the spectators' delay has passed since (PUB-1, EQUIP-9).
type archive struct {
	*Server
	log   *journal.Journal
	delay time.Duration
	now   func() time.Time
}

// matchesPerPage is how many matches the list shows at once.
const matchesPerPage = 50

// routes adds the pages to a server's.
func (a *archive) routes(quick func(pattern string, handle http.HandlerFunc)) {
	style := newAsset("text/css; charset=utf-8", scoresheet.Style())
	quick("GET /assets/sheet.css", func(w http.ResponseWriter, r *http.Request) { serve(w, r, style) })
	quick("GET /matches", a.list)
	quick("GET /season", (&seasons{a, season.NewLedger(a.log, a.log.Path())}).page)
	quick("GET /matches/{id}", a.match)
	quick("GET /matches/{id}/{file}", a.download)
	quick("GET /matches/{id}/pictures/{name}", a.picture)
	quick("POST /matches/{id}/rename", a.rename)
	quick("POST /matches/{id}/delete", a.remove)
}

// closed tells whether a match is not to be shown to spectators yet.
func (a *archive) closed(ctx context.Context, m *journal.Match) (bool, error) {
	over := m.Ended
	if !m.Finished() {
		last, going, err := a.log.Last(ctx)
		if err != nil || going && last.ID == m.ID {
			return true, err
		}
		events, err := a.log.Events(ctx, m.ID, m.LastSeq, 1) // it was broken off
		if err != nil {
			return true, err
		}
		over = m.Started
		if len(events) > 0 {
			over = events[0].At
		}
	}
	at, err := time.Parse(time.RFC3339, over)
	return err != nil || a.now().Before(at.Add(a.delay)), nil
}

// matchRow is a match in the list.
type matchRow struct {
	journal.Match
	Day, Result string
	Link        string
}

type matchesData struct {
	pageData
	Query        journal.Query
	Rows         []matchRow
	Newer, Older string // addresses; empty: there are none
}

// list is GET /matches.
func (a *archive) list(w http.ResponseWriter, r *http.Request) {
	wish := r.URL.Query()
	page, _ := strconv.Atoi(wish.Get("page"))
	page = min(max(page, 0), 1_000_000)
	d := matchesData{pageData: a.data(r, "matches.title"), Query: sought(wish)}
	q := d.Query
	q.Limit, q.Offset = matchesPerPage+1, page*matchesPerPage
	found, err := a.log.Find(r.Context(), q)
	if err != nil {
		a.fail(w, err)
		return
	}
	turn := func(to int) string { return "/matches?" + searching(wish, "page", strconv.Itoa(to)) }
	if len(found) > matchesPerPage {
		found, d.Older = found[:matchesPerPage], turn(page+1)
	}
	if page > 0 {
		d.Newer = turn(page - 1)
	}
	for i := range found {
		row, err := a.row(r.Context(), &d.pageData, found[i])
		if err != nil {
			a.fail(w, err)
			return
		}
		d.Rows = append(d.Rows, row)
	}
	a.render(w, http.StatusOK, "matches.html", d)
}

// sought is what the form of a search asks for.
func sought(wish url.Values) journal.Query {
	return journal.Query{
		Player: short(wish.Get("player")), Event: short(wish.Get("event")), From: short(wish.Get("from")), Until: short(wish.Get("until")),
	}
}

// searching returns the query of an address that goes on with a search, one parameter set.
func searching(wish url.Values, name, value string) string {
	values := url.Values{name: {value}}
	for _, kept := range []string{"player", "event", "from", "until", "lang"} {
		if v := wish.Get(kept); v != "" {
			values.Set(kept, v)
		}
	}
	return values.Encode()
}

// short bounds a text that somebody searches for.
func short(text string) string { return text[:min(len(text), longestWord)] }

func (a *archive) row(ctx context.Context, d *pageData, m journal.Match) (matchRow, error) {
	row := matchRow{Match: m, Day: d.moment(m.Started), Link: "/matches/" + url.PathEscape(m.ID)}
	closed, err := a.closed(ctx, &m)
	if err != nil {
		return row, err
	}
	switch {
	case closed && !d.SignedIn:
		row.Result = a.book.Text(d.Lang, "sheet.in_play", nil)
	default:
		row.Result = d.N(m.Score.Light) + "–" + d.N(m.Score.Dark)
		if !m.Finished() {
			row.Result += " · " + a.book.Text(d.Lang, "sheet.unfinished", nil)
		}
	}
	return row, nil
}

type matchData struct {
	pageData
	Match     journal.Match
	Closed    string // why there is nothing to see
	Sheet     template.HTML
	Downloads []download
}

// download is a file that a match can be had as.
type download struct{ Link, Name string }

// match is GET /matches/{id}.
func (a *archive) match(w http.ResponseWriter, r *http.Request) {
	d, status := matchData{pageData: a.data(r, "matches.title")}, http.StatusOK
	m, t, err := a.open(r, d.SignedIn)
	switch {
	case errors.Is(err, errNotYet):
		minutes := strconv.Itoa(int((a.delay + time.Minute - 1) / time.Minute))
		d.Closed = a.book.Text(d.Lang, "matches.later", map[string]string{"min": minutes})
		if a.delay <= 0 {
			d.Closed = d.T("matches.later_end")
		}
	case errors.Is(err, journal.ErrUnknown):
		status, d.Closed = http.StatusNotFound, d.T("matches.not_found")
	case err != nil:
		a.fail(w, err)
		return
	default:
		if err := a.lay(r.Context(), &d, t); err != nil {
			a.fail(w, err)
			return
		}
	}
	d.Match = m
	a.render(w, status, "match.html", d)
}

// lay puts the match's sheet and its files into the page.
func (a *archive) lay(ctx context.Context, d *matchData, t *transcript.Transcript) error {
	o := scoresheet.Options{Lang: d.Lang, Private: d.SignedIn, Analysis: a.analysis(t.ID)}
	base := "/matches/" + url.PathEscape(t.ID) + "/"
	if d.SignedIn {
		pictures, err := a.log.Pictures(ctx, t.ID)
		if err != nil {
			return err
		}
		o.Pictures = map[int64][]string{}
		for _, p := range pictures {
			if p.Role != journal.TurnEnd {
				o.Pictures[p.Seq] = append(o.Pictures[p.Seq], base+"pictures/"+url.PathEscape(p.Name))
			}
		}
	}
	sheet := scoresheet.Of(t, a.book, o)
	d.Title = sheet.Title + " · " + a.book.Text(d.Lang, "page.brand", nil)
	var err error
	if d.Sheet, err = sheet.Parts(); err != nil {
		return err
	}
	for _, kind := range []string{"mat", "sgf", "xgid", "json"} {
		d.Downloads = append(d.Downloads, download{base + "match." + kind, "." + kind})
	}
	for _, lang := range a.book.Languages() {
		d.Downloads = append(d.Downloads, download{base + "sheet." + lang + ".html", d.T("matches.sheet_" + lang)})
	}
	if d.SignedIn {
		d.Downloads = append(d.Downloads, download{base + "match.davar", d.T("matches.signed")})
	}
	return nil
}

// analysis returns what GNU Backgammon makes of a match, nil when there is nothing. A match in progress has none.
func (a *archive) analysis(id string) *analysis.Analysis {
	found, err := analysis.Load(analysis.Folder(a.log.Path()), id)
	if err != nil {
		a.Server.log.Warn("an analysis cannot be read", "error", err)
	}
	return found
}

// errNotYet says that a match is not open to spectators yet.
var errNotYet = errors.New("web: the match is being played; its record opens later")

// open reads the match that the request is about, if this reader may see it.
func (a *archive) open(r *http.Request, director bool) (journal.Match, *transcript.Transcript, error) {
	m, err := a.log.Match(r.Context(), r.PathValue("id"))
	if err != nil {
		return m, nil, err
	}
	if !director {
		closed, err := a.closed(r.Context(), &m)
		if err != nil {
			return m, nil, err
		}
		if closed {
			return m, nil, errNotYet
		}
	}
	t, err := a.log.Transcript(r.Context(), m.ID)
	return m, t, err
}

// render sends a page.
func (a *archive) render(w http.ResponseWriter, status int, name string, data any) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store") // it depends on cookies, on who is signed in, and on the hour
	w.WriteHeader(status)
	if err := a.pages.templates.ExecuteTemplate(w, name, data); err != nil {
		a.Server.log.Debug("a page could not be sent whole", "error", err)
	}
}

// fail answers with what went wrong.
func (a *archive) fail(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, journal.ErrUnknown):
		http.Error(w, "there is no such match", http.StatusNotFound)
	case errors.Is(err, errNotYet):
		http.Error(w, "this match is being played; its record opens later", http.StatusForbidden)
	case errors.Is(err, context.Canceled):
	default:
		a.Server.log.Error("the match log could not be read for the page", "error", err)
		http.Error(w, "the match log cannot be read now; try again", http.StatusInternalServerError)
	}
}

package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"davar/rules/referee"
)

// FinishedMatch is a match that is over, as a table tells of it.
type FinishedMatch struct {
	Match   string
	Players [2]string // light, dark
	Length  int
	Score   referee.Score
	Winner  string // light, dark, or empty
	Event   string // tournament
	Ended   string // RFC 3339
}

// mostResults is how many matches the page of results lists; who looks for an older one names a player.
const mostResults = 200

// resultRow is a match in the list.
type resultRow struct {
	FinishedMatch
	Place
	Day, Result, At, Link string
}

type resultsData struct {
	pageData
	Player string // who is looked for
	Rows   []resultRow
}

// SetMatches says which matches are over at a table, the newest first.
func (h *Hall) SetMatches(at Place, matches []FinishedMatch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.matches[at] = matches
}

// results is GET /matches: the matches that are over at all tables, the newest first; the query may hold player, a part of
// a name.
func (h *Hall) results(w http.ResponseWriter, r *http.Request) {
	f := h.front
	d := resultsData{pageData: f.data(r, "page.hall_matches"), Player: short(r.URL.Query().Get("player"))}
	d.Rows = h.finished(d.Player)
	for i := range d.Rows {
		row := &d.Rows[i]
		row.Day, row.Result = d.moment(row.Ended), d.N(row.Score.Light)+"–"+d.N(row.Score.Dark)
		row.At = f.book.Text(d.Lang, "page.hall_table", map[string]string{"table": row.Table})
		row.Link = "/t/" + url.PathEscape(row.Club) + "/" + url.PathEscape(row.Table) + "/"
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	if err := f.pages.templates.ExecuteTemplate(w, "results.html", d); err != nil {
		f.log.Debug("a page could not be sent whole", "error", err)
	}
}

// finished returns the matches of all tables in which somebody's name holds a text, the newest first.
func (h *Hall) finished(player string) []resultRow {
	player = strings.ToLower(player)
	h.mu.Lock()
	defer h.mu.Unlock()
	var rows []resultRow
	for at, matches := range h.matches {
		for _, m := range matches {
			if player == "" || strings.Contains(strings.ToLower(m.Players[0]), player) || strings.Contains(strings.ToLower(m.Players[1]), player) {
				rows = append(rows, resultRow{FinishedMatch: m, Place: at})
			}
		}
	}
	slices.SortFunc(rows, func(a, b resultRow) int {
		return cmp.Or(cmp.Compare(b.Ended, a.Ended), a.Place.compare(b.Place), cmp.Compare(a.Match, b.Match))
	})
	return rows[:min(len(rows), mostResults)]
}

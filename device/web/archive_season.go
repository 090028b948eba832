package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"davar/device/journal"
	"davar/device/season"
)

// seasons is the page that adds up the match log.
type seasons struct {
	*archive
	tallies *season.Ledger
}

// seasonData is what the season's page is made from: the figures as they are written.
type seasonData struct {
	pageData
	Query journal.Query
	// Counting says that there is more to count than could be at once.
	Counting bool
	Span     string // how many matches, and from when to when
	Columns  []seasonColumn
	Players  []seasonRow
	Clubs    []seasonRow
}

// seasonColumn is a head of the table; Link sorts by it.
type seasonColumn struct {
	Name, Link string
	Chosen     bool
}

type seasonRow struct {
	Name, Link string
	Cells      []string
	Rulings    string
}

// seasonPatience is how long a reader waits before he is told that the matches are still being counted.
const seasonPatience = 10 * time.Second

// seasonOrders are what players can be sorted by, in the order of the columns.
var seasonOrders = []struct {
	key   string
	order func(a, b *season.Line) int
}{
	{"matches", func(a, b *season.Line) int { return b.Matches - a.Matches }},
	{"won", func(a, b *season.Line) int { return b.Won - a.Won }},
	{"games", func(a, b *season.Line) int { return b.GameWon - a.GameWon }},
	{"points", func(a, b *season.Line) int { return (b.Points - b.Against) - (a.Points - a.Against) }},
	{"rate", judgedFirst(func(a, b *season.Line) int { return cmp.Compare(a.Errors.Rate(), b.Errors.Rate()) })},
	{"cube", judgedFirst(func(a, b *season.Line) int { return cmp.Compare(a.Errors.CubeRate(), b.Errors.CubeRate()) })},
	{"luck", judgedFirst(func(a, b *season.Line) int { return cmp.Compare(b.Errors.Luck, a.Errors.Luck) })},
	{"time", func(a, b *season.Line) int { return cmp.Compare(a.PerTurn(), b.PerTurn()) }},
	{"rulings", func(a, b *season.Line) int { return a.Announced() - b.Announced() }},
}

// judgedFirst puts those of whom no match is analysed last.
func judgedFirst(order func(a, b *season.Line) int) func(a, b *season.Line) int {
	return func(a, b *season.Line) int {
		if (a.Judged > 0) != (b.Judged > 0) {
			return b.Judged - a.Judged
		}
		return order(a, b)
	}
}

// page is GET /season: what players did over all matches of the log.
func (a *seasons) page(w http.ResponseWriter, r *http.Request) {
	wish := r.URL.Query()
	d := seasonData{pageData: a.data(r, "season.title"), Query: sought(wish)}
	patience, stop := context.WithTimeout(r.Context(), seasonPatience)
	defer stop()
	tallies, err := a.tallies.Tallies(patience, d.Query)
	if err != nil && patience.Err() != nil && r.Context().Err() == nil {
		d.Counting = true // the page asks again and goes on from there
		a.render(w, http.StatusOK, "season.html", d)
		return
	}
	if err != nil {
		a.fail(w, err)
		return
	}
	if !d.SignedIn {
		if tallies, err = a.opened(r.Context(), tallies); err != nil {
			a.fail(w, err)
			return
		}
	}
	d.lay(season.Sum(tallies, d.SignedIn), wish)
	a.render(w, http.StatusOK, "season.html", d)
}

// opened leaves out the matches that spectators may not see yet.
func (a *archive) opened(ctx context.Context, tallies []season.Tally) ([]season.Tally, error) {
	newest, err := a.log.Find(ctx, journal.Query{Limit: matchesPerPage})
	if err != nil {
		return nil, err
	}
	shut := map[string]bool{}
	for i := range newest {
		if shut[newest[i].ID], err = a.closed(ctx, &newest[i]); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(tallies, func(t season.Tally) bool { return shut[t.Match] }), nil
}

// lay writes the figures in the page's language, the players sorted as wished.
func (d *seasonData) lay(s *season.Season, wish url.Values) {
	by := wish.Get("by")
	for _, o := range seasonOrders {
		d.Columns = append(d.Columns, seasonColumn{d.T("season." + o.key), "/season?" + searching(wish, "by", o.key), o.key == by})
		if o.key == by {
			slices.SortStableFunc(s.Players, func(a, b season.Line) int { return o.order(&a, &b) })
		}
	}
	if s.Matches > 0 {
		d.Span = d.book.Count(d.Lang, "matches.count", s.Matches, nil) + " · " + d.book.Day(d.Lang, s.First) + " – " + d.book.Day(d.Lang, s.Last)
	}
	for i := range s.Players {
		row := d.row(&s.Players[i], true)
		if name := s.Players[i].Name; name != "" {
			row.Link = "/matches?" + url.Values{"player": {name}}.Encode()
		}
		d.Players = append(d.Players, row)
	}
	for i := range s.Clubs {
		d.Clubs = append(d.Clubs, d.row(&s.Clubs[i], false))
	}
}

// row writes one line; of a club it is not said who won.
func (d *seasonData) row(l *season.Line, player bool) seasonRow {
	row := seasonRow{Name: cmp.Or(l.Name, d.T("season.unnamed"))}
	won, games, points := "", d.figure("%d", l.Games), d.figure("%d", l.Points)
	if player {
		won = d.figure("%d", l.Won)
		games = d.figure("%d", l.GameWon) + "–" + d.figure("%d", l.Games-l.GameWon)
		points = d.figure("%d", l.Points) + "–" + d.figure("%d", l.Against)
	}
	rate, cube, luck := "", "", ""
	if l.Judged > 0 {
		rate = d.figure("%.1f", l.Errors.Rate())
		if l.Errors.Cubes > 0 {
			cube = d.figure("%.1f", l.Errors.CubeRate())
		}
		if player {
			luck = d.figure("%+.2f", l.Errors.Luck)
		}
	}
	row.Cells = []string{d.figure("%d", l.Matches), won, games, points, rate, cube, luck, d.figure("%.1f", float64(l.PerTurn())/1000)}
	row.Rulings = d.figure("%d", l.Announced())
	for i, code := range l.Codes() {
		if i == 4 {
			row.Rulings += " …"
			break
		}
		row.Rulings += " · " + code + " ×" + d.figure("%d", l.Rulings[code])
	}
	return row
}

// figure writes a figure in the digits of the language.
func (d *seasonData) figure(format string, v any) string {
	return d.book.Number(d.Lang, fmt.Sprintf(format, v))
}

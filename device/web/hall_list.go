package web

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"davar/rules/referee"
)

// tellEvery is how often those who look at the list of tables are told what has changed in it.
const tellEvery = time.Second

// row is a table in the list. It holds what the list shows and nothing that changes oftener: all who look at it are told
// of each change.
type row struct {
	Place
	Players [2]string     `json:"players"`
	Length  int           `json:"length"`
	Score   referee.Score `json:"score"`
	Game    int           `json:"game"`
	Turn    string        `json:"turn"`
	Winner  string        `json:"winner,omitempty"`
	Cube    int           `json:"cube,omitempty"`
	Calls   int           `json:"calls"` // open rulings that all may hear
	Paused  bool          `json:"paused,omitempty"`
	Away    string        `json:"away,omitempty"`
	Gone    bool          `json:"gone,omitempty"` // no longer in the list
}

func (s *Server) row(at Place) *row {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.public == nil {
		return nil
	}
	now := &s.public.state
	r := &row{Place: at, Players: now.Players, Length: now.Length, Score: now.Score, Game: now.Game, Turn: now.Turn,
		Winner: now.Winner, Away: s.guest.away}
	if now.Cube.Enabled && now.Cube.Value > 1 {
		r.Cube = now.Cube.Value
	}
	for i := range now.Rulings {
		if mayHear(public, &now.Rulings[i]) {
			r.Calls++
		}
	}
	r.Paused = now.Appeal || now.Clock != nil && now.Clock.Paused != ""
	return r
}

// keepTelling has the list follow the tables until ctx ends.
func (h *Hall) keepTelling(ctx context.Context) {
	every := time.NewTicker(tellEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			h.mu.Lock()
			dirty := h.dirty
			h.dirty = false
			h.mu.Unlock()
			if dirty {
				h.tell(h.changes())
			}
		}
	}
}

// changes returns the whole list and what is new in it, in the order of places.
func (h *Hall) changes() (all, news []*row, deaf bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for at, table := range h.tables {
		now := table.row(at)
		if now == nil {
			continue
		}
		if was := h.rows[at]; was == nil || *was != *now {
			news = append(news, now)
		}
		h.rows[at] = now
		all = append(all, now)
	}
	for at, was := range h.rows {
		if h.tables[at] == nil {
			gone := *was
			gone.Gone = true
			news = append(news, &gone)
			delete(h.rows, at)
		}
	}
	byPlace := func(a, b *row) int { return a.compare(b.Place) }
	slices.SortFunc(all, byPlace)
	slices.SortFunc(news, byPlace)
	return all, news, h.deaf
}

// tell keeps the list for those who come and sends the news to those who are there.
func (h *Hall) tell(all, news []*row, deaf bool) {
	list := func(rows []*row) []byte {
		body, err := json.Marshal(struct {
			Deaf   bool   `json:"deaf,omitempty"`
			Tables []*row `json:"tables"`
		}{deaf, append([]*row{}, rows...)})
		if err != nil { // cannot happen: rows hold nothing that JSON cannot
			body = []byte("{}")
		}
		return body
	}
	h.front.hub.keep(public, &snapshot{asOf: time.Now(), rate: 1, body: list(all)})
	h.front.hub.publish(public, newMessage("tables", list(news)))
}

// compareNaturally orders names so that table 9 comes before table 10.
func compareNaturally(a, b string) int {
	for a != "" && b != "" {
		m, n := digitsAtStart(a), digitsAtStart(b)
		if m == 0 || n == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		if order := cmp.Or(cmp.Compare(m, n), cmp.Compare(a[:m], b[:n])); order != 0 {
			return order
		}
		a, b = a[m:], b[n:]
	}
	return cmp.Compare(len(a), len(b))
}

func digitsAtStart(s string) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

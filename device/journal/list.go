package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"davar/rules/transcript"
)

// Query says which matches are looked for; the zero value finds all.
type Query struct {
	Player string // part of a player's name, capitals or not
	Event  string // part of the tournament's name, capitals or not
	// From and Until bound the day or moment the match started, both included: "2026-11", "2026-11-29" or an RFC 3339
	// time in UTC.
	From, Until string
	Limit       int // at most so many; 0: all
	Offset      int // so many of the newest are passed over
}

// Matches returns all matches, the newest first; deleted ones are not among them.
func (r *Reader) Matches(ctx context.Context) ([]Match, error) { return r.Find(ctx, Query{}) }

// Find returns the matches that fit all of the query, the newest first.
func (r *Reader) Find(ctx context.Context, q Query) ([]Match, error) {
	matches, err := r.find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("journal: list the matches: %w", explain(err))
	}
	return matches, nil
}

func (r *Reader) find(ctx context.Context, q Query) ([]Match, error) {
	where, args := q.condition()
	limit := q.Limit
	if limit <= 0 {
		limit = -1 // SQLite's "no limit"
	}
	rows, err := r.read.QueryContext(ctx, selectMatch+" WHERE "+where+" ORDER BY first_row DESC LIMIT ? OFFSET ?",
		append(args, limit, max(q.Offset, 0))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var matches []Match
	for rows.Next() {
		m, err := scanMatch(rows)
		if err != nil {
			return nil, err
		}
		matches = append(matches, m)
	}
	return matches, rows.Err()
}

// condition writes the query in SQL.
func (q Query) condition() (where string, args []any) {
	parts := []string{"deleted = 0"}
	add := func(part string, values ...any) {
		parts, args = append(parts, part), append(args, values...)
	}
	if q.Player != "" {
		p := pattern(q.Player)
		add(`(light LIKE ? ESCAPE '\' OR dark LIKE ? ESCAPE '\')`, p, p)
	}
	if q.Event != "" {
		add(`event LIKE ? ESCAPE '\'`, pattern(q.Event))
	}
	if q.From != "" {
		add("started >= ?", q.From)
	}
	if q.Until != "" {
		add("substr(started, 1, length(?)) <= ?", q.Until, q.Until)
	}
	return strings.Join(parts, " AND "), args
}

// pattern finds a text anywhere in another; nothing in it means anything special.
func pattern(part string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(part) + "%"
}

// Match returns one match; ErrUnknown (wrapped) when there is none of that name, or no more.
func (r *Reader) Match(ctx context.Context, id string) (Match, error) {
	m, err := scanMatch(r.read.QueryRowContext(ctx, selectMatch+" WHERE id = ? AND deleted = 0", id))
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnknown
	}
	if err != nil {
		return Match{}, fmt.Errorf("journal: match %q: %w", id, explain(err))
	}
	return m, nil
}

// Header returns the newest header of a match; one that only says who plays what when none was written.
func (r *Reader) Header(ctx context.Context, id string) (Header, error) {
	m, err := r.Match(ctx, id)
	if err != nil {
		return Header{}, err
	}
	h := Header{Match: id, Players: m.Players, Length: m.Length, Event: m.Event}
	var body []byte
	err = r.read.QueryRowContext(ctx, `SELECT body FROM entry WHERE kind != 'event' AND kind = 'match' AND match_id = ?
		ORDER BY row DESC LIMIT 1`, id).Scan(&body)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return h, nil
	case err == nil:
		if err = json.Unmarshal(body, &h); err != nil {
			err = fmt.Errorf("%w (header of match %q: %w)", ErrDamaged, id, err)
		}
	}
	if err != nil {
		return Header{}, fmt.Errorf("journal: match %q: %w", id, explain(err))
	}
	return h, nil
}

// Transcript returns the match as it stands after its last event.
func (r *Reader) Transcript(ctx context.Context, id string) (*transcript.Transcript, error) {
	h, err := r.Header(ctx, id)
	if err != nil {
		return nil, err
	}
	events, err := r.Events(ctx, id, 0, 0)
	if err != nil {
		return nil, err
	}
	return transcript.Of(h.Facts(), events), nil
}

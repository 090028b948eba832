package journal

import (
	"context"
	"fmt"
)

// Delivery says that a finished match was handed over to somebody outside.
type Delivery struct {
	Match string `json:"match"`
	To    string `json:"to"` // folder or address
	At    string `json:"at"`
}

// Delivered writes down that the match was handed over.
func (j *Journal) Delivered(_ context.Context, match, to string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.change(match, func(a *appender) error {
		return a.entry(kindDelivery, 0, Delivery{Match: match, To: to, At: a.at})
	})
	if err != nil {
		return fmt.Errorf("journal: write down the delivery of match %q: %w", match, explain(err))
	}
	return nil
}

// Undelivered returns the finished matches that were not handed over to that folder or address yet, oldest first.
func (r *Reader) Undelivered(ctx context.Context, to string) ([]Match, error) {
	rows, err := r.read.QueryContext(ctx, selectMatch+` WHERE deleted = 0 AND ended != '' AND NOT EXISTS (
		SELECT 1 FROM entry WHERE kind != 'event' AND kind = 'delivery' AND match_id = matches.id
		AND json_extract(CAST(body AS TEXT), '$.to') = ?) ORDER BY first_row`, to)
	if err != nil {
		return nil, fmt.Errorf("journal: find matches to hand over: %w", explain(err))
	}
	defer rows.Close()
	var matches []Match
	for rows.Next() {
		m, err := scanMatch(rows)
		if err != nil {
			return nil, fmt.Errorf("journal: find matches to hand over: %w", explain(err))
		}
		matches = append(matches, m)
	}
	return matches, rows.Err()
}

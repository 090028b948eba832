package journal

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"davar/rules/referee"
)

// Reader reads a journal, also while a table writes it. It sees what was durable when the call began.
type Reader struct {
	read     *sql.DB
	path     string
	pictures string // the folder of the evidence pictures
}

// OpenReader opens the journal at path for reading only, for the commands that list, export and verify. The
// file must be there and have this program's schema.
func OpenReader(ctx context.Context, path string) (*Reader, error) {
	r, err := openReader(ctx, path, len(migrations))
	if err != nil {
		return nil, fmt.Errorf("journal: read %s: %w", path, explain(err))
	}
	return r, nil
}

func openReader(ctx context.Context, path string, version int) (*Reader, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path, url.Values{"mode": {"ro"}}, []string{"busy_timeout(2000)", "query_only(1)"}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	have, err := schemaVersion(ctx, db, version)
	if err == nil && have < version {
		err = fmt.Errorf("it has schema version %d, this program's is %d: open it once with davar run", have, version)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return &Reader{read: db, path: path, pictures: pictureFolder(path)}, nil
}

// Path returns the file that is read.
func (r *Reader) Path() string { return r.path }

// Close ends reading.
func (r *Reader) Close() error { return r.read.Close() }

// Events returns the events of a match from seq from on, oldest first, at most limit of them; limit 0 means all.
// An unknown match has none.
func (r *Reader) Events(ctx context.Context, match string, from int64, limit int) ([]referee.Event, error) {
	events, err := r.events(ctx, match, from, limit)
	if err != nil {
		return nil, fmt.Errorf("journal: events of match %q from %d: %w", match, from, explain(err))
	}
	return events, nil
}

func (r *Reader) events(ctx context.Context, match string, from int64, limit int) ([]referee.Event, error) {
	if limit <= 0 {
		limit = -1 // SQLite's "no limit"
	}
	rows, err := r.read.QueryContext(ctx, `SELECT body FROM entry
		WHERE kind = 'event' AND match_id = ? AND seq >= ? ORDER BY seq LIMIT ?`, match, from, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var events []referee.Event
	for rows.Next() {
		var body sql.RawBytes
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		var e referee.Event
		if err := json.Unmarshal(body, &e); err != nil {
			return nil, fmt.Errorf("%w (after event %d: %w)", ErrDamaged, from+int64(len(events))-1, err)
		}
		events = append(events, e)
	}
	return events, rows.Err()
}

const selectMatch = `SELECT id, first_row, last_seq, light, dark, length, started, ended, winner, score_light, score_dark,
	event, deleted FROM matches`

func scanMatch(row interface{ Scan(...any) error }) (m Match, err error) {
	err = row.Scan(&m.ID, &m.firstRow, &m.LastSeq, &m.Players[0], &m.Players[1], &m.Length, &m.Started, &m.Ended,
		&m.Winner, &m.Score.Light, &m.Score.Dark, &m.Event, &m.deleted)
	return m, err
}

// Unfinished is a match to go on with after a restart.
type Unfinished struct {
	Match
	Checkpoint []byte          // for referee.Restore; nil when none was written
	Resume     json.RawMessage // the table's own state, as given to Append
	// CheckpointSeq is the last event that Checkpoint knows; events after it, if any, were written without one.
	CheckpointSeq int64
}

// Last returns the match to go on with: the newest one, unless it has ended; then, and in an empty journal, ok
// is false. A match left unfinished before a newer one began is not taken up again.
func (r *Reader) Last(ctx context.Context) (u Unfinished, ok bool, err error) {
	u, err = r.last(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Unfinished{}, false, nil
	case err != nil:
		return Unfinished{}, false, fmt.Errorf("journal: find the match to go on with: %w", explain(err))
	}
	return u, !u.Finished(), nil
}

func (r *Reader) last(ctx context.Context) (u Unfinished, err error) {
	tx, err := r.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return u, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	if u.Match, err = scanMatch(tx.QueryRowContext(ctx, selectMatch+" WHERE deleted = 0 ORDER BY first_row DESC LIMIT 1")); err != nil {
		return u, err
	}
	var resume, hash []byte
	err = tx.QueryRowContext(ctx, "SELECT seq, referee, resume, hash FROM checkpoint WHERE match_id = ?", u.ID).
		Scan(&u.CheckpointSeq, &u.Checkpoint, &resume, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return u, nil
	}
	if err != nil {
		return u, err
	}
	if len(resume) > 0 {
		u.Resume = resume
	}
	if sum := seal(u.ID, u.CheckpointSeq, u.Checkpoint, resume); !bytes.Equal(hash, sum[:]) {
		return u, fmt.Errorf("%w (the checkpoint of match %q was altered)", ErrDamaged, u.ID)
	}
	return u, nil
}

package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"davar/rules/referee"
)

// wallFormat is RFC 3339 in UTC with milliseconds, the form of every "at".
const wallFormat = "2006-01-02T15:04:05.000Z07:00"

// Batch is what becomes durable together: the events that followed from one or more inputs of one match, and
// the state after them.
type Batch struct {
	Match  string  // the match all of it belongs to
	Header *Header // with a match's first batch, or to correct it; Match and At are filled in
	// Events follow on what was appended before, Seq without gap or repetition. There may be none.
	Events []referee.Event
	// Checkpoint is the referee's state after the last event, for Last; nil keeps the one before.
	Checkpoint []byte
	// Resume is the table's own state (JSON, say the position in a film); it goes with Checkpoint.
	Resume json.RawMessage
}

// Append writes the batch in one transaction and returns when it is on the disk. It returns the events as
// written, with At set to the wall clock where it was empty; the caller's slice is not changed. When it fails
// nothing of the batch is there and the same batch may be appended again: ErrFull says that the disk has no
// room. Append cannot be interrupted; on a sound disk it takes milliseconds.
func (j *Journal) Append(b Batch) ([]referee.Event, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	written := make([]referee.Event, 0, len(b.Events))
	err := j.change(b.Match, func(a *appender) error {
		if b.Header != nil {
			if err := a.header(*b.Header); err != nil {
				return err
			}
		}
		for _, e := range b.Events {
			if err := a.event(&e); err != nil {
				return err
			}
			written = append(written, e)
		}
		return a.keep(b.Checkpoint, b.Resume)
	})
	if err != nil {
		return nil, fmt.Errorf("journal: append to match %q: %w", b.Match, explain(err))
	}
	return written, nil
}

// change does what is to be done to one match in one transaction; the caller holds the lock.
func (j *Journal) change(match string, do func(*appender) error) error {
	ctx := context.Background() // a commit that is broken off half-way would leave the caller in doubt
	tx, err := j.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing, before it the error is already told
	a := appender{tx: tx, at: j.now().UTC().Format(wallFormat)}
	if err := a.begin(match); err != nil {
		return err
	}
	if err := do(&a); err != nil {
		return err
	}
	if err := a.finish(); err != nil {
		return err
	}
	return tx.Commit()
}

// appender is one transaction. What it knows of the chain it has read inside the transaction itself, so that no
// failure can leave a memory that differs from the file.
type appender struct {
	tx    *sql.Tx
	at    string
	id    string
	rows  int64
	hash  digest
	match Match
}

func (a *appender) begin(match string) error {
	if match == "" {
		return errors.New("the match has no name")
	}
	a.id = match
	var hash []byte
	if err := a.tx.QueryRow("SELECT rows, hash FROM head").Scan(&a.rows, &hash); err != nil {
		return fmt.Errorf("read the chain's head: %w", err)
	}
	if copy(a.hash[:], hash) != len(a.hash) {
		return fmt.Errorf("%w (the chain's head is short)", ErrDamaged)
	}
	m, err := scanMatch(a.tx.QueryRow(selectMatch+" WHERE id = ?", match))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read the match: %w", err)
	}
	if m.deleted {
		return ErrDeleted
	}
	a.match = m
	return nil
}

func (a *appender) header(h Header) error {
	h.Match, h.At = a.id, a.at
	if err := a.entry(kindMatch, 0, h); err != nil {
		return err
	}
	a.match.applyHeader(a.rows, h)
	return nil
}

func (a *appender) event(e *referee.Event) error {
	if e.Match != a.id {
		return fmt.Errorf("event %d belongs to match %q", e.Seq, e.Match)
	}
	if want := a.match.LastSeq + 1; e.Seq != want {
		return fmt.Errorf("event %d (%s) comes where %d is due", e.Seq, e.Type, want)
	}
	if e.At == "" {
		e.At = a.at
	}
	if err := a.entry(kindEvent, e.Seq, e); err != nil {
		return err
	}
	a.match.applyEvent(a.rows, *e)
	return nil
}

// entry appends one row to the chain.
func (a *appender) entry(kind string, seq int64, content any) error {
	body, err := json.Marshal(content)
	if err != nil {
		return fmt.Errorf("write %s %d as JSON: %w", kind, seq, err)
	}
	a.rows++
	a.hash = link(a.hash, kind, body)
	_, err = a.tx.Exec("INSERT INTO entry (row, kind, match_id, seq, body, hash) VALUES (?, ?, ?, ?, ?, ?)",
		a.rows, kind, a.id, seq, body, a.hash[:])
	return err
}

// finish writes the chain's head and the match's place in the list.
func (a *appender) finish() error {
	if a.match.firstRow == 0 {
		return errors.New("nothing was written of this match yet, and the batch holds no event")
	}
	if _, err := a.tx.Exec("UPDATE head SET rows = ?, hash = ?", a.rows, a.hash[:]); err != nil {
		return err
	}
	m := a.match
	_, err := a.tx.Exec("INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		m.ID, m.firstRow, m.LastSeq, m.Players[0], m.Players[1], m.Length, m.Started, m.Ended, m.Winner,
		m.Score.Light, m.Score.Dark, m.Event, m.deleted)
	return err
}

// keep writes what a restart needs; nil keeps what is there. A match that is over is not taken up again.
func (a *appender) keep(checkpoint []byte, resume json.RawMessage) error {
	m := &a.match
	if m.Finished() {
		_, err := a.tx.Exec("DELETE FROM checkpoint WHERE match_id = ?", m.ID)
		return err
	}
	if checkpoint == nil {
		return nil
	}
	if resume == nil {
		resume = json.RawMessage{}
	}
	sum := seal(m.ID, m.LastSeq, checkpoint, resume)
	_, err := a.tx.Exec("INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?, ?, ?)",
		m.ID, m.LastSeq, checkpoint, []byte(resume), sum[:])
	return err
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"davar/cmd/davar/table"
	"davar/device/journal"
	"davar/device/mqtt"
	"davar/rules/referee"
	"davar/rules/timekeeper"
)

// resume is what a table keeps beside the referee's checkpoint to go on after a restart.
type resume struct {
	TMS    int64       `json:"t_ms"`           // match's time of the checkpoint
	Over   bool        `json:"over,omitempty"` // the film was seen to its end
	Cursor mqtt.Cursor `json:"mqtt"`
}

// ledger writes one match into the journal.
type ledger struct {
	journal interface {
		Append(b journal.Batch) ([]referee.Event, error)
	}
	match  string
	header *journal.Header // until the match's first batch is written
	cursor func() mqtt.Cursor
	at     time.Duration // of the last checkpoint that was not the film's end
	// fault tells the operator that the log cannot be written, and with nil that it can again.
	fault   func(err error)
	failing bool
}

// Append implements table.Journal.
func (l *ledger) Append(events []referee.Event, checkpoint []byte, t time.Duration) ([]referee.Event, error) {
	if l.header != nil && len(events) == 0 {
		return nil, nil // a match begins with its first event
	}
	if t < table.Over {
		l.at = t
	}
	state, err := json.Marshal(resume{TMS: l.at.Milliseconds(), Over: t == table.Over, Cursor: l.cursor()})
	if err != nil {
		return nil, fmt.Errorf("save the table's place: %w", err)
	}
	written, err := l.journal.Append(journal.Batch{Match: l.match, Header: l.header, Events: events, Checkpoint: checkpoint, Resume: state})
	if err == nil {
		l.header = nil
	}
	if failing := err != nil; failing != l.failing && l.fault != nil {
		l.failing = failing
		l.fault(err)
	}
	return written, err
}

// beginning is a match to be played: a new one, or an unfinished one where it was left.
type beginning struct {
	judge   table.Judge
	twin    table.Judge // in the same state
	match   string
	from    time.Duration // match's time at which it goes on
	last    int64         // seq of the last event written; 0: a new match
	players [2]string
	cursor  mqtt.Cursor
}

// office is who judges a match: how it is taken up and how it goes on.
type office struct {
	open    func(referee.Settings) (table.Judge, error)
	restore func(checkpoint []byte) (table.Judge, error)
}

// refereeing judges what a camera sees; timekeeping keeps time, cube and score without one.
var (
	refereeing = office{
		open:    func(s referee.Settings) (table.Judge, error) { return referee.New(s) },
		restore: func(text []byte) (table.Judge, error) { return referee.Restore(text) },
	}
	timekeeping = office{
		open:    func(s referee.Settings) (table.Judge, error) { return timekeeper.New(s) },
		restore: func(text []byte) (table.Judge, error) { return timekeeper.Restore(text) },
	}
)

// begin takes up the journal's unfinished match, unless fresh or the film was seen to its end, or begins a new
// one by the settings.
func (o office) begin(ctx context.Context, j *journal.Journal, s referee.Settings, fresh bool) (*beginning, error) {
	unfinished, ok, err := j.Last(ctx)
	if err != nil {
		return nil, err
	}
	if ok && !fresh && unfinished.Checkpoint != nil {
		var place resume
		if err := json.Unmarshal(unfinished.Resume, &place); err != nil {
			return nil, fmt.Errorf("go on with match %s: its place cannot be read: %w; --new begins another", unfinished.ID, err)
		}
		if !place.Over {
			b := &beginning{match: unfinished.ID, from: time.Duration(place.TMS) * time.Millisecond,
				last: unfinished.LastSeq, players: unfinished.Players, cursor: place.Cursor}
			if err := b.seat(func() (table.Judge, error) { return o.restore(unfinished.Checkpoint) }); err != nil {
				return nil, fmt.Errorf("go on with match %s: %w; --new begins another", unfinished.ID, err)
			}
			return b, nil
		}
	}
	b := &beginning{match: s.Match, players: s.Players}
	if err := b.seat(func() (table.Judge, error) { return o.open(s) }); err != nil {
		return nil, usageError{err}
	}
	return b, nil
}

// seat makes the judge and his twin.
func (b *beginning) seat(judge func() (table.Judge, error)) (err error) {
	if b.judge, err = judge(); err == nil {
		b.twin, err = judge()
	}
	return err
}

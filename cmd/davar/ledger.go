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
)

// resume is what a table keeps beside the referee's checkpoint to go on after a restart.
type resume struct {
	TMS    int64       `json:"t_ms"`           // match's time of the checkpoint
	Over   bool        `json:"over,omitempty"` // the film was seen to its end
	Cursor mqtt.Cursor `json:"mqtt"`
}

// ledger writes one match into the journal.
type ledger struct {
	journal *journal.Journal
	match   string
	header  *journal.Header // until the match's first batch is written
	cursor  func() mqtt.Cursor
	at      time.Duration // of the last checkpoint that was not the film's end
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
	return written, err
}

// beginning is a match to be played: a new one, or an unfinished one where it was left.
type beginning struct {
	judge   *referee.Referee
	match   string
	from    time.Duration // match's time at which it goes on
	last    int64         // seq of the last event written; 0: a new match
	players [2]string
	cursor  mqtt.Cursor
}

// begin takes up the journal's unfinished match, unless fresh or the film was seen to its end, or begins a new
// one by the settings.
func begin(ctx context.Context, j *journal.Journal, s referee.Settings, fresh bool) (*beginning, error) {
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
			judge, err := referee.Restore(unfinished.Checkpoint)
			if err != nil {
				return nil, fmt.Errorf("go on with match %s: %w; --new begins another", unfinished.ID, err)
			}
			return &beginning{judge: judge, match: unfinished.ID, from: time.Duration(place.TMS) * time.Millisecond,
				last: unfinished.LastSeq, players: unfinished.Players, cursor: place.Cursor}, nil
		}
	}
	judge, err := referee.New(s)
	if err != nil {
		return nil, usageError{err}
	}
	return &beginning{judge: judge, match: s.Match, players: s.Players}, nil
}

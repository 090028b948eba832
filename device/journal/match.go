package journal

import (
	"davar/rules/referee"
	"davar/rules/transcript"
)

// Header says what a match is: the events themselves name no players. It is written with a match's first batch
// and again when the director puts a name right; the newest counts, the older ones stay in the chain.
type Header struct {
	Match   string    `json:"match"`
	Players [2]string `json:"players"` // light, dark
	Length  int       `json:"length"`  // points to win, 0 = money session
	Event   string    `json:"event,omitempty"`
	Club    string    `json:"club,omitempty"`  // whose table it is
	Table   string    `json:"table,omitempty"` // which of them
	// Settings are the rules the match is refereed by. A match without them is read by the default ones.
	Settings *referee.Settings `json:"settings,omitempty"`
	By       string            `json:"by,omitempty"`  // who put it right; empty for the first one
	Why      string            `json:"why,omitempty"` // and why
	At       string            `json:"at"`            // RFC 3339 with milliseconds, set by Append
}

// Facts returns what a transcript of the match needs beside its events.
func (h *Header) Facts() transcript.Facts {
	return transcript.Facts{ID: h.Match, Players: h.Players, Length: h.Length, Event: h.Event, Club: h.Club, Settings: h.Settings}
}

// Deletion says that a match was taken off the list. Its events stay in the chain, which could not be proven whole
// without them; nothing shows them any more, and its pictures are removed.
type Deletion struct {
	Match string `json:"match"`
	By    string `json:"by"`
	Why   string `json:"why,omitempty"`
	At    string `json:"at"`
}

// Match is a match in a list. All of it follows from the rows of the chain.
type Match struct {
	ID      string        `json:"id"`
	Players [2]string     `json:"players"` // light, dark; empty when no Header was written
	Length  int           `json:"length"`  // points to win, 0 = money session
	Started string        `json:"started"` // RFC 3339 with milliseconds: its first row
	Ended   string        `json:"ended"`   // empty while it is not finished
	Score   referee.Score `json:"score"`   // the newest that an event carried
	Winner  string        `json:"winner"`  // light, dark, or empty
	LastSeq int64         `json:"last_seq"`
	Event   string        `json:"event,omitempty"` // tournament

	firstRow int64
	deleted  bool
}

// Finished reports whether the match has ended.
func (m Match) Finished() bool { return m.Ended != "" }

// applyHeader takes in a Header written at row.
func (m *Match) applyHeader(row int64, h Header) {
	m.begin(row, h.Match, h.At)
	m.Players, m.Length, m.Event = h.Players, h.Length, h.Event
}

// applyEvent takes in the event written at row.
func (m *Match) applyEvent(row int64, e referee.Event) {
	m.begin(row, e.Match, e.At)
	m.LastSeq = e.Seq
	if e.Score != nil {
		m.Score = *e.Score
	}
	if e.Type == referee.MatchEnded {
		m.Ended = e.At
		if e.Side != nil {
			m.Winner = e.Side.String()
		}
	}
	if e.Type == referee.MatchReopened {
		m.Ended, m.Winner = "", ""
	}
}

func (m *Match) begin(row int64, id, at string) {
	if m.firstRow == 0 {
		m.ID, m.firstRow, m.Started = id, row, at
	}
}

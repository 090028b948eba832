package mqtt

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"davar/device/analysis"
	"davar/rules/referee"
)

// Version is the version of the payloads' form. It rises when a field changes or goes; new fields may come
// without.
const Version = 1

// wallFormat is RFC 3339 in UTC with milliseconds.
const wallFormat = "2006-01-02T15:04:05.000Z07:00"

// EventPayload is what the topics event and ruling hold: one event. Prev is the seq of the event sent before it
// on the same topic, 0 for the first of a match: who does not know it has missed one.
type EventPayload struct {
	V    int   `json:"v"`
	Prev int64 `json:"prev"`
	referee.Event
}

// StatePayload is what the topic state holds, retained.
type StatePayload struct {
	V int `json:"v"`
	referee.State
	Clock   *ClockPayload `json:"clock,omitempty"`    // nil: played without a clock
	DelayMS int64         `json:"delay_ms,omitempty"` // how far the topic lags behind the closing of a turn's correction window
	// Judged is what an engine makes of the game so far, on the public topic of a table that holds it back (publish.chances).
	Judged *analysis.Judgement `json:"judged,omitempty"`
	// Faults are the devices of the table that fail, such as buttons, displays or log; on the private topic alone.
	Faults []string `json:"faults,omitempty"`
	// Asks are what the table can be asked besides decisions: picture, calibrate, form, setup; on the private topic alone.
	Asks []string `json:"asks,omitempty"`
}

// ClockPayload is the clock as viewers count it down: the figures were true at AsOf, and the match's time runs
// Rate times as fast as the world's (1 at a live table). On a delayed topic AsOf is as late as the topic, so that
// the same sum gives the clock as it was.
type ClockPayload struct {
	referee.ClockView
	AsOf string  `json:"as_of"` // RFC 3339 with milliseconds
	Rate float64 `json:"rate"`
}

// MatchesPayload is what the topic matches holds, retained: the matches that are over at the table, as far as spectators
// may know of them, the newest first.
type MatchesPayload struct {
	V       int             `json:"v"`
	Matches []FinishedMatch `json:"matches"`
}

// FinishedMatch is a match that is over.
type FinishedMatch struct {
	Match   string        `json:"match"`
	Players [2]string     `json:"players"` // light, dark
	Length  int           `json:"length"`  // points to win, 0 = money session
	Score   referee.Score `json:"score"`
	Winner  string        `json:"winner,omitempty"` // light, dark, or empty
	Event   string        `json:"event,omitempty"`  // tournament
	Ended   string        `json:"ended"`            // RFC 3339
}

// CommandPayload is what a director sends to command/<name>: the fields of a decision, <name> being the
// decision itself. The answer comes on response/<name>.
type CommandPayload struct {
	V           int    `json:"v,omitempty"`
	Transaction string `json:"transaction"`     // chosen by the sender; the same again is not carried out again
	Match       string `json:"match,omitempty"` // when set, the command holds only while this match is played
	// Person is whom the account speaks for, such as the director who has signed in to a hub: the account's word, and known
	// as that. A broker of our own writes By itself, and takes commands from directors' accounts alone.
	Person string `json:"person,omitempty"`
	referee.Decision
}

// speaker returns who decides, as the log has it: the account, and in front of it the person it speaks for. With a broker
// that is not ours both are the sender's word.
func speaker(account, person string) string {
	switch {
	case person == "":
		return account
	case account == "" || account == person:
		return person
	}
	return person + " (" + account + ")"
}

// longestPerson is how long the name of a person may be, in bytes: as long as that of an account of the pages.
const longestPerson = 40

// checkPerson refuses a name that could be taken for something else in the log: for an account's, or for a player.
func checkPerson(name string) error {
	switch {
	case len(name) > longestPerson:
		return fmt.Errorf("the person's name has more than %d bytes", longestPerson)
	case strings.ContainsAny(name, "()") || strings.ContainsFunc(name, unicode.IsControl) || strings.TrimSpace(name) != name:
		return errors.New("a person's name has neither brackets nor control characters, and no space around it")
	case name == "light" || name == "dark" || name == "players":
		return fmt.Errorf("%q are players, who decide at the table", name)
	}
	return nil
}

// ResponsePayload answers a command.
type ResponsePayload struct {
	V           int    `json:"v"`
	Seq         int64  `json:"seq"` // of the newest event when it was answered
	Match       string `json:"match"`
	Transaction string `json:"transaction"`
	OK          bool   `json:"ok"`
	Error       string `json:"error,omitempty"`
}

// statePayload puts a state into the form of its topic; late is how far the topic lags behind the table.
func statePayload(s snapshot, late time.Duration) StatePayload {
	payload := StatePayload{V: Version, State: s.state}
	if s.state.Clock != nil {
		payload.Clock = &ClockPayload{
			ClockView: *s.state.Clock, AsOf: s.asOf.Add(late).UTC().Format(wallFormat), Rate: s.rate,
		}
	}
	return payload
}

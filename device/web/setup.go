package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"davar/rules/referee"
)

// MatchMaker begins matches at a table.
type MatchMaker interface {
	// Form returns what can be set, with the values that hold now.
	Form() []Field
	// Begin leaves the match that is on the table as it stands and begins another, with the values by the fields' keys;
	// those not given stay as they are. A FieldErrors names the fields that are wrong.
	Begin(ctx context.Context, values map[string]string) error
}

// MatchWish is a match that somebody wants to begin.
type MatchWish struct {
	Values  map[string]string // by the keys of the fields; those not given stay as they are
	Abandon bool              // also when the first game of the match on the table has begun
	By      string            // who wants it, for the log
}

// ErrLocked refuses to leave a match in which the first game has begun: what was set holds for it (PROC-5).
var ErrLocked = errors.New("the first game has begun: what was set holds for this match (PROC-5)")

// errNoMatch refuses to begin a match where nobody can.
var errNoMatch = errors.New("no match can be begun from here")

// Kinds of fields.
const (
	FieldText   = "text"
	FieldNumber = "number"
	FieldSwitch = "switch" // "true" or "false"
	FieldChoice = "choice" // one of Values
	FieldTime   = "time"   // minutes, as a Go duration such as 12m or 2m30s
)

// Field is one thing that can be set for a match, under its name in the configuration.
type Field struct {
	Key    string // match.light
	Kind   string
	Value  string
	Values []string // of a choice; "" stands for: as the variant or preset says
	Min    int      // of a number
	Max    int
	More   bool // seldom changed
}

// FieldErrors says which fields are wrong, and why, by key.
type FieldErrors map[string]string

// Error returns all of them, in the order of the keys.
func (e FieldErrors) Error() string {
	var lines []string
	for key, why := range e {
		lines = append(lines, key+": "+why)
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

const (
	longestSetup  = 16 << 10
	mostFields    = 100
	longestAnswer = 200
)

// locked tells whether the first game has begun: the rules, score, length and clocks of the match are settled then, and
// only the director unlocks them (PROC-5).
func (s *Server) locked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == nil {
		return false
	}
	state := &s.shown.state
	switch state.Phase {
	case "match_over":
		return false
	case "setup", "opening":
		return state.Game > 1 || state.Score != (referee.Score{})
	}
	return true
}

// setupData is what the page of setting up is made from.
type setupData struct {
	pageData
	Fields []Field
	Locked bool
	Can    bool // there is somebody to begin a match
	Silent bool // but he does not answer
	Draw   []Pairing
	Chosen int // number of the pairing that fills the form, from 1; 0: none
	Table  string
}

// Main and More split the fields.
func (d setupData) Main() []Field { return d.part(false) }

// More returns the fields that are seldom changed.
func (d setupData) More() []Field { return d.part(true) }

func (d setupData) part(more bool) []Field {
	return slices.DeleteFunc(slices.Clone(d.Fields), func(f Field) bool { return f.More != more })
}

// fieldData is a field with the page it stands in.
type fieldData struct {
	Field Field
	Page  setupData
}

// With returns a field for its template.
func (d setupData) With(f Field) fieldData { return fieldData{f, d} }

// Number returns the number, from 1, of a place in a list.
func (setupData) Number(i int) int { return i + 1 }

// ID returns the field's name as an element of the page has it.
func (f Field) ID() string { return strings.ReplaceAll(f.Key, ".", "-") }

// Label returns the key of the field's name in the catalogue.
func (f Field) Label() string { return "console.field_" + strings.ReplaceAll(f.Key, ".", "_") }

// ValueLabel returns the key of a value's name in the catalogue.
func (f Field) ValueLabel(value string) string {
	if value == "" {
		return "console.value_default"
	}
	return "console.value_" + strings.NewReplacer("-", "_", ".", "_").Replace(value)
}

// Number tells whether the field is for digits.
func (f Field) Number() bool { return f.Kind == FieldNumber }

func (c console) setupData(r *http.Request, d pageData) any {
	data := setupData{pageData: d, Locked: c.locked(), Draw: c.draw.all(), Table: c.settings.Table}
	var err error
	if data.Fields, data.Can, err = c.form(r.Context()); err != nil {
		c.log.Warn("what can be set at a table is not known", "error", err)
		data.Silent = true
	}
	if n, err := strconv.Atoi(r.URL.Query().Get("pairing")); err == nil && n > 0 && n <= len(data.Draw) {
		data.Chosen = n
		p := &data.Draw[n-1]
		for i := range data.Fields {
			if value, ok := p.value(data.Fields[i].Key); ok {
				data.Fields[i].Value = value
			}
		}
	}
	return data
}

// setUp is POST /director/setup {"values":{"match.light":"…",…},"abandon":false}. A match in which the first game has
// begun is left only when abandon says so (PROC-5). Fields that are wrong are answered as {"wrong":{key: why}}.
func (c console) setUp(w http.ResponseWriter, r *http.Request) {
	var wish struct {
		Values  map[string]string `json:"values"`
		Abandon bool              `json:"abandon"`
		Pairing int               `json:"pairing"`
	}
	body, ok := readJSON(w, r, longestSetup)
	if !ok {
		return
	}
	err := decodeStrictly(body, &wish)
	if err == nil {
		err = checkValues(wish.Values)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	who, _ := c.guard.who(r)
	err = c.begin(r.Context(), MatchWish{wish.Values, wish.Abandon, who.Name})
	var wrong FieldErrors
	switch {
	case errors.As(err, &wrong):
		reply(w, mistakes{wrong})
		return
	case errors.Is(err, ErrLocked):
		http.Error(w, err.Error(), http.StatusLocked)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	if err := c.draw.use(wish.Pairing); err != nil {
		c.log.Warn("the draw sheet could not be written", "error", err)
	}
	reply(w, map[string]bool{"begun": true})
}

// SetUp begins a match at the table; FieldErrors say which values are wrong.
func (s *Server) SetUp(ctx context.Context, wish MatchWish) error {
	switch {
	case s.settings.MatchMaker == nil:
		return errNoMatch
	case s.locked() && !wish.Abandon:
		return ErrLocked
	}
	if err := s.settings.MatchMaker.Begin(ctx, wish.Values); err != nil {
		return err
	}
	s.log.Info("a match was set up from the console", "by", wish.By, "abandoned", wish.Abandon)
	return nil
}

func checkValues(values map[string]string) error {
	if len(values) > mostFields {
		return fmt.Errorf("more than %d values", mostFields)
	}
	for key, value := range values {
		if len(key) > longestName || len(value) > longestAnswer {
			return fmt.Errorf("a value has more than %d characters", longestAnswer)
		}
	}
	return nil
}

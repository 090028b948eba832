package web

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Pairing is one match of a draw sheet.
type Pairing struct {
	Table  string `json:"table,omitempty"`
	Round  string `json:"round,omitempty"`
	Event  string `json:"event,omitempty"`
	Light  string `json:"light"`
	Dark   string `json:"dark"`
	Length int    `json:"length"` // points, 0 = money session, -1 = not said
	Used   bool   `json:"used,omitempty"`
}

// value returns what the pairing says about a field.
func (p *Pairing) value(key string) (string, bool) {
	switch key {
	case "match.light":
		return p.Light, true
	case "match.dark":
		return p.Dark, true
	case "match.event":
		return strings.TrimSpace(p.Event + " " + p.Round), p.Event+p.Round != ""
	case "match.length":
		return strconv.Itoa(p.Length), p.Length >= 0
	}
	return "", false
}

// HasLength tells whether the sheet says how long the match is.
func (p Pairing) HasLength() bool { return p.Length >= 0 }

const (
	longestSheet  = 256 << 10
	mostPairings  = 1000
	longestPlayer = 60  // characters of a name
	longestLength = 99  // points of a match
	mostErrors    = 100 // told of one sheet
)

// columns are the names that the columns of a sheet may have, by what they hold.
var columns = map[string][]string{
	"table":  {"table", "board", "میز"},
	"round":  {"round", "دور"},
	"event":  {"event", "tournament", "رویداد"},
	"light":  {"light", "white", "player 1", "player1", "روشن", "سفید"},
	"dark":   {"dark", "black", "player 2", "player2", "تیره", "سیاه"},
	"length": {"length", "points", "match length", "طول", "امتیاز"},
}

// SheetError is something wrong in one line of a draw sheet. Why is the end of a key "console.sheet_…" of the phrasebook.
type SheetError struct {
	Line   int    `json:"line"` // from 1
	Column string `json:"column,omitempty"`
	Why    string `json:"why"`
	Value  string `json:"value,omitempty"` // what stands there, shortened
}

// Error returns the mistake in English.
func (e SheetError) Error() string {
	return fmt.Sprintf("line %d: %s: %s %q", e.Line, e.Column, e.Why, e.Value)
}

// ParseDraw reads a draw sheet: comma-separated values (or with semicolons, or tabs) in UTF-8, the names of the columns
// in the first line. There must be columns for both players; table, round, event and length may be there, others are
// passed over. Errors are told for all lines at once; a sheet with errors has no pairings.
func ParseDraw(text []byte) ([]Pairing, []SheetError) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, []SheetError{{Line: 1, Why: "encoding"}}
	}
	d := sheetReader{lines: csv.NewReader(bytes.NewReader(text))}
	d.lines.Comma, d.lines.FieldsPerRecord, d.lines.TrimLeadingSpace = separatorOf(text), -1, true
	d.read()
	if len(d.wrong) > 0 {
		return nil, d.wrong
	}
	return d.pairings, nil
}

// separatorOf returns what stands between the columns: what the first line has most of.
func separatorOf(text []byte) rune {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	best, most := ',', 0
	for _, c := range []rune{',', ';', '\t'} {
		if n := bytes.Count(first, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

type sheetReader struct {
	lines    *csv.Reader
	at       map[string]int // column by what it holds
	pairings []Pairing
	wrong    []SheetError
	players  map[string]int // line in which a pairing stands
}

func (d *sheetReader) fail(line int, column, why, value string) {
	if len(d.wrong) < mostErrors {
		d.wrong = append(d.wrong, SheetError{line, column, why, shortened(value)})
	}
}

func shortened(text string) string {
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}

func (d *sheetReader) read() {
	d.players = map[string]int{}
	for {
		fields, err := d.lines.Read()
		var broken *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			if d.at == nil {
				d.fail(1, "", "empty", "")
			} else if len(d.pairings) == 0 && len(d.wrong) == 0 {
				d.fail(1, "", "no_pairings", "")
			}
			return
		case errors.As(err, &broken):
			d.fail(broken.Line, "", "quotes", "")
			return // where a quotation mark is missing, all that follows is misread
		case err != nil:
			d.fail(1, "", "quotes", "")
			return
		}
		line, _ := d.lines.FieldPos(0)
		if strings.TrimSpace(strings.Join(fields, "")) == "" {
			continue
		}
		if d.at == nil {
			if d.header(line, fields); len(d.wrong) > 0 {
				return
			}
			continue
		}
		d.pairing(line, fields)
		if len(d.pairings) > mostPairings {
			d.fail(line, "", "too_many", strconv.Itoa(mostPairings))
			return
		}
	}
}

func (d *sheetReader) header(line int, fields []string) {
	d.at = map[string]int{}
	for i, name := range fields {
		name = strings.ToLower(strings.TrimSpace(name))
		for holds, names := range columns { // a name stands for one column at most: the order does not matter
			if !slices.Contains(names, name) {
				continue
			}
			if _, twice := d.at[holds]; twice {
				d.fail(line, holds, "column_twice", name)
			}
			d.at[holds] = i
		}
	}
	for _, needed := range []string{"light", "dark"} {
		if _, ok := d.at[needed]; !ok {
			d.fail(line, needed, "no_column", "")
		}
	}
}

func (d *sheetReader) pairing(line int, fields []string) {
	found := len(d.wrong)
	text := func(column string, longest int) string {
		i, ok := d.at[column]
		if !ok || i >= len(fields) {
			return ""
		}
		value := strings.TrimSpace(fields[i])
		switch {
		case utf8.RuneCountInString(value) > longest:
			d.fail(line, column, "too_long", value)
		case strings.ContainsFunc(value, unicode.IsControl):
			d.fail(line, column, "control", value)
		}
		return value
	}
	p := Pairing{
		Table: text("table", longestName), Round: text("round", longestPlayer), Event: text("event", longestPlayer),
		Light: text("light", longestPlayer), Dark: text("dark", longestPlayer), Length: -1,
	}
	if p.Light == "" {
		d.fail(line, "light", "no_name", "")
	}
	if p.Dark == "" {
		d.fail(line, "dark", "no_name", "")
	}
	if p.Light != "" && strings.EqualFold(p.Light, p.Dark) {
		d.fail(line, "dark", "same_player", p.Dark)
	}
	if length := text("length", longestName); length != "" {
		n, err := strconv.Atoi(westernDigits(length))
		if err != nil || n < 0 || n > longestLength {
			d.fail(line, "length", "length", length)
		}
		p.Length = n
	}
	key := strings.ToLower(p.Round + "\x00" + p.Event + "\x00" + p.Light + "\x00" + p.Dark)
	if before, twice := d.players[key]; twice {
		d.fail(line, "light", "twice", strconv.Itoa(before))
	}
	d.players[key] = line
	if len(d.wrong) == found {
		d.pairings = append(d.pairings, p)
	}
}

// westernDigits writes Persian and Arabic digits as Western ones.
func westernDigits(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= '۰' && c <= '۹':
			return c - '۰' + '0'
		case c >= '٠' && c <= '٩':
			return c - '٠' + '0'
		}
		return c
	}, text)
}

// draw is the sheet that was read last.
type draw struct {
	shelf shelf

	mu       sync.Mutex
	pairings []Pairing
}

func openDraw(folder string) (*draw, error) {
	d := &draw{shelf: shelfIn(folder, "draw.json")}
	return d, d.shelf.load(&d.pairings)
}

func (d *draw) all() []Pairing {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.pairings)
}

func (d *draw) set(pairings []Pairing) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.shelf.save(pairings); err != nil {
		return err
	}
	d.pairings = pairings
	return nil
}

// use notes that pairing number n, from 1, is being played; 0 is none.
func (d *draw) use(n int) error {
	pairings := d.all()
	if n < 1 || n > len(pairings) {
		return nil
	}
	pairings[n-1].Used = true
	return d.set(pairings)
}

// importDraw is POST /director/draw with the sheet as text/csv. What is wrong is answered as {"wrong":[…]}, and the
// sheet that was there stays.
func (c console) importDraw(w http.ResponseWriter, r *http.Request) {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "text/csv" {
		http.Error(w, "send the sheet as text/csv", http.StatusUnsupportedMediaType)
		return
	}
	text, ok := readBody(w, r, longestSheet)
	if !ok {
		return
	}
	pairings, wrong := ParseDraw(text)
	if len(wrong) > 0 {
		reply(w, mistakes{wrong})
		return
	}
	if err := c.draw.set(pairings); err != nil {
		c.log.Error("the draw sheet could not be kept", "error", err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	reply(w, map[string]int{"pairings": len(pairings)})
}

// clearDraw is POST /director/draw/clear.
func (c console) clearDraw(w http.ResponseWriter, _ *http.Request) {
	if err := c.draw.set(nil); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

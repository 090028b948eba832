package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

const (
	longestBody    = 4 << 10         // bytes of a press, a decision or a form
	controlTimeout = 2 * time.Second // how long a table may take to answer
	longestWord    = 200             // characters of a name or reason
	highestScore   = 999
)

// press is POST /press {"side":"light"}: a clock button.
func (s *Server) press(w http.ResponseWriter, r *http.Request) {
	s.control(w, r, func(_ caller, body []byte) (referee.Input, error) {
		var wish struct {
			Side *rules.Side `json:"side"`
		}
		if err := decodeStrictly(body, &wish); err != nil {
			return referee.Input{}, err
		}
		if wish.Side == nil {
			return referee.Input{}, errors.New(`"side" is missing: light or dark`)
		}
		return referee.Input{Press: &referee.Press{Side: *wish.Side}}, nil
	})
}

// decide is POST /decision with a referee.Decision.
func (s *Server) decide(w http.ResponseWriter, r *http.Request) {
	s.control(w, r, func(who caller, body []byte) (referee.Input, error) {
		var wish referee.Decision
		if err := decodeStrictly(body, &wish); err != nil {
			return referee.Input{}, err
		}
		if err := checkDecision(&wish); err != nil {
			return referee.Input{}, err
		}
		if err := who.speaks(&wish); err != nil {
			return referee.Input{}, err
		}
		return referee.Input{Decision: &wish}, nil
	})
}

// control lets somebody with a credential hand one input to the table.
func (s *Server) control(w http.ResponseWriter, r *http.Request, read func(who caller, body []byte) (referee.Input, error)) {
	w.Header().Set("Cache-Control", "no-store")
	if s.settings.Control == nil || !s.guard.open() {
		http.Error(w, "control from the page is off: set web.password", http.StatusForbidden)
		return
	}
	who, ok := s.admit(w, r)
	if !ok {
		return
	}
	body, ok := readJSON(w, r, longestBody)
	if !ok {
		return
	}
	in, err := read(who, body)
	if errors.Is(err, errNotYours) {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.controlled)
	defer cancel()
	if err := s.settings.Control(ctx, in); err != nil {
		s.log.Warn("a press or decision from the page was refused", "by", who.Name, "error", err)
		status := http.StatusConflict
		if ctx.Err() != nil {
			status = http.StatusGatewayTimeout
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// admit returns who asks, or answers that he is to sign in first.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) (caller, bool) {
	who, err := s.guard.who(r)
	switch {
	case err != nil:
		w.Header().Set("Retry-After", fmt.Sprint(int(attemptEvery.Seconds())))
		http.Error(w, "too many attempts: wait a minute", http.StatusTooManyRequests)
		return who, false
	case who.Role == "":
		http.Error(w, "sign in first", http.StatusUnauthorized)
		return who, false
	}
	return who, true
}

// readJSON returns a body of at most so many bytes that says it is JSON, or answers why not.
func readJSON(w http.ResponseWriter, r *http.Request, most int64) ([]byte, bool) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		http.Error(w, "send JSON (Content-Type: application/json)", http.StatusUnsupportedMediaType)
		return nil, false
	}
	return readBody(w, r, most)
}

// readWish reads a request's JSON object into wish, or answers what is wrong with it and returns false.
func readWish(w http.ResponseWriter, r *http.Request, wish any) bool {
	body, ok := readJSON(w, r, longestBody)
	if !ok {
		return false
	}
	if err := decodeStrictly(body, wish); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		http.Error(w, "the request is too long or was cut off", http.StatusRequestEntityTooLarge)
		return nil, false
	}
	return body, true
}

// errNotYours refuses what the unit at the table cannot decide.
var errNotYours = errors.New("only the director decides that: call him")

// agreedAtTable is what both players together may say at the table, and a player about his own game (DICE-5, IRREG-5,
// SCORE-4, END-8, CLOCK-9).
var agreedAtTable = map[string]bool{
	referee.DecideStand: true, referee.DecideReplay: true, referee.DecideRethrow: true, referee.DecidePause: true,
	referee.DecideResume: true, referee.DecideDouble: true, referee.DecideTake: true, referee.DecideDrop: true,
	referee.DecideNext: true, referee.DecideResign: true, referee.DecideStart: true,
}

// speaks writes into a decision whose word it is, and refuses what he may not decide. Whoever has signed in cannot speak
// for another (DIR-5: it is logged who decided).
func (c caller) speaks(d *referee.Decision) error {
	if c.Role == AtTable {
		if !agreedAtTable[d.What] {
			return errNotYours
		}
		d.By = "players"
		return nil
	}
	if d.By == "" || c.Name != directorsName {
		d.By = c.Name
	}
	return nil
}

// decodeStrictly reads exactly one JSON object with known fields only.
func decodeStrictly(body []byte, into any) error {
	if len(body) == 0 || body[0] != '{' {
		return errors.New("not a JSON object")
	}
	if !json.Valid(body) {
		return errors.New("not valid JSON, or more than one value")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("not understood: %w", err)
	}
	return nil
}

// checkDecision refuses what no table could carry out; whether it fits the moment is the referee's to say.
func checkDecision(d *referee.Decision) error {
	_, known := referee.AboutSide(d.What)
	switch {
	case !known:
		return fmt.Errorf("unknown decision %q", d.What)
	case len(d.By) > longestWord || len(d.Why) > longestWord || len(d.Ruling) > longestWord:
		return fmt.Errorf("a word has more than %d characters", longestWord)
	case d.What == referee.DecideScore && d.Score == nil:
		return errors.New(`"score" is missing`)
	case d.Score != nil && (d.Score.Light < 0 || d.Score.Dark < 0 || d.Score.Light > highestScore || d.Score.Dark > highestScore):
		return fmt.Errorf("a score must be 0 to %d", highestScore)
	case d.What == referee.DecideResign && (d.Points < 1 || d.Points > 3):
		return errors.New(`"points" must be 1, 2 or 3`)
	case (d.What == referee.DecideSet || d.What == referee.DecideExclude) && d.Position == nil:
		return errors.New(`"position" is missing`)
	case d.What == referee.DecideRoll && len(d.Dice) != 2:
		return errors.New(`"dice" must be two numbers`)
	case d.RemainingMS < 0 || d.RemainingMS > (24*time.Hour).Milliseconds():
		return errors.New("a clock must be set to 0 to 24 hours")
	}
	return nil
}

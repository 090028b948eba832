package web

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"davar/device/journal"
	"davar/rules/referee"
)

// openCase is something open at the table, with all that the director needs to decide it. Nearest legal plays are in it:
// what the console shows is for his eyes only (EQUIP-9).
type openCase struct {
	ID       int64    `json:"id"` // seq of the event
	Code     string   `json:"code"`
	Rules    []string `json:"rule"`
	Severity string   `json:"severity"`
	Question bool     `json:"question,omitempty"` // the referee asks; else it has ruled
	Text     words    `json:"text"`
	Offence  string   `json:"offence,omitempty"`
	Side     string   `json:"side,omitempty"` // whom it concerns
	Until    string   `json:"until,omitempty"`
	Actors   []string `json:"actors,omitempty"`
	Answers  []string `json:"answers"`
	Nearest  []string `json:"nearest,omitempty"`
	Private  bool     `json:"private,omitempty"` // not said to the players
	Before   string   `json:"before,omitempty"`  // address of the picture, once it is kept
	After    string   `json:"after,omitempty"`
}

// cases is GET /director/cases.json: what is open at the table, the newest first.
func (c console) cases(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	var state referee.State
	if c.shown != nil {
		state = c.shown.state
	}
	asked, sides := c.asked, map[int64]string{}
	if c.concerned.match == state.Match {
		maps.Copy(sides, c.concerned.sides)
	}
	c.mu.Unlock()
	all := []*openCase{}
	for i := range state.Rulings {
		one := c.caseOf(&state.Rulings[i])
		one.Side = sides[one.ID]
		all = append(all, one)
	}
	if asked != nil && asked.Match == state.Match && asked.Why == state.Notice && len(asked.Ruling.Answers) > 0 {
		question := c.caseOf(asked.Ruling)
		question.ID, question.Question = asked.Seq, true
		question.Text = wordsOf(c.book, func(lang string) string { return c.book.Attention(lang, asked.Why) })
		if asked.Side != nil {
			question.Side = asked.Side.String()
		}
		all = append(all, question)
	}
	if c.canBeAsked(AskPicture) {
		for _, one := range all {
			if !one.Question { // of rulings alone pictures are kept
				at := c.far.at.desk() + "/evidence/" + strconv.FormatInt(one.ID, 10) + "/"
				one.Before, one.After = at+PictureBefore, at+PictureAfter
			}
		}
	}
	if c.settings.Matches != nil && len(all) > 0 {
		if err := c.addEvidence(r.Context(), state.Match, all); err != nil {
			c.log.Warn("the evidence of a ruling cannot be read", "error", err)
		}
	}
	slices.SortFunc(all, func(a, b *openCase) int { return int(b.ID - a.ID) })
	reply(w, all)
}

func (c console) caseOf(r *referee.RulingBody) *openCase {
	view := viewRuling(c.book, r)
	return &openCase{
		ID: r.ID, Code: r.Code, Rules: r.Rules, Severity: r.Severity, Text: view.Text, Offence: r.Offence, Until: r.Until,
		Actors: r.Actors, Answers: append([]string{}, r.Answers...), Nearest: r.Nearest, Private: view.Private,
	}
}

// addEvidence adds whom the cases concern, as their events in the log tell, and the pictures kept of them.
func (c console) addEvidence(ctx context.Context, match string, all []*openCase) error {
	pictures, err := c.settings.Matches.Pictures(ctx, match)
	if err != nil {
		return err
	}
	for _, one := range all {
		events, err := c.settings.Matches.Events(ctx, match, one.ID, 1)
		if err != nil {
			return err
		}
		if len(events) > 0 && events[0].Seq == one.ID && events[0].Side != nil {
			one.Side = events[0].Side.String()
		}
		for _, p := range pictures {
			if p.Seq != one.ID {
				continue
			}
			switch at := "/matches/" + url.PathEscape(match) + "/pictures/" + url.PathEscape(p.Name); p.Role {
			case journal.Before:
				one.Before = at
			case journal.After:
				one.After = at
			}
		}
	}
	return nil
}

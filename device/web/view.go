package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"davar/device/analysis"
	"davar/device/phrasebook"
	"davar/rules/referee"
)

// audience is who looks (PUB-2).
type audience int

const (
	public   audience = iota // everybody, late
	table                    // the screen beside the board, at once
	director                 // who has signed in: everything, at once
	audiences
)

// words is one text in every language, by language.
type words map[string]string

func wordsOf(book *phrasebook.Book, text func(lang string) string) words {
	w := words{}
	for _, lang := range book.Languages() {
		w[lang] = text(lang)
	}
	return w
}

// stateView is a state as it leaves the house. The fields named here take the place of those of the embedded
// state with the same name, which hold more than everybody may know.
type stateView struct {
	referee.State
	Last       *playView           `json:"last,omitempty"`
	Plays      []playView          `json:"plays"`
	PlaysFrom  int                 `json:"plays_from,omitempty"` // so many plays before these are as they were told last
	Rulings    []rulingView        `json:"rulings"`
	NoticeText words               `json:"notice_text,omitempty"`
	HasFrame   bool                `json:"has_frame"`        // a picture can be had at /frame.jpg
	Faults     []string            `json:"faults,omitempty"` // devices of the table that fail
	Judged     *analysis.Judgement `json:"judged,omitempty"` // for spectators who are shown it late
	Away       string              `json:"away,omitempty"`   // why a hall hears nothing of the table: stopped, offline or unknown
}

// playView is one turn. Illegal is for the director alone: an offence is not public while it can be corrected
// (PUB-1), nor afterwards when nobody was told (MON-4).
type playView struct {
	Seq      int64  `json:"seq"`
	Side     string `json:"side"`
	Dice     []int  `json:"dice,omitempty"`
	Notation string `json:"notation"`
	Position string `json:"position,omitempty"`
	Illegal  bool   `json:"illegal,omitempty"`
}

// rulingView is an open ruling. The nearest legal plays are not in it, for nobody: players see these pages.
type rulingView struct {
	ID       int64    `json:"id"`
	Code     string   `json:"code"`
	Rules    []string `json:"rule"`
	Severity string   `json:"severity"`
	Remedy   string   `json:"remedy,omitempty"`
	Private  bool     `json:"private,omitempty"` // not said to the players
	Text     words    `json:"text"`
}

func mayHear(to audience, ruling *referee.RulingBody) bool {
	return to == director || ruling.Audience == "table"
}

func viewState(book *phrasebook.Book, s referee.State, to audience, hasFrame bool) stateView {
	view := stateView{State: s, Plays: make([]playView, 0, len(s.Plays)), Rulings: []rulingView{}, HasFrame: hasFrame}
	for i := range s.Plays {
		view.Plays = append(view.Plays, viewPlay(&s.Plays[i], to))
	}
	if s.Last != nil {
		last := viewPlay(s.Last, to)
		view.Last = &last
	}
	for i := range s.Rulings {
		if r := &s.Rulings[i]; mayHear(to, r) {
			view.Rulings = append(view.Rulings, viewRuling(book, r))
		}
	}
	switch {
	case s.NoticeTo != "table" && to != director:
		view.Notice = ""
	case s.Notice != "":
		view.NoticeText = wordsOf(book, func(lang string) string { return book.Attention(lang, s.Notice) })
	}
	return view
}

func viewPlay(p *referee.LastPlay, to audience) playView {
	return playView{
		Seq: p.Seq, Side: p.Side, Dice: p.Dice, Notation: p.Notation, Position: p.Position,
		Illegal: to == director && !p.Legal,
	}
}

func viewRuling(book *phrasebook.Book, r *referee.RulingBody) rulingView {
	return rulingView{
		ID: r.ID, Code: r.Code, Rules: r.Rules, Severity: r.Severity, Remedy: r.Remedy, Private: r.Audience != "table",
		Text: wordsOf(book, func(lang string) string { return book.Announce(lang, r.Code, r.Params) }),
	}
}

// snapshot is one state as an audience sees it, encoded once for all of it.
type snapshot struct {
	seq    int64
	asOf   time.Time
	rate   float64
	body   []byte
	plays  []playView
	number int64  // counts an audience's
	news   []byte // body with those plays alone that are not in the one numbered before; nil: there are none to spare
}

func newSnapshot(book *phrasebook.Book, from *shown, faults []string, away string, to audience, hasFrame bool, before *snapshot) *snapshot {
	view := viewState(book, from.state, to, hasFrame)
	view.Faults, view.Away = faults, away
	view.Judged = from.judged
	shot := &snapshot{seq: from.state.Seq, asOf: from.asOf, rate: from.rate, body: encodeView(view), plays: view.Plays}
	if before == nil {
		return shot
	}
	shot.number = before.number + 1
	for view.PlaysFrom < min(len(view.Plays), len(before.plays)) && samePlay(&view.Plays[view.PlaysFrom], &before.plays[view.PlaysFrom]) {
		view.PlaysFrom++
	}
	if view.PlaysFrom > 0 {
		view.Plays = view.Plays[view.PlaysFrom:]
		shot.news = encodeView(view)
	}
	return shot
}

func encodeView(view stateView) []byte {
	body, err := json.Marshal(view)
	if err != nil { // cannot happen: the view holds nothing that JSON cannot
		body = []byte("{}")
	}
	return body
}

func samePlay(a, b *playView) bool {
	return a.Seq == b.Seq && a.Side == b.Side && a.Notation == b.Notation && a.Position == b.Position && a.Illegal == b.Illegal &&
		slices.Equal(a.Dice, b.Dice)
}

// opening appends the beginning of the message for one viewer, up to the state. Its age tells the browser how old the
// clock's figures are without trusting the browser's own idea of the time of day.
func (s *snapshot) opening(to []byte, now time.Time) []byte {
	return fmt.Appendf(to, `{"v":1,"age_ms":%d,"rate":%g,"state":`, now.Sub(s.asOf).Milliseconds(), s.rate)
}

// encode returns the whole message.
func (s *snapshot) encode(now time.Time) []byte {
	return append(append(s.opening(nil, now), s.body...), '}')
}

// publicEvents are the events spectators hear of; the rest is for the director.
var publicEvents = map[string]bool{
	referee.MatchStarted: true, referee.GameStarted: true, referee.Roll: true, referee.RollInvalid: true,
	referee.PlayMade: true, referee.Dance: true, referee.CubeOffered: true, referee.CubeTaken: true,
	referee.CubeDropped: true, referee.GameEnded: true, referee.MatchEnded: true, referee.MatchReopened: true, referee.ClockPaused: true,
	referee.ClockResumed: true, referee.ClockFlagged: true, referee.ClockAdjusted: true, referee.Attention: true,
}

// eventView returns an event as told to an audience, nil when it is not to hear of it.
func eventView(book *phrasebook.Book, e referee.Event, players [2]string, to audience) []byte {
	if e.Ruling != nil {
		if !mayHear(to, e.Ruling) {
			return nil
		}
	} else if to != director && !publicEvents[e.Type] {
		return nil
	}
	text := wordsOf(book, func(lang string) string { return book.Tell(lang, e, players) })
	if text[phrasebook.English] == "" {
		return nil
	}
	data, err := json.Marshal(struct {
		Seq  int64  `json:"seq"`
		Type string `json:"type"`
		Text words  `json:"text"`
	}{e.Seq, e.Type, text})
	if err != nil {
		return nil
	}
	return data
}

package record

import (
	"bytes"
	"encoding/json"
	"fmt"

	"davar/rules"
)

// The project's own JSON: everything a record holds, one object a match. Version counts up when a reader of an
// older one would misunderstand the file.
const (
	jsonFormat  = "davar.match"
	jsonVersion = 1
)

type jsonRecord struct {
	Format   string        `json:"format"`
	Version  int           `json:"version"`
	Players  jsonSides     `json:"players"`
	Length   int           `json:"length"` // 0 = money
	Variant  rules.Variant `json:"variant"`
	Crawford bool          `json:"crawford"`
	Jacoby   bool          `json:"jacoby,omitempty"`
	Beavers  bool          `json:"beavers,omitempty"`
	Header   []jsonField   `json:"header,omitempty"`
	Comments []string      `json:"comments,omitempty"`
	Games    []jsonGame    `json:"games"`
}

type jsonSides struct {
	Light string `json:"light"`
	Dark  string `json:"dark"`
}

type jsonField struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type jsonScore struct {
	Light int `json:"light"`
	Dark  int `json:"dark"`
}

type jsonGame struct {
	Number   int          `json:"number"`
	Score    jsonScore    `json:"score"` // before the game
	Crawford bool         `json:"crawford,omitempty"`
	Start    *jsonBoard   `json:"start,omitempty"` // when it is not the variant's
	Cube     int          `json:"cube,omitempty"`  // at the start, by automatic doubles
	Actions  []jsonAction `json:"actions"`
	Result   *jsonResult  `json:"result,omitempty"`
}

// jsonBoard counts each side's checkers in its own numbering: off, points 1 to 24, bar.
type jsonBoard struct {
	Light [26]uint8 `json:"light"`
	Dark  [26]uint8 `json:"dark"`
}

type jsonAction struct {
	Do       string      `json:"do"` // roll, double, take, drop, beaver, resign, set
	Side     rules.Side  `json:"side"`
	Dice     []int       `json:"dice,omitempty"`
	Play     string      `json:"play,omitempty"`     // of a roll; empty: nothing was moved
	Unseen   bool        `json:"unseen,omitempty"`   // of a roll: what was played is not known
	Position string      `json:"position,omitempty"` // GNU position ID after it, Side as the player on roll
	Code     rules.Code  `json:"code,omitempty"`     // of a play that is not legal
	Board    *jsonBoard  `json:"board,omitempty"`    // after a play that is known by its result only, or as set
	Cube     int         `json:"cube,omitempty"`     // new value
	Owner    *rules.Side `json:"owner,omitempty"`    // of a cube that is set; none: it is nobody's
}

type jsonResult struct {
	Winner   rules.Side `json:"winner"`
	Points   int        `json:"points"`
	Match    bool       `json:"match,omitempty"`
	Resigned bool       `json:"resigned,omitempty"`
	OnTime   bool       `json:"on_time,omitempty"`
}

// JSON returns the record in the project's own format; nothing is lost.
func (r *Record) JSON() ([]byte, error) {
	out := jsonRecord{
		Format: jsonFormat, Version: jsonVersion, Players: jsonSides{r.Players[rules.Light], r.Players[rules.Dark]},
		Length: r.Length, Variant: r.Variant, Crawford: r.Crawford, Jacoby: r.Jacoby, Beavers: r.Beavers,
		Comments: r.Comments, Games: []jsonGame{},
	}
	for _, f := range r.Header {
		out.Header = append(out.Header, jsonField(f))
	}
	judge := rules.NewJudge(rules.OptionsFor(r.Variant))
	for i := range r.Games {
		out.Games = append(out.Games, r.Games[i].toJSON(judge, r.Variant))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(out); err != nil {
		return nil, fmt.Errorf("record: write JSON: %w", err)
	}
	return b.Bytes(), nil
}

func (g *Game) toJSON(judge *rules.Judge, v rules.Variant) jsonGame {
	out := jsonGame{
		Number: g.Number, Score: jsonScore{g.Score[rules.Light], g.Score[rules.Dark]}, Crawford: g.Crawford,
		Cube: g.Cube, Actions: []jsonAction{},
	}
	if g.Start != rules.Start(v) {
		out.Start = boardOf(&g.Start)
	}
	for _, t := range g.Replay(judge) {
		a := t.Action
		j := jsonAction{Do: a.Kind.String(), Side: a.Side, Cube: a.Cube, Owner: a.Owner}
		if a.Kind == Roll {
			j.Dice, j.Unseen, j.Code = []int{int(a.Dice[0]), int(a.Dice[1])}, a.Unseen, t.Verdict.Code
			if len(a.Steps) > 0 {
				j.Play = a.Notation()
			}
			if !a.Unseen {
				j.Position = t.After.ID(a.Side)
			}
		}
		if a.Position != nil {
			j.Board = boardOf(a.Position)
		}
		out.Actions = append(out.Actions, j)
	}
	if res := g.Result; res != nil {
		result := jsonResult(*res)
		out.Result = &result
	}
	return out
}

func boardOf(p *rules.Position) *jsonBoard {
	return &jsonBoard{p.Checkers[rules.Light], p.Checkers[rules.Dark]}
}

func (b *jsonBoard) position() (rules.Position, error) {
	p := rules.Position{Checkers: [2][26]uint8{b.Light, b.Dark}}
	for side := rules.Light; side <= rules.Dark; side++ {
		if p.Active(side) > rules.Checkers {
			return p, fmt.Errorf("%v has %d checkers", side, p.Active(side))
		}
	}
	return p, nil
}

// ReadJSON reads a match in the project's own format, of this version or an older one.
func ReadJSON(data []byte) (*Record, error) {
	var in jsonRecord
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("record: read JSON: %w", err)
	}
	switch {
	case in.Format != jsonFormat:
		return nil, fmt.Errorf("record: read JSON: format is %q, want %q", in.Format, jsonFormat)
	case in.Version < 1 || in.Version > jsonVersion:
		return nil, fmt.Errorf("record: read JSON: version %d is newer than this program knows (%d): update it", in.Version, jsonVersion)
	case in.Length < 0 || in.Length > 1<<15-1:
		return nil, fmt.Errorf("record: read JSON: match length %d", in.Length)
	}
	r := &Record{
		Players: [2]string{rules.Light: in.Players.Light, rules.Dark: in.Players.Dark}, Length: in.Length,
		Variant: in.Variant, Crawford: in.Crawford, Jacoby: in.Jacoby, Beavers: in.Beavers, Comments: in.Comments,
	}
	for _, f := range in.Header {
		r.Header = append(r.Header, Field(f))
	}
	for i := range in.Games {
		g, err := in.Games[i].game(in.Variant)
		if err != nil {
			return nil, fmt.Errorf("record: read JSON: game %d: %w", in.Games[i].Number, err)
		}
		r.Games = append(r.Games, g)
	}
	r.fillCubes()
	return r, nil
}

func (in *jsonGame) game(v rules.Variant) (Game, error) {
	g := Game{
		Number: in.Number, Score: [2]int{rules.Light: in.Score.Light, rules.Dark: in.Score.Dark}, Crawford: in.Crawford,
		Start: rules.Start(v), Cube: in.Cube,
	}
	if !validCube(in.Cube) {
		return g, fmt.Errorf("cube %d", in.Cube)
	}
	if in.Start != nil {
		start, err := in.Start.position()
		if err != nil {
			return g, err
		}
		g.Start = start
	}
	for i := range in.Actions {
		a, err := in.Actions[i].action()
		if err != nil {
			return g, fmt.Errorf("action %d: %w", i+1, err)
		}
		g.Actions = append(g.Actions, a)
	}
	if res := in.Result; res != nil {
		result := Result(*res)
		g.Result = &result
	}
	return g, nil
}

func (in *jsonAction) action() (Action, error) {
	a := Action{Side: in.Side, Cube: in.Cube, Owner: in.Owner, Unseen: in.Unseen}
	for k, name := range kindNames {
		if name == in.Do {
			a.Kind = Kind(k)
		}
	}
	if a.Kind.String() != in.Do {
		return a, fmt.Errorf("%q is nothing a player does", in.Do)
	}
	if !validCube(in.Cube) {
		return a, fmt.Errorf("cube %d", in.Cube)
	}
	if in.Board != nil && (a.Kind == Roll || a.Kind == Set) {
		pos, err := in.Board.position()
		if err != nil {
			return a, err
		}
		a.Position = &pos
	}
	if a.Kind != Roll {
		return a, nil
	}
	if len(in.Dice) != 2 || min(in.Dice[0], in.Dice[1]) < 0 || max(in.Dice[0], in.Dice[1]) > 6 {
		return a, fmt.Errorf("dice %v are not two numbers", in.Dice)
	}
	a.Dice = rules.Dice{uint8(in.Dice[0]), uint8(in.Dice[1])}
	steps, err := rules.ParseNotation(in.Play)
	if err != nil {
		return a, err
	}
	a.Steps = steps
	return a, nil
}

// validCube reports whether the cube can have that value; 0 says nothing.
func validCube(value int) bool { return value >= 0 && value <= highestCube && value&(value-1) == 0 }

package referee

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"slices"

	"davar/rules/match"
)

// earlierGame is a game of the match that is over: enough of it is kept to go back to any of its turns (DIR-5). Packed,
// since every checkpoint holds all of them.
type earlierGame struct {
	First int64  `json:"first"` // numbers of its first and last play or cube action
	Last  int64  `json:"last"`
	Data  []byte `json:"data"` // a finishedGame as deflated JSON
}

// finishedGame is a game as it stood when it was over. What was seen of its turns is not kept.
type finishedGame struct {
	Match   match.Match  `json:"match"`
	Turns   []pastTurn   `json:"turns"`
	Doubles []pastDouble `json:"doubles,omitempty"`
	Plays   []LastPlay   `json:"plays"`
}

// holds tells whether seq is the number of a play or cube action of the game.
func (g *finishedGame) holds(seq int64) bool {
	return slices.ContainsFunc(g.Turns, func(t pastTurn) bool { return t.Seq == seq }) ||
		slices.ContainsFunc(g.Plays, func(p LastPlay) bool { return p.Seq == seq })
}

// uncube has the cube count as not turned in the game.
func (g *finishedGame) uncube() {
	for i := range g.Turns {
		uncube(&g.Turns[i].Game)
	}
	for i := range g.Doubles {
		uncube(&g.Doubles[i].Game)
	}
}

// keepGame keeps the game that is over.
func (r *Referee) keepGame(over match.Match) {
	if len(r.History) == 0 {
		return
	}
	g := finishedGame{Match: over, Turns: slices.Clone(r.History), Doubles: r.Doubles, Plays: r.Plays}
	kept := earlierGame{First: g.Turns[0].Seq, Last: g.Turns[0].Seq}
	for i := range g.Turns {
		g.Turns[i].Seen = nil
		kept.First, kept.Last = min(kept.First, g.Turns[i].Seq), max(kept.Last, g.Turns[i].Seq)
	}
	for i := range g.Plays {
		kept.First, kept.Last = min(kept.First, g.Plays[i].Seq), max(kept.Last, g.Plays[i].Seq)
	}
	kept.pack(&g)
	r.Earlier = append(r.Earlier, kept)
}

// pack keeps the game.
func (e *earlierGame) pack(g *finishedGame) {
	text, err := json.Marshal(g)
	if err != nil {
		return // plain data: it cannot fail
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return
	}
	_, _ = w.Write(text) // to memory
	_ = w.Close()
	e.Data = packed.Bytes()
}

// unpack returns the game.
func (e *earlierGame) unpack() (g finishedGame, err error) {
	if err := json.NewDecoder(flate.NewReader(bytes.NewReader(e.Data))).Decode(&g); err != nil {
		return g, fmt.Errorf("referee: read an earlier game: %w", err)
	}
	return g, nil
}

// earlierOf returns the earlier game of the match that holds the play or cube action with the number seq, and its place.
func (r *Referee) earlierOf(seq int64) (at int, g finishedGame, err error) {
	for i := range slices.Backward(r.Earlier) {
		if e := &r.Earlier[i]; seq < e.First || seq > e.Last {
			continue
		}
		if g, err = r.Earlier[i].unpack(); err == nil && g.holds(seq) {
			return i, g, nil
		}
	}
	return 0, g, refusal("no game of this match has a play of that number")
}

// reopenEarlier makes the earlier game that holds the play or cube action with the number seq the one in progress again, as it
// stood when it was over; all later games are gone.
func (r *Referee) reopenEarlier(seq int64) error {
	at, g, err := r.earlierOf(seq)
	if err != nil {
		return err
	}
	options := r.Match.Options // as they are now: the director may have changed them since
	r.Match, r.History, r.Doubles, r.Plays = g.Match, g.Turns, g.Doubles, g.Plays
	r.Match.Options = options
	r.Earlier, r.Setup, r.OfferPut = r.Earlier[:at], nil, false
	r.CubeHome, r.CubeWrong, r.Agreed = false, false, false
	return nil
}

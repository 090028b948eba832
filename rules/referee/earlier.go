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
	First int64  `json:"first"` // numbers of its first and last play
	Last  int64  `json:"last"`
	Data  []byte `json:"data"` // a finishedGame as deflated JSON
}

// finishedGame is a game as it stood when it was over. What was seen of its turns is not kept.
type finishedGame struct {
	Match match.Match `json:"match"`
	Turns []pastTurn  `json:"turns"`
	Plays []LastPlay  `json:"plays"`
}

// keepGame keeps the game that is over.
func (r *Referee) keepGame(over match.Match) {
	if len(r.History) == 0 {
		return
	}
	g := finishedGame{Match: over, Turns: slices.Clone(r.History), Plays: r.Plays}
	kept := earlierGame{First: g.Turns[0].Seq, Last: g.Turns[0].Seq}
	for i := range g.Turns {
		g.Turns[i].Seen = nil
		kept.First, kept.Last = min(kept.First, g.Turns[i].Seq), max(kept.Last, g.Turns[i].Seq)
	}
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
	kept.Data = packed.Bytes()
	r.Earlier = append(r.Earlier, kept)
}

// unpack returns the game.
func (e *earlierGame) unpack() (g finishedGame, err error) {
	if err := json.NewDecoder(flate.NewReader(bytes.NewReader(e.Data))).Decode(&g); err != nil {
		return g, fmt.Errorf("referee: read an earlier game: %w", err)
	}
	return g, nil
}

// reopenEarlier makes the earlier game that holds the play with the number seq the one in progress again, as it stood when
// it was over; all later games are gone. It reports whether there is such a game.
func (r *Referee) reopenEarlier(seq int64) bool {
	for i := range slices.Backward(r.Earlier) {
		e := &r.Earlier[i]
		if seq < e.First || seq > e.Last {
			continue
		}
		g, err := e.unpack()
		if err != nil || !slices.ContainsFunc(g.Turns, func(t pastTurn) bool { return t.Seq == seq }) {
			continue
		}
		options := r.Match.Options // as they are now: the director may have changed them since
		r.Match, r.History, r.Plays = g.Match, g.Turns, g.Plays
		r.Match.Options = options
		r.Earlier, r.Setup, r.OfferPut = r.Earlier[:i], nil, false
		r.CubeHome, r.CubeWrong, r.Agreed = false, false, false
		return true
	}
	return false
}

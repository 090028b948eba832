package analysis

import "math"

// Judgement is what an engine makes of a game so far, for spectators who are shown it late; players never see it
// (EQUIP-9, PUB-3).
type Judgement struct {
	// Chances are what the sides could expect after the newest turn that is judged; nil: none of this game is.
	Chances *BothChances `json:"chances,omitempty"`
	// Errors are what decisions gave away, in points at the cube's value, by the number of the play or cube action.
	Errors map[int64]TurnErrors `json:"errors,omitempty"`
}

// BothChances are those of both sides. A gammon counts in a win, a backgammon in a gammon.
type BothChances struct {
	Seq   int64       `json:"seq"` // of the turn's event
	Light SideChances `json:"light"`
	Dark  SideChances `json:"dark"`
}

// SideChances are probabilities, to a thousandth.
type SideChances struct {
	Win        float64 `json:"win"`
	Gammon     float64 `json:"gammon"`
	Backgammon float64 `json:"backgammon"`
}

// TurnErrors are what a turn's decisions gave away; what was right is left out.
type TurnErrors struct {
	Play float64 `json:"play,omitempty"`
	// Cube is the error of the cube action or, with a play, of not having doubled before it.
	Cube float64 `json:"cube,omitempty"`
}

// Judgements gathers what is known of the turns of one match, the newest that was told of. The zero value knows nothing.
type Judgements struct {
	match string
	turns []Judged
}

// Add takes in what a turn of a match was worth; a new match drops what is known of the one before.
func (j *Judgements) Add(match string, turn Judged) {
	if j.match != match {
		*j = Judgements{match: match}
	}
	j.turns = append(j.turns, turn)
}

// Of returns what is known of a game up to event seq, nil when the match is another.
func (j *Judgements) Of(match string, game int, seq int64) *Judgement {
	if match != j.match || match == "" && len(j.turns) == 0 {
		return nil
	}
	all := &Judgement{Errors: map[int64]TurnErrors{}}
	for i := range j.turns {
		t := &j.turns[i]
		if t.Game != game || t.Seq > seq {
			continue
		}
		if c := t.After; c != nil && (all.Chances == nil || all.Chances.Seq <= t.Seq) {
			all.Chances = &BothChances{Seq: t.Seq, Light: sideChances(*c), Dark: sideChances(c.Other())}
		}
		var e TurnErrors
		if t.Play != nil {
			e.Play = thousandths(t.Play.Error)
		}
		if t.Cube != nil {
			e.Cube = thousandths(t.Cube.Error)
		}
		if e != (TurnErrors{}) {
			all.Errors[t.Seq] = e
		}
	}
	return all
}

func sideChances(c Chances) SideChances {
	return SideChances{thousandths(c.Win), thousandths(c.Gammon), thousandths(c.Backgammon)}
}

func thousandths(v float64) float64 { return math.Round(1000*v) / 1000 }

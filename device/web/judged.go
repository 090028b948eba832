package web

import (
	"math"

	"davar/device/analysis"
)

// judgedView is what an engine makes of the game so far, for spectators who are shown it late; players never see it
// (EQUIP-9, PUB-3).
type judgedView struct {
	// Chances are what the sides could expect after the newest turn that is judged; nil: none of this game is.
	Chances *chancesView `json:"chances,omitempty"`
	// Errors are what decisions gave away, in points at the cube's value, by the number of the play or cube action.
	Errors map[int64]errorView `json:"errors,omitempty"`
}

// chancesView holds probabilities. A gammon counts in a win, a backgammon in a gammon.
type chancesView struct {
	Seq   int64      `json:"seq"` // of the turn's event
	Light sideChance `json:"light"`
	Dark  sideChance `json:"dark"`
}

type sideChance struct {
	Win        float64 `json:"win"`
	Gammon     float64 `json:"gammon"`
	Backgammon float64 `json:"backgammon"`
}

// errorView is what a turn's decisions gave away; what was right is left out.
type errorView struct {
	Play float64 `json:"play,omitempty"`
	// Cube is the error of the cube action or, with a play, of not having doubled before it.
	Cube float64 `json:"cube,omitempty"`
}

// judgements are what is known of one match.
type judgements struct {
	match string
	turns []analysis.Judged
}

// SetJudged tells what an engine makes of one turn of a match. Spectators learn of it with the turn, which they are
// shown late; where nothing is held back nobody does. It never blocks.
func (s *Server) SetJudged(match string, turn analysis.Judged) {
	if s.settings.Delay <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.judgements.match != match {
		s.judgements = judgements{match: match}
	}
	s.judgements.turns = append(s.judgements.turns, turn)
	if s.public != nil && s.public.state.Match == match && turn.Seq <= s.public.state.Seq {
		s.showTo(public)
	}
}

// beside returns what is shown with what is known about its game up to then.
func (j *judgements) beside(from *shown) *shown {
	if from == nil || from.state.Match != j.match {
		return from
	}
	view := &judgedView{Errors: map[int64]errorView{}}
	for i := range j.turns {
		t := &j.turns[i]
		if t.Game != from.state.Game || t.Seq > from.state.Seq {
			continue
		}
		if c := t.After; c != nil && (view.Chances == nil || view.Chances.Seq <= t.Seq) {
			other := c.Other()
			view.Chances = &chancesView{Seq: t.Seq, Light: chanceOf(*c), Dark: chanceOf(other)}
		}
		var e errorView
		if t.Play != nil {
			e.Play = thousandths(t.Play.Error)
		}
		if t.Cube != nil {
			e.Cube = thousandths(t.Cube.Error)
		}
		if e != (errorView{}) {
			view.Errors[t.Seq] = e
		}
	}
	late := *from
	late.judged = view
	return &late
}

func chanceOf(c analysis.Chances) sideChance {
	return sideChance{thousandths(c.Win), thousandths(c.Gammon), thousandths(c.Backgammon)}
}

func thousandths(v float64) float64 { return math.Round(1000*v) / 1000 }

package season

import (
	"cmp"
	"slices"
	"strings"

	"davar/device/analysis"
	"davar/rules"
	"davar/rules/statistics"
	"davar/rules/transcript"
)

// Tally is what both players did in one match.
type Tally struct {
	Match   string
	Started string // RFC 3339
	Club    string
	Event   string
	Players [2]Line // by side
}

// Of counts a match; judged is its analysis, nil when there is none.
func Of(t *transcript.Transcript, judged *analysis.Analysis) Tally {
	out := Tally{Match: t.ID, Started: t.Started, Club: t.Club, Event: t.Event}
	counted := statistics.Of(t)
	for side := range out.Players {
		p, l := &counted.Players[side], &out.Players[side]
		*l = Line{
			Name: t.Players[side], Rolls: p.Dice.Rolls, Doubles: p.Dice.Doubles, Pips: p.Dice.Pips,
			Hits: p.Hits, Danced: p.Danced, Turns: p.Turns, Time: p.Time().Total, Illegal: p.Illegal,
		}
	}
	for i := range t.Games {
		out.game(&t.Games[i])
	}
	if t.Finished {
		for side := range out.Players {
			out.Players[side].Matches = 1
		}
		out.Players[t.Winner].Won = 1
	}
	for i := range t.Rulings {
		out.ruling(&t.Rulings[i])
	}
	if judged != nil && judged.Complete() {
		for side, p := range judged.Players() {
			out.Players[side].Judged, out.Players[side].Errors = 1, p
		}
	}
	return out
}

func (t *Tally) game(g *transcript.Game) {
	if g.Result == nil {
		return
	}
	won, lost := &t.Players[g.Result.Winner], &t.Players[g.Result.Winner.Other()]
	won.Games++
	lost.Games++
	won.GameWon++
	won.Points += g.Result.Points
	lost.Against += g.Result.Points
	if g.Result.How == rules.Gammon.String() || g.Result.How == rules.Backgammon.String() {
		won.Gammons++
	}
}

func (t *Tally) ruling(r *transcript.Ruling) {
	if r.Withdrawn {
		return
	}
	l := &t.Players[r.Side&1]
	one := map[string]int{r.Body.Code: 1}
	if r.Body.Audience == "table" {
		l.Rulings = merged(l.Rulings, one)
	} else {
		l.Private = merged(l.Private, one)
	}
}

// Season is what many matches come to.
type Season struct {
	Matches int    `json:"matches"` // that were counted
	First   string `json:"first"`   // RFC 3339 of the oldest of them
	Last    string `json:"last"`    // and of the newest
	Players []Line `json:"players"` // those who played most first
	Clubs   []Line `json:"clubs"`   // likewise
}

// Sum adds up tallies. A player is known by his name, written anyhow; the way it was written last counts. Private keeps
// what only the director may know.
func Sum(tallies []Tally, private bool) *Season {
	sorted := slices.Clone(tallies)
	slices.SortStableFunc(sorted, func(a, b Tally) int { return cmp.Compare(a.Started, b.Started) })
	var players, clubs sheet
	s := &Season{Matches: len(sorted)}
	for i := range sorted {
		t := &sorted[i]
		if i == 0 {
			s.First = t.Started
		}
		s.Last = t.Started
		club := Line{Name: t.Club}
		for side := range t.Players {
			l := t.Players[side]
			players.add(l.Name, &l)
			club.add(&l)
		}
		club.Matches, club.Won = (club.Matches+1)/2, 0
		club.Games, club.Judged = club.Games/2, club.Judged/2
		clubs.add(t.Club, &club)
	}
	s.Players, s.Clubs = players.lines(private), clubs.lines(private)
	return s
}

// sheet gathers lines by name.
type sheet struct{ byName map[string]*Line }

func (s *sheet) add(name string, l *Line) {
	if s.byName == nil {
		s.byName = map[string]*Line{}
	}
	if name == "Light" || name == "Dark" { // nobody has said it
		name = ""
	}
	key := strings.ToLower(strings.Join(strings.Fields(name), " "))
	sum, ok := s.byName[key]
	if !ok {
		sum = &Line{}
		s.byName[key] = sum
	}
	sum.Name = name
	sum.add(l)
}

func (s *sheet) lines(private bool) []Line {
	all := make([]Line, 0, len(s.byName))
	for _, l := range s.byName {
		if !private {
			l.hide()
		}
		all = append(all, *l)
	}
	slices.SortFunc(all, func(a, b Line) int {
		return cmp.Or(b.Matches-a.Matches, b.Games-a.Games, cmp.Compare(a.Name, b.Name))
	})
	return all
}

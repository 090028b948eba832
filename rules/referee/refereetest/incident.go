package refereetest

import (
	"math"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

// Incident is something that went wrong at a simulated table, or at least must be announced.
type Incident struct {
	Code string // of RULES §3
	Side rules.Side
	From time.Duration // when it began
	// Visible is since when the last of its evidence can be seen or heard: the board lies still and no hand is over it
	// when the turn has ended, a die leans for as long as a cocked one must.
	Visible time.Duration
	Until   time.Duration // when play had gone on: what is said later is of no use
	// Also are codes that the same act may call for besides.
	Also []string

	turn   time.Duration // when the turn began in which it happened
	places uint32        // in which the board is not as before the turn, as in glance
}

// begin notes that something goes wrong now. Its evidence is visible from now on, until see says that there is more.
func (g *game) begin(code string, side rules.Side, also ...string) {
	g.over()
	g.incidents = append(g.incidents, Incident{
		Code: code, Side: side, From: g.Now(), Visible: g.Now(), Until: math.MaxInt64, Also: also,
		turn: g.began, places: changed(&g.match.Game.Position, &g.Board.Position),
	})
}

// see notes that only now, and after d more, all evidence of the last incident can be seen.
func (g *game) see(d time.Duration) {
	if n := len(g.incidents); n > 0 {
		in := &g.incidents[n-1]
		in.Visible, in.places = g.Now()+d, changed(&g.match.Game.Position, &g.Board.Position)
	}
}

// over notes that play has gone on since the incidents that were.
func (g *game) over() {
	for i := len(g.incidents) - 1; i >= 0 && g.incidents[i].Until == math.MaxInt64; i-- {
		g.incidents[i].Until = g.Now()
	}
}

// early and late widen the time in which an incident may be announced.
const (
	early = 500 * time.Millisecond
	late  = 500 * time.Millisecond
)

// found is how one incident was dealt with.
type found struct {
	Incident
	At    time.Duration // when it was announced
	Yes   bool
	Asked bool // it was not, but the referee asked what had happened (X1)
	// Evident says that its evidence was in what the eye reported.
	Evident bool
}

// score finds the announcement of each incident, and those of which there was none.
func (p *Played) score() (all []found, falsely []referee.Event) {
	var said []int
	for i := range p.Events {
		if announces(&p.Events[i]) != "" {
			said = append(said, i)
		}
	}
	used := make([]bool, len(said))
	evident := p.evident()
	for n, in := range p.Incidents {
		f := found{Incident: in, Evident: evident[n]}
		for k, i := range said {
			at := p.Said[i]
			if used[k] || at < in.From-early || at-late > in.Until {
				continue
			}
			switch code := announces(&p.Events[i]); {
			case code == in.Code && !f.Yes:
				f.Yes, f.At, used[k] = true, at, true
			case in.also(code):
				used[k] = true
			}
		}
		f.Asked = !f.Yes && p.askedIn(in.From, in.Until)
		all = append(all, f)
	}
	for k, i := range said {
		if !used[k] {
			falsely = append(falsely, p.Events[i])
		}
	}
	return all, falsely
}

// askedIn tells whether the referee put a question in that time.
func (p *Played) askedIn(from, until time.Duration) bool {
	for i := range p.Events {
		if e := &p.Events[i]; e.Type == referee.Attention && announces(e) == "" && p.Said[i] >= from && p.Said[i] <= until {
			return true
		}
	}
	return false
}

// announces returns the code of RULES §3 that the event announces: questions (X1) announce nothing.
func announces(e *referee.Event) string {
	switch {
	case e.Type == referee.RulingMade:
		return e.Ruling.Code
	case e.Type == referee.Attention && e.Why == "camera":
		return "X2"
	}
	return ""
}

func (in *Incident) also(code string) bool {
	for _, a := range in.Also {
		if a == code {
			return true
		}
	}
	return false
}

package analysis

import (
	"cmp"
	"slices"

	"davar/rules"
)

// current is the version of what an analysis holds; those of an older one are made anew.
const current = 2

// Analysis is what is known about one match; it may grow game by game.
type Analysis struct {
	Version int    `json:"version"`
	Match   string `json:"match"`
	Plies   int    `json:"plies"`
	Done    int    `json:"done"` // games analysed
	Of      int    `json:"of"`
	Plays   []Play `json:"plays"` // in the order in which they were made
	Cubes   []Cube `json:"cubes"` // likewise
}

// New returns an analysis, in which nothing is judged yet, of a match of so many games.
func New(match string, plies, games int) *Analysis {
	return &Analysis{Version: current, Match: match, Plies: plies, Of: games, Plays: []Play{}, Cubes: []Cube{}}
}

// Complete reports whether nothing is missing: all games are analysed, as this program does it.
func (a *Analysis) Complete() bool { return a.Version == current && a.Done == a.Of }

// Chances are a side's probabilities in a game, as if the cube did not exist. A gammon counts in a win, a backgammon in
// a gammon.
type Chances struct {
	Win            float64 `json:"win"`
	Gammon         float64 `json:"gammon,omitempty"`
	Backgammon     float64 `json:"backgammon,omitempty"`
	LoseGammon     float64 `json:"lose_gammon,omitempty"`
	LoseBackgammon float64 `json:"lose_backgammon,omitempty"`
}

// Other returns the same from the other side.
func (c Chances) Other() Chances {
	return Chances{1 - c.Win, c.LoseGammon, c.LoseBackgammon, c.Gammon, c.Backgammon}
}

// Play is one roll and what was made of it. Equities take the cube into account and are normalised to it: 1 is a
// single game won at its value.
type Play struct {
	Seq    int64      `json:"seq"` // of the play's event
	Game   int        `json:"game"`
	Side   rules.Side `json:"side"`
	Error  float64    `json:"error"`  // equity given away, 0 = the best play
	Luck   float64    `json:"luck"`   // equity won by the roll
	Equity float64    `json:"equity"` // Side's after what he played
	Chances
	// Forced is true when there was at most one play. When there was none, Equity and Chances say nothing.
	Forced bool `json:"forced,omitempty"`
	Danced bool `json:"danced,omitempty"`
}

// Action is what was done about the cube.
type Action string

// The cube actions that are judged.
const (
	NoDouble Action = "no_double" // rolled although he could have doubled
	Double   Action = "double"
	Take     Action = "take"
	Drop     Action = "drop"
)

// Cube is one decision about the cube. The equities are those of the player who doubles or may double, normalised to
// the cube before it is turned; a drop is worth 1 to him.
type Cube struct {
	Seq        int64      `json:"seq"` // of the cube action's event; with NoDouble of the play's
	Game       int        `json:"game"`
	Side       rules.Side `json:"side"` // who decided
	Action     Action     `json:"action"`
	Error      float64    `json:"error"` // equity given away
	NoDouble   float64    `json:"nd"`
	DoubleTake float64    `json:"dt"`
}

// closeTo is how far from a double a position may be and not doubling is still a decision.
const closeTo = 0.16

// Counts reports whether it was a decision: a cube action, or a position that was not far from a double.
func (c *Cube) Counts() bool {
	return c.Action != NoDouble || c.NoDouble-min(c.DoubleTake, 1) < closeTo
}

// judge works out the error from the equities.
func (c *Cube) judge() {
	doubled := min(c.DoubleTake, 1) // the other side takes or drops as is better for him
	switch c.Action {
	case NoDouble:
		c.Error = max(0, doubled-c.NoDouble)
	case Double:
		c.Error = max(0, c.NoDouble-doubled)
	case Take:
		c.Error = max(0, c.DoubleTake-1)
	case Drop:
		c.Error = max(0, 1-c.DoubleTake)
	}
}

// Player is what a player's decisions come to.
type Player struct {
	Decisions int     `json:"decisions"` // plays that were not forced
	Error     float64 `json:"error"`     // equity given away by them in all
	Cubes     int     `json:"cubes"`     // decisions about the cube
	CubeError float64 `json:"cube_error"`
	Missed    int     `json:"missed"`       // doubles not offered
	Wrong     int     `json:"wrong"`        // doubles offered wrongly
	Takes     int     `json:"wrong_takes"`  // doubles taken that should have been dropped
	Drops     int     `json:"wrong_passes"` // and the other way round
	Luck      float64 `json:"luck"`
}

// Rate is the mean error of a decision, plays and cube, in thousandths of a point.
func (p *Player) Rate() float64 { return rate(p.Error+p.CubeError, p.Decisions+p.Cubes) }

// PlayRate is Rate of the plays alone.
func (p *Player) PlayRate() float64 { return rate(p.Error, p.Decisions) }

// CubeRate is Rate of the decisions about the cube alone.
func (p *Player) CubeRate() float64 { return rate(p.CubeError, p.Cubes) }

func rate(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return 1000 * sum / float64(n)
}

// Merge adds what the player did in another match.
func (p *Player) Merge(o Player) {
	p.Decisions += o.Decisions
	p.Error += o.Error
	p.Cubes += o.Cubes
	p.CubeError += o.CubeError
	p.Missed += o.Missed
	p.Wrong += o.Wrong
	p.Takes += o.Takes
	p.Drops += o.Drops
	p.Luck += o.Luck
}

// Players sums up the decisions, by side.
func (a *Analysis) Players() [2]Player {
	var sums [2]Player
	for i := range a.Plays {
		p := &a.Plays[i]
		s := &sums[p.Side&1]
		s.Luck += p.Luck
		if !p.Forced {
			s.Decisions++
			s.Error += p.Error
		}
	}
	for i := range a.Cubes {
		sums[a.Cubes[i].Side&1].cube(&a.Cubes[i])
	}
	return sums
}

func (p *Player) cube(c *Cube) {
	if !c.Counts() {
		return
	}
	p.Cubes++
	p.CubeError += c.Error
	if c.Error <= 0 {
		return
	}
	switch c.Action {
	case NoDouble:
		p.Missed++
	case Double:
		p.Wrong++
	case Take:
		p.Takes++
	case Drop:
		p.Drops++
	}
}

// blunder is from which error on a decision counts as one.
const blunder = 0.08

// Blunder is a large error: the play or cube action that was made.
type Blunder struct {
	Seq   int64
	Error float64
	Cube  Action // empty: a play
}

// Blunders returns side's largest errors of at least 0.08, the largest first, at most n of them.
func (a *Analysis) Blunders(side rules.Side, n int) []Blunder {
	var found []Blunder
	for i := range a.Plays {
		if p := &a.Plays[i]; p.Side == side && p.Error >= blunder {
			found = append(found, Blunder{p.Seq, p.Error, ""})
		}
	}
	for i := range a.Cubes {
		if c := &a.Cubes[i]; c.Side == side && c.Error >= blunder {
			found = append(found, Blunder{c.Seq, c.Error, c.Action})
		}
	}
	slices.SortStableFunc(found, func(a, b Blunder) int { return cmp.Compare(b.Error, a.Error) })
	return found[:min(n, len(found))]
}

// Play returns the analysis of the play with that number; ok is false when it has none.
func (a *Analysis) Play(seq int64) (p Play, ok bool) {
	for i := range a.Plays {
		if a.Plays[i].Seq == seq {
			return a.Plays[i], true
		}
	}
	return Play{}, false
}

// Cube returns the analysis of the cube action with that number, or of not having doubled before that play; ok is false
// when it has none.
func (a *Analysis) Cube(seq int64) (c Cube, ok bool) {
	for i := range a.Cubes {
		if a.Cubes[i].Seq == seq {
			return a.Cubes[i], true
		}
	}
	return Cube{}, false
}

package transcript

import (
	"davar/rules"
	"davar/rules/record"
	"davar/rules/referee"
)

// Facts are what the events of a match do not say themselves.
type Facts struct {
	ID      string
	Players [2]string // by side
	Length  int       // points to win, 0 = money session
	Event   string    // tournament, may be empty
	Club    string    // whose table it was, may be empty
	// Settings are the rules the match was refereed by; nil: the defaults are taken, as far as nothing else is known.
	Settings *referee.Settings
}

// Transcript is a match as it stands after its last event.
type Transcript struct {
	Facts
	Started  string // RFC 3339 of the first event, empty when the events carry no wall clock
	Games    []Game // oldest first
	Finished bool
	Winner   rules.Side // meaningful when Finished
	Score    [2]int     // now, by side
	Rulings  []Ruling   // oldest first
	// Decisions are what people decided and was carried out, oldest first.
	Decisions []referee.Event
	Notes     []string // what could not be made out, in words for a log
}

// Game is one game.
type Game struct {
	Number   int
	Crawford bool
	Score    [2]int         // before the game, by side (SCORE-8)
	Start    rules.Position // the variant's, unless play was taken up in mid-game
	Cube     int            // at the start: more than 1 by automatic doubles (OPEN-4)
	Turns    []Turn
	Result   *Result            // nil while it goes on, or was broken off
	Began    int64              // t_ms of its start
	Ended    int64              // t_ms of its end; of its last event while it goes on
	Clock    *referee.ClockView // at its end (SCORE-8); nil without a clock
	Excluded [2]int             // checkers out of this game (IRREG-9)
}

// Result is how a game ended.
type Result struct {
	Winner rules.Side
	Points int    // 0 when time lost the match
	How    string // single, gammon, backgammon, drop, time, resign
	Cube   int    // that multiplied the win
	Score  [2]int // after it
	Match  bool   // it ended the match
}

// Kind is what happened in a turn.
type Kind uint8

// The kinds of turn.
const (
	Roll   Kind = iota // Dice were rolled and played, or could not be
	Double             // the cube was offered at Cube
	Take
	Drop
	Pass // closed out: no roll (ENTER-7)
	Set  // the board was put as After says, or the cube to Cube; Side is on roll
)

var kindNames = [...]string{"roll", "double", "take", "drop", "pass", "set"}

// String returns roll, double, take, drop, pass or set.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// Turn is one action of a player as it stands in the end.
type Turn struct {
	Kind     Kind
	Side     rules.Side
	Seq      int64 // of the event that says it
	Dice     rules.Dice
	Notation string // as players write it; empty: danced, or an illegal play that stood
	Before   rules.Position
	After    rules.Position
	Illegal  bool // the play was not legal and stood (IRREG-6)
	// Unseen is true for a roll of which the play is not known; After is then what was found later, if anything was.
	Unseen bool
	// Corrected is true when it is not what was said first.
	Corrected bool
	// Void is true for a cube action of a game that proved to be the Crawford game: it counts for nothing (CUBE-12).
	Void       bool
	Cube       int         // with Double, Take and Set
	Owner      *rules.Side // of the cube, with a Set of it; nil: it is nobody's
	Confidence float64     // 0 to 1, of the play
	Began      int64       // t_ms at which it became his turn
	Rolled     int64       // t_ms of the roll
	Ended      int64       // t_ms at which the turn ended
	Used       int64       // ms of his time it took, pauses not counted

	roll int64 // seq of the roll's event
	on   bool  // After is known from an event
}

// Hits returns how many enemy checkers the turn sent to the bar.
func (t *Turn) Hits() int {
	other := t.Side.Other()
	return max(0, int(t.After.Checkers[other][rules.Bar])-int(t.Before.Checkers[other][rules.Bar]))
}

// Danced reports whether nothing could be played.
func (t *Turn) Danced() bool { return t.Kind == Roll && !t.Unseen && t.Before == t.After }

// Ruling is something the referee announced.
type Ruling struct {
	Seq       int64
	Game      int
	TMS       int64
	Side      rules.Side
	Body      referee.RulingBody
	Withdrawn bool
}

// Rules returns the rules of play: the default ones when it is not known which they are.
func (f *Facts) Rules() rules.Options {
	if f.Settings != nil {
		return f.Settings.Options.Rules
	}
	return rules.OptionsFor(rules.Standard)
}

// crawford reports whether the Crawford rule is in force.
func (f *Facts) crawford() bool { return f.Length > 1 && (f.Settings == nil || f.Settings.Crawford) }

// Record returns the match as the formats of players keep it. The header names the event and the day.
func (t *Transcript) Record() *record.Record {
	r := &record.Record{
		Players: t.Players, Length: t.Length, Variant: t.Rules().Variant, Crawford: t.Length == 0 || t.crawford(),
		Games: []record.Game{},
	}
	if t.Settings != nil && t.Length == 0 {
		r.Jacoby, r.Beavers = t.Settings.Options.Jacoby, t.Settings.Options.Beavers
	}
	for _, f := range []record.Field{{Key: "Event", Value: t.Event}, {Key: "EventDate", Value: matDay(t.Started)}, {Key: "Match ID", Value: t.ID}} {
		if f.Value != "" {
			r.Header = append(r.Header, f)
		}
	}
	for i := range t.Games {
		r.Games = append(r.Games, t.Games[i].record())
	}
	return r
}

// matDay writes the day of an RFC 3339 time as .mat headers do, empty for an empty one.
func matDay(at string) string {
	if len(at) < len("2006-01-02") {
		return ""
	}
	return at[:4] + "." + at[5:7] + "." + at[8:10]
}

func (g *Game) record() record.Game {
	out := record.Game{Number: g.Number, Score: g.Score, Crawford: g.Crawford, Start: g.Start}
	if g.Cube > 1 {
		out.Cube = g.Cube
	}
	for i := range g.Turns {
		if t := &g.Turns[i]; t.Unseen && i == len(g.Turns)-1 && g.Result == nil {
			break // he is still playing it; readers take a roll without a play for giving up
		}
		if a, ok := g.Turns[i].action(); ok {
			out.Actions = append(out.Actions, a)
		}
	}
	if res := g.Result; res != nil {
		out.Result = &record.Result{
			Winner: res.Winner, Points: res.Points, Match: res.Match, Resigned: res.How == "resign", OnTime: res.How == "time",
		}
	}
	return out
}

// action returns the turn as a record's action; a pass and what is void leave none.
func (t *Turn) action() (a record.Action, ok bool) {
	a = record.Action{Side: t.Side, Dice: t.Dice, Cube: t.Cube}
	if t.Void {
		return a, false
	}
	switch t.Kind {
	case Pass:
		return a, false
	case Double:
		a.Kind = record.Double
	case Take:
		a.Kind, a.Cube = record.Take, 0
	case Drop:
		a.Kind, a.Cube = record.Drop, 0
	case Set:
		a.Kind, a.Owner = record.Set, t.Owner
		if t.Before != t.After {
			a.Position = &t.After
		}
	case Roll:
		a.Unseen = t.Unseen
		steps, err := rules.ParseNotation(t.Notation)
		switch {
		case t.Unseen && t.Before == t.After:
		case t.Unseen, t.Illegal, err != nil, len(steps) == 0 && t.Before != t.After:
			a.Position = &t.After
		default:
			a.Steps = steps
		}
	}
	return a, true
}

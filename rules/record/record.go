package record

import (
	"fmt"

	"davar/rules"
)

// Record is a match as a file of any format holds it. Light is the left column's player, SGF's White.
type Record struct {
	Header   []Field // in the order of the file
	Comments []string
	Players  [2]string // by side
	Length   int       // points to win; 0 = money
	Variant  rules.Variant
	Crawford bool // the Crawford rule is in force
	Jacoby   bool
	Beavers  bool
	Games    []Game
	Notes    []Note // what the reader found odd or could not read, in the order of the file
}

// Field is one named value of a file's header, such as Event or Player 1.
type Field struct {
	Key, Value string
}

// Note is a remark about one line of a file.
type Note struct {
	Line int // from 1; 0 = the whole file
	Text string
}

// String returns the remark with its line.
func (n Note) String() string {
	if n.Line == 0 {
		return n.Text
	}
	return fmt.Sprintf("line %d: %s", n.Line, n.Text)
}

// Game is one game of a record.
type Game struct {
	Number   int
	Score    [2]int // before the game, by side
	Crawford bool   // this is the Crawford game
	Start    rules.Position
	Cube     int // its value at the start where automatic doubles have turned it (OPEN-4), else 0
	Actions  []Action
	Result   *Result // nil: the record does not say how the game ended
	Line     int     // of the source, 0 = unknown
}

// Result is how a game ended according to the record.
type Result struct {
	Winner rules.Side
	Points int
	Match  bool // it ended the match
	// Resigned is true when the record says, or the board shows, that the loser gave up.
	Resigned bool
	// OnTime is true when the loser's time ran out. Points is then 0 if that cost him the match (CLOCK-4).
	OnTime bool
}

// asResignation returns how a format that knows no clock writes the result: time lost is a single game resigned.
func (res *Result) asResignation(cube int) Result {
	out := *res
	if out.OnTime {
		out.OnTime, out.Resigned = false, true
		out.Points = max(out.Points, cube)
	}
	return out
}

// Kind is what a player did.
type Kind uint8

// The kinds of action.
const (
	Roll   Kind = iota // rolled Dice and played Steps
	Double             // offered the cube at Cube
	Take
	Drop
	Beaver // took and doubled back to Cube
	Resign // conceded the game
	Set    // nobody: the board was put as Position says, or the cube to Cube; Side is on roll
)

var kindNames = [...]string{"roll", "double", "take", "drop", "beaver", "resign", "set"}

// String returns roll, double, take, drop, beaver, resign or set.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Action is one thing a player did.
type Action struct {
	Kind  Kind
	Side  rules.Side
	Dice  rules.Dice   // of a roll; zero: not readable
	Steps []rules.Step // as written; none: nothing was moved
	Cube  int          // new value, with Double, Beaver and Set; 0: not said
	Owner *rules.Side  // of the cube, with a Set of it; nil: it is nobody's
	// Unseen is true when the record does not say what was played ("????"); Position may still say what came of it.
	Unseen bool
	// Position is the board after the roll where the record gives it instead of Steps (illegal plays), and that of Set.
	Position *rules.Position
	Line     int // of the source, 0 = unknown
}

// note adds a remark.
func (r *Record) note(line int, format string, args ...any) {
	r.Notes = append(r.Notes, Note{line, fmt.Sprintf(format, args...)})
}

// Field returns the header's value of a key, "" when it has none.
func (r *Record) Field(key string) string {
	for _, f := range r.Header {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// markCrawford finds the Crawford game from the scores: the first in which a player is one point from victory
// (CUBE-11). Files do not say it.
func (r *Record) markCrawford() {
	done := false
	for i := range r.Games {
		g := &r.Games[i]
		g.Crawford = r.Crawford && !done && r.Length > 1 && max(g.Score[0], g.Score[1]) == r.Length-1 &&
			min(g.Score[0], g.Score[1]) < r.Length-1
		done = done || g.Crawford || max(g.Score[0], g.Score[1]) >= r.Length-1
	}
}

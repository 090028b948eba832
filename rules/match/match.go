package match

import (
	"fmt"

	"davar/rules"
)

// Phase says what a game waits for.
type Phase uint8

// The phases.
const (
	AwaitOpening Phase = iota // the opening roll
	AwaitRoll                 // Turn may double or roll
	AwaitAnswer               // the opponent of Offer.By takes or drops
	Rolled                    // Turn plays Dice
	GameOver                  // Result stands; Next begins the next game
	MatchOver                 // the match is decided
)

var phaseNames = [...]string{"opening", "await", "offered", "rolled", "over", "match_over"}

// String returns opening, await, offered, rolled, over or match_over.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return fmt.Sprintf("phase(%d)", uint8(p))
}

// Match is a match at one moment. Length 0 is a money session, which never ends. The zero value is not usable;
// New returns a match. Copies are independent.
type Match struct {
	Options      Options
	Length       int
	Score        [2]int // by side
	CrawfordDone bool   // the Crawford game has been begun (CUBE-11)
	Game         Game
	Result       Result // of the last game that ended
}

// Game is the game in progress.
type Game struct {
	Number      int // from 1
	Crawford    bool
	Phase       Phase
	Turn        rules.Side // meaningful from AwaitRoll on
	Opening     bool       // the opening play is not yet complete: no double (OPEN-8)
	Turns       int        // turns closed
	Dice        rules.Dice
	Position    rules.Position
	Excluded    [2]int // checkers out of this game (IRREG-9)
	Cube        Cube
	Offer       Offer // while Phase is AwaitAnswer
	Doubled     bool  // a player has offered a double in this game (END-7)
	AutoDoubles int   // cube turns by opening ties (OPEN-4)
}

// Result is how a game, or a match lost on time, ended.
type Result struct {
	How    How
	Winner rules.Side
	Win    rules.Win
	Cube   int  // value that multiplied the win
	Points int  // Win x Cube, 0 when time lost the match
	Match  bool // the match is over with it
}

// How says by what a game ended.
type How uint8

// The ways a game ends (END-1, END-8, CLOCK-4).
const (
	NotEnded How = iota
	BornOff
	Dropped
	OnTime
	Resigned
)

// String returns the word of the game.ended event: single, gammon or backgammon for a game played out, drop,
// time or resign; "" when the game has not ended.
func (r Result) String() string {
	switch r.How {
	case BornOff:
		return r.Win.String()
	case Dropped:
		return "drop"
	case OnTime:
		return "time"
	case Resigned:
		return "resign"
	}
	return ""
}

// New returns a match of length points (0 = money session) before the opening roll of its first game.
func New(length int, o Options) (Match, error) {
	if length < 0 || length > 1<<15-1 {
		return Match{}, fmt.Errorf("match: new match: length %d is not 0 to %d", length, 1<<15-1)
	}
	if err := o.Check(); err != nil {
		return Match{}, err
	}
	if length > 0 && (o.Jacoby || o.Beavers || o.Rules.OpeningTies == rules.TieAutoDouble) {
		o.Jacoby, o.Beavers, o.Rules.OpeningTies = false, false, rules.TieReroll // CUBE-13
	}
	o.fillDefaults()
	m := Match{Options: o, Length: length}
	m.begin()
	return m, nil
}

// begin sets up the next game.
func (m *Match) begin() {
	m.Game = Game{
		Number:   m.Game.Number + 1,
		Crawford: m.crawfordNext(),
		Position: rules.Start(m.Options.Rules.Variant),
		Cube:     Cube{Value: 1},
	}
	m.CrawfordDone = m.CrawfordDone || m.Game.Crawford
}

// crawfordNext reports whether a game begun at the present score is the Crawford game: the first after a player
// has come to one point from victory (CUBE-11).
func (m *Match) crawfordNext() bool {
	if !m.Options.Crawford || m.CrawfordDone || m.Length < 2 {
		return false
	}
	return max(m.Score[rules.Light], m.Score[rules.Dark]) == m.Length-1
}

// SetScore sets the score before the game in progress, as the written score says (SCORE-5), and finds out anew
// whether this is the Crawford game. crawfordDone says that the Crawford game has been played already.
func (m *Match) SetScore(score [2]int, crawfordDone bool) error {
	for _, s := range score {
		if s < 0 || m.Length > 0 && s >= m.Length {
			return fmt.Errorf("match: set score %d-%d: not a score during a match to %d", score[0], score[1], m.Length)
		}
	}
	m.Score, m.CrawfordDone = score, crawfordDone
	m.Game.Crawford = m.crawfordNext()
	m.CrawfordDone = m.CrawfordDone || m.Game.Crawford
	return nil
}

// Next begins the next game once the score is agreed (SCORE-4).
func (m *Match) Next() error {
	switch m.Game.Phase {
	case MatchOver:
		return ruleError("SCORE-1", "", "the match is over")
	case GameOver:
		m.begin()
		return nil
	}
	return ruleError("SCORE-4", "S4", "the game is not over")
}

// Winner returns who has won the match; ok is false while it goes on.
func (m *Match) Winner() (winner rules.Side, ok bool) {
	if m.Game.Phase != MatchOver {
		return m.Result.Winner, false
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		if m.reached(side) {
			return side, true
		}
	}
	return m.Result.Winner, true // the other's time has run out
}

// reached reports whether side has the points that win the match (SCORE-1).
func (m *Match) reached(side rules.Side) bool { return m.Length > 0 && m.Score[side] >= m.Length }

// finish ends the game (END-5) and counts its points (SCORE-1).
func (m *Match) finish(how How, winner rules.Side, win rules.Win) {
	m.Result = Result{How: how, Winner: winner, Win: win, Cube: m.Game.Cube.Value, Points: int(win) * m.Game.Cube.Value}
	m.Score[winner] += m.Result.Points
	m.Game.Phase, m.Game.Offer = GameOver, Offer{}
	if m.reached(winner) {
		m.Game.Phase, m.Result.Match = MatchOver, true
	}
}

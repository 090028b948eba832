package referee

import (
	"time"

	"davar/rules"
	"davar/rules/sighting"
)

// Input is one thing that happened at the table. Exactly one of Sighting, Press and Decision is set; none of
// them set means a tick: only time has passed. T counts from the match's first frame and never runs backwards
// for presses, decisions and ticks; a sighting may come up to a second late (its T is the time of the picture).
type Input struct {
	T        time.Duration
	Sighting *sighting.Sighting
	Press    *Press
	Decision *Decision
}

// Press is a player's clock button going down.
type Press struct {
	Side rules.Side
}

// What a director, or both players at the table unit, can decide.
const (
	DecideStart    = "start"    // Side is on roll next (opening not seen); with clocks his time starts
	DecideReplay   = "replay"   // Side must replay his turn with the same roll (IRREG-5); Ruling names the code
	DecideRethrow  = "rethrow"  // Side's fast or disputed roll is void and thrown again (DICE-12); Ruling names the code
	DecideStand    = "stand"    // the roll or play in question stands
	DecideOverrule = "overrule" // the open ruling with the code Ruling (the latest when empty) was wrong
	DecidePause    = "pause"    // both clocks stop (CLOCK-9); Why says what for
	DecideResume   = "resume"   // play goes on
	DecideTake     = "take"     // Side takes the cube
	DecideDrop     = "drop"     // Side drops the cube
	DecideDouble   = "double"   // Side offers a double
	DecideNext     = "next"     // the score is agreed: the next game may begin (SCORE-4); Score, if given, is the written one
	DecideScore    = "score"    // Score is the right score (SCORE-5): before a game in progress, after one that is over
	DecideSet      = "set"      // Position (and Side on roll) are set as given; with Seq: Side's play Seq led to Position
	DecideResign   = "resign"   // Side concedes Points (1 single, 2 gammon, 3 backgammon) times the cube (END-8)
	DecideAdjust   = "adjust"   // Side's reserve is set to RemainingMS
	DecideOvertime = "overtime" // the side whose flag has fallen gets its overtime
	DecideForfeit  = "forfeit"  // Side has no delay in this turn, or in his next one (a fast grab of the dice)
	DecideRoll     = "roll"     // Side's roll is Dice; with Seq: it was, in the turn of his play Seq
	DecideCube     = "cube"     // the cube has the value Cube and belongs to Owner, to nobody when that is nil; with Seq: it was so at play Seq
	DecideUndo     = "undo"     // back to the turn whose play has the number Seq (0: the last one), to be played anew; or to before that double
	DecideAgain    = "again"    // the game, or the one of play Seq, is void and played anew from its opening roll
	DecideCrawford = "crawford" // the game, or the one of play Seq, was the Crawford game: its cube counts as not turned (CUBE-12)
	DecideConfirm  = "confirm"  // what was asked for has been done: the clock times are recorded (CLOCK-12)
	DecideExclude  = "exclude"  // as set, with the checkers that are missing in Position out of this game (IRREG-9)
)

// aboutSide tells of every decision whether it is about one side.
var aboutSide = map[string]bool{
	DecideStart: true, DecideReplay: true, DecideRethrow: true, DecideStand: false, DecideOverrule: false, DecidePause: false, DecideResume: false,
	DecideTake: true, DecideDrop: true, DecideDouble: true, DecideNext: false, DecideScore: false, DecideSet: true,
	DecideResign: true, DecideAdjust: true, DecideOvertime: false, DecideForfeit: true, DecideRoll: true, DecideCube: false, DecideUndo: false, DecideAgain: false, DecideCrawford: false,
	DecideConfirm: false, DecideExclude: true,
}

// AboutSide tells whether what names a decision, and whether that is about one side: its side must then be given,
// since a forgotten one would mean light.
func AboutSide(what string) (about, known bool) {
	about, known = aboutSide[what]
	return about, known
}

// Decision is a person's word (DIR-5, MON-1). What names one of the Decide constants.
type Decision struct {
	What        string          `json:"decision"`
	By          string          `json:"by,omitempty"` // who: "director", "players", a name
	Side        rules.Side      `json:"side"`
	Ruling      string          `json:"ruling,omitempty"`
	Why         string          `json:"why,omitempty"`
	Transaction string          `json:"transaction,omitempty"` // by which its sender knows it, told again by the event; changes nothing
	Points      int             `json:"points,omitempty"`
	Score       *Score          `json:"score,omitempty"`
	Position    *rules.Position `json:"position,omitempty"`
	RemainingMS int64           `json:"remaining_ms,omitempty"`
	Dice        []int           `json:"dice,omitempty"`
	Cube        int             `json:"cube,omitempty"`
	Owner       *rules.Side     `json:"owner,omitempty"`
	// Seq is the number of a closed turn's play, of this game or of the one that has just ended. With roll, set and
	// cube it has the decision correct that turn; all that follows is derived anew. With undo, again and crawford it
	// may be that of a play or a cube action of any game of the match.
	Seq int64 `json:"seq,omitempty"`
}

// Score is the match score.
type Score struct {
	Light int `json:"light"`
	Dark  int `json:"dark"`
}

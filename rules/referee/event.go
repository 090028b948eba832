package referee

import "davar/rules"

// Types of events, as they appear on the wire.
const (
	MatchStarted    = "match.started"
	GameStarted     = "game.started"
	Roll            = "roll"
	RollInvalid     = "roll.invalid"
	PlayMade        = "play"
	Dance           = "dance"
	RulingMade      = "ruling"
	RulingWithdrawn = "ruling.withdrawn"
	CubeOffered     = "cube.offered"
	CubeTaken       = "cube.taken"
	CubeDropped     = "cube.dropped"
	TurnEnded       = "turn.ended"
	GameEnded       = "game.ended"
	MatchEnded      = "match.ended"
	MatchReopened   = "match.reopened" // what was said to have ended the match did not: it goes on
	ClockStarted    = "clock.started"
	ClockPressed    = "clock.pressed"
	ClockPaused     = "clock.paused"
	ClockResumed    = "clock.resumed"
	ClockFlagged    = "clock.flagged"
	ClockAdjusted   = "clock.adjusted"
	Attention       = "attention"
	DecisionMade    = "decision"
	DecisionRefused = "decision.refused" // what was decided does not fit the moment; nothing has changed
)

// Event is one line of a match's history. Which fields are set depends on Type; empty ones are left out of the
// JSON. Seq counts from 1 within a match without gaps. The meaning of a name never changes; new ones may come.
type Event struct {
	Seq   int64  `json:"seq"`
	Match string `json:"match"`
	Game  int    `json:"game"`
	TMS   int64  `json:"t_ms"`         // since the match's first frame
	At    string `json:"at,omitempty"` // RFC 3339, set by the journal of a live table; never by the referee
	Type  string `json:"type"`

	Side       *rules.Side `json:"side,omitempty"`
	Dice       []int       `json:"dice,omitempty"`     // as rolled, two numbers; the opening roll light's die first
	Opening    bool        `json:"opening,omitempty"`  // with roll, game.started
	Notation   string      `json:"notation,omitempty"` // with play: as players write it, "8/5 6/5*"
	Position   string      `json:"position,omitempty"` // GNU position ID after the event, Side being the player who moved
	Legal      *bool       `json:"legal,omitempty"`    // with play: false when an illegal play stands
	Confidence float64     `json:"confidence,omitempty"`
	Why        string      `json:"why,omitempty"` // roll.invalid: cocked|wrong_half|on_checker|off_board|premature|split; attention: a key of the phrasebook
	// Corrects is the number of the event that this one puts right or, with a decision, is about. With why
	// "corrected" and without it, the last event of the kind of that side is meant.
	Corrects int64  `json:"corrects,omitempty"`
	Refusal  string `json:"refusal,omitempty"` // with decision.refused: why it was refused
	By       string `json:"by,omitempty"`
	What     string `json:"what,omitempty"` // decision
	// Transaction is the decision's, where it came with one.
	Transaction string      `json:"transaction,omitempty"`
	Cube        int         `json:"cube,omitempty"`  // value offered, taken or, with decision cube, set
	Owner       *rules.Side `json:"owner,omitempty"` // with decision cube: whose it is; nobody's when it is missing
	Points      int         `json:"points,omitempty"`
	How         string      `json:"how,omitempty"` // game.ended: single|gammon|backgammon|drop|time|resign
	Score       *Score      `json:"score,omitempty"`
	Ruling      *RulingBody `json:"ruling,omitempty"` // with ruling and ruling.withdrawn
	Clock       *ClockView  `json:"clock,omitempty"`  // with clock.*
}

// RulingBody is what a ruling says. The text in the players' language comes from the phrasebook by Code.
type RulingBody struct {
	Code     string            `json:"code"`              // M1...X2 (announcement)
	Rules    []string          `json:"rule"`              // rule numbers, most specific first
	Offence  string            `json:"offence"`           // the same in one English clause, for logs
	Severity string            `json:"severity"`          // I, P, R or B
	Params   map[string]string `json:"params,omitempty"`  // what fills the text's {braces}
	Remedy   string            `json:"remedy,omitempty"`  // replay, rethrow, restore, settle, none...
	As       string            `json:"as,omitempty"`      // K3: the code M1...M12 whose remedy it has
	Answers  []string          `json:"answers,omitempty"` // decisions that settle it or answer its question
	Until    string            `json:"until,omitempty"`   // when the remedy lapses: window, lifted, play_complete...
	Actors   []string          `json:"actors,omitempty"`  // who may act: both, opponent, officials, director
	Before   int64             `json:"before_ms"`         // time of the picture before, evidence
	After    int64             `json:"after_ms"`          // time of the picture after, evidence
	Nearest  []string          `json:"nearest,omitempty"` // for director's eyes only (EQUIP-9)
	Audience string            `json:"audience"`          // table, director or log (policy, MON-4)
	ID       int64             `json:"id"`                // seq of the ruling event, also on its withdrawal
}

// ClockView is the clock at one moment, enough to count down from.
type ClockView struct {
	RemainingMS [2]int64 `json:"remaining_ms"` // reserve of light, dark
	DelayMS     int64    `json:"delay_ms"`     // what is left of the running side's free delay
	Running     string   `json:"running"`      // "light", "dark" or "" (both stopped)
	Paused      string   `json:"paused,omitempty"`
	Flagged     string   `json:"flagged,omitempty"` // side whose time ran out
	AsOfMS      int64    `json:"as_of_ms"`          // t_ms the figures are true for
}

package referee

import (
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/match"
)

// Phases of a table (RULES, turn life-cycle).
const (
	phaseSetup   = "setup"   // the starting position is awaited
	phaseOpening = "opening" // the opening roll is awaited
	phaseAwait   = "await"   // cube or roll
	phaseRolled  = "rolled"  // rolled and moving, or turn ended and not judged yet
	phaseEnded   = "ended"   // turn ended with a breach that can still be corrected
	phaseOver    = "over"    // the game is over
	phaseMatch   = "match_over"
)

// table is all that a referee knows: plain data, so that a checkpoint of it is complete.
type table struct {
	Settings Settings       `json:"settings"`
	Now      time.Duration  `json:"now"`
	Seq      int64          `json:"seq"`
	Began    bool           `json:"began"`
	Phase    string         `json:"phase"`
	Match    match.Match    `json:"match"`   // its game's position is the one before the turn
	Current  rules.Position `json:"current"` // what is shown: that, or what an illegal play left

	Roll    *roll         `json:"roll,omitempty"`
	Ended   *ending       `json:"ended,omitempty"`
	Breach  *breach       `json:"breach,omitempty"`
	Fast    *fastRoll     `json:"fast,omitempty"`
	Waived  [2]bool       `json:"waived"` // side has let a fast roll pass in this match (DICE-13)
	Last    *closedTurn   `json:"last,omitempty"`
	History []pastTurn    `json:"history,omitempty"` // of this game, oldest first
	Earlier []earlierGame `json:"earlier,omitempty"` // games of the match that are over, oldest first

	Unfit    places  `json:"unfit,omitempty"`     // where the pictures contradicted the position before the throw
	Glimpsed [2]die  `json:"glimpsed"`            // dice of a roll not read yet; Rest 0: none
	HalfSeen bool    `json:"half_seen,omitempty"` // one die of another throw of this turn was seen, now gone
	Between  bool    `json:"between,omitempty"`   // that die was thrown after the dice that may lean
	Doubtful *[2]die `json:"doubtful,omitempty"`  // dice that may lean, not judged yet (D5)
	Lost     bool    `json:"lost,omitempty"`      // the turn before could not be made out: the board may show more than it should
	Blind    *ending `json:"blind,omitempty"`     // a turn ended of which no roll was seen

	CubeHome  bool         `json:"cube_home"`           // the cube was seen where it belongs
	CubeWrong bool         `json:"cube_wrong"`          // C4 was announced in this game
	OfferPut  bool         `json:"offer_put,omitempty"` // the offer that waits for its answer was made by the cube, not by a word
	OfferSeq  int64        `json:"offer_seq,omitempty"` // of the event that told of that offer
	Doubles   []pastDouble `json:"doubles,omitempty"`   // answered ones of this game, oldest first
	Breaks    int          `json:"breaks"`              // taken in this match (PROC-2)

	Setup    *setup        `json:"setup,omitempty"`    // the game was begun from a wrong starting position (IRREG-8)
	Timed    bool          `json:"timed,omitempty"`    // the clock times are recorded for a break (CLOCK-12)
	Away     *absence      `json:"away,omitempty"`     // the players are waited for (PROC-1, PROC-2)
	Halted   bool          `json:"halted,omitempty"`   // a ruling of the referee has stopped the clocks
	Appeal   bool          `json:"appeal,omitempty"`   // a ruling or an appeal is open: nothing closes meanwhile (APP-3)
	Reaching time.Duration `json:"reaching,omitempty"` // since when a hand is on the board out of turn; 0: none
	Covering *covering     `json:"covering,omitempty"` // a hand that lies over the dice
	Reached  time.Duration `json:"reached,omitempty"`  // when one was last that was there for long enough to be told of

	Eyes    eyes          `json:"eyes"`
	Held    []heldPress   `json:"held,omitempty"`
	Pressed heldPress     `json:"pressed,omitzero"` // the last press that moved the clock
	Asked   []string      `json:"asked,omitempty"`  // questions put in this turn
	Since   time.Duration `json:"since"`            // beginning of the phase
	Rulings []RulingBody  `json:"rulings"`
	Plays   []LastPlay    `json:"plays"`
	Notice  string        `json:"notice,omitempty"`
	Winner  string        `json:"winner,omitempty"`
	Agreed  bool          `json:"agreed"` // the score is agreed (SCORE-4)
}

// roll is the roll of the turn and what was seen of its dice.
type roll struct {
	Seq       int64         `json:"seq"` // of its event
	Side      rules.Side    `json:"side"`
	Dice      rules.Dice    `json:"dice"` // in the opening light's first
	Opening   bool          `json:"opening"`
	Seen      [2]die        `json:"seen"` // evidence for Dice[0], Dice[1]; Rest 0 when stated, not seen
	Present   bool          `json:"present"`
	Lies      time.Duration `json:"lies,omitempty"` // of opening dice: when one was last missing
	At        time.Duration `json:"at"`
	Before    time.Duration `json:"before"`               // time of a picture of the position before the turn
	Replay    bool          `json:"replay"`               // to be played anew (IRREG-5)
	Stated    bool          `json:"stated"`               // a person said what it is
	Inferred  bool          `json:"inferred,omitempty"`   // nobody saw it: it is what explains the play best
	Late      bool          `json:"late,omitempty"`       // it was found out only when something had been played
	Glimpsed  [2]die        `json:"glimpsed,omitzero"`    // what was seen of the dice of an inferred one; Rest 0: nothing
	PressedBy *rules.Side   `json:"pressed_by,omitempty"` // the opening: who has pressed last without ending the turn
	Doubt     places        `json:"doubt"`                // where the pictures contradicted the position before the moves
	Readings  []reading     `json:"readings,omitempty"`   // positions seen since the roll
	Unmoved   time.Duration `json:"unmoved,omitempty"`    // when the board was last seen as before the moves
	Again     rules.Dice    `json:"again"`                // what the same player threw again (D9); no roll when he did not
	AgainSeen [2]die        `json:"again_seen,omitzero"`  // what was seen of those dice
	Disputed  bool          `json:"disputed,omitempty"`   // the players may hold for the roll a throw of which not all was seen
	HalfAgain bool          `json:"half_again,omitempty"` // one die was seen of a throw after it, not yet the other
	HalfDie   int           `json:"half_die,omitempty"`   // that die
	Moved     [2]die        `json:"moved"`                // dice of the roll that were pushed, as they lie now; Rest 0 when not
}

// reading is a position that was seen, and for how long in all.
type reading struct {
	Position rules.Position `json:"position"`
	Time     time.Duration  `json:"time"`
}

// ending is the signal that ended the turn.
type ending struct {
	At   time.Duration `json:"at"`
	By   string        `json:"by"`   // press, lift, throw, double, touch
	Told bool          `json:"told"` // announced
	// Passed says that the other player has pressed as well since, before the turn was made out.
	Passed bool `json:"passed,omitempty"`
}

// breach is an illegal play that can still be corrected (IRREG-4).
type breach struct {
	Final  rules.Position `json:"final"`
	Ruling int64          `json:"ruling"` // id of the ruling
	Spoken bool           `json:"spoken"` // the players were told
	At     time.Duration  `json:"at"`
	Voided bool           `json:"voided"` // the next player threw all the same; that throw was void
}

// fastRoll is a roll thrown before the opponent ended his turn (DICE-12).
type fastRoll struct {
	Side   rules.Side `json:"side"`
	Dice   rules.Dice `json:"dice"`
	Seen   [2]die     `json:"seen"`
	Ruling int64      `json:"ruling"`
}

// closedTurn is the last turn that was closed, kept to be undone.
type closedTurn struct {
	Match match.Match `json:"match"` // before the turn was closed
	Roll  roll        `json:"roll"`
	Plays int         `json:"plays"` // length of the list of plays before it
	// Touched says that the turn ended by touching the dice: nothing may be changed afterwards (D8).
	Touched bool `json:"touched,omitempty"`
	// Guessed says that its play is only the likeliest: what follows may show that the turn was another one.
	Guessed bool   `json:"guessed,omitempty"`
	Wrong   places `json:"wrong,omitempty"` // where the pictures contradicted its result
	// Others are other results it may have had, should what follows not fit the one that was taken.
	Others []other `json:"others,omitempty"`
}

// other is another result of a turn and its log-odds against the one that was taken.
type other struct {
	Play rules.Play `json:"play"`
	Dice rules.Dice `json:"dice"`
	Odds float64    `json:"odds"`
}

type heldPress struct {
	At   time.Duration `json:"at"`
	Side rules.Side    `json:"side"`
}

// checkpoint is the JSON form of a referee.
type checkpoint struct {
	Version int               `json:"v"`
	Table   table             `json:"table"`
	Clock   *clock.Checkpoint `json:"clock,omitempty"`
}

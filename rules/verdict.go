package rules

// Code is the announcement a referee makes of a play that is not legal (RULES section 3, M1 to M12).
type Code string

// The codes. A legal play has none.
const (
	TooFew        Code = "M1"  // a number was left that could be played
	SmallerNumber Code = "M2"  // the smaller number was played where the larger must be
	WrongCount    Code = "M3"  // the pips moved fit no part of the roll, or too many moves were made
	ClosedPoint   Code = "M4"  // a closed point was landed on or passed through
	BarFirst      Code = "M5"  // another checker was moved with one on the bar
	WrongBearOff  Code = "M6"  // a checker was borne off that may not be
	WrongWay      Code = "M7"  // a checker was moved backwards, or one of the opponent's
	HitNotLifted  Code = "M8"  // a hit checker is not on the bar, or one on the bar was not hit
	Impossible    Code = "M9"  // a side has not its number of checkers
	HitAndRun     Code = "M10" // hit-and-run where that is barred
	NoLegalPlay   Code = "M11" // something was moved though nothing could be played
	OtherMismatch Code = "M12" // none of the above
)

// codes says each code in one English clause.
var codes = map[Code]string{
	TooFew:        "more could be played",
	SmallerNumber: "the larger number must be played",
	WrongCount:    "the moves do not match the roll",
	ClosedPoint:   "a closed point was used",
	BarFirst:      "the checker on the bar must enter first",
	WrongBearOff:  "bearing off is not allowed here",
	WrongWay:      "a checker was moved wrongly",
	HitNotLifted:  "the hit checker belongs on the bar",
	Impossible:    "the number of checkers is wrong",
	HitAndRun:     "hitting and going on to own checkers is not allowed",
	NoLegalPlay:   "there was no legal play",
	OtherMismatch: "the position does not match the roll",
}

// Offence says in one English clause, for logs, what was wrong; "" for a legal play.
func (c Code) Offence() string { return codes[c] }

// Verdict is what the rules say of a turn.
type Verdict struct {
	Legal bool
	Code  Code     // why not; "" when legal
	Rules []string // numbers of the rules broken, the most specific first
	// Play is the legal play made; without moves when nothing could be played and nothing was.
	Play Play
	// Points are those concerned, in the mover's numbering (Bar 25, Off 0), from the rear; nil when legal.
	Points []uint8
	// Nearest are up to three legal plays most like what was done, the likest first: for a director's eyes only
	// (EQUIP-9).
	Nearest []Play
	// Impossible says, under any code, that the position as it stands cannot be played on (IRREG-11).
	Impossible *ImpossibleError
}

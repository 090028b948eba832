package clock

import "slices"

// Reason says why both sides stand still. The values are keys of the phrasebook and appear in events.
type Reason string

// Reasons for both sides to stand (CLOCK-9). A cocked die is none.
const (
	Opening      Reason = "opening"       // the opening roll: the lower die's player presses and so starts the other
	BetweenGames Reason = "between_games" // the board is set up and the score agreed
	MatchOver    Reason = "match_over"
	Ruling       Reason = "ruling"        // an action is contested or the director called
	DieOffTable  Reason = "die_off_table" // a fallen die is fetched
	Break        Reason = "break"         // an authorised break (CLOCK-12)
	Resignation  Reason = "resignation"   // a concession is offered
	Agreed       Reason = "agreed"        // both players agreed to stop
	Director     Reason = "director"      // the director's word, for none of the other reasons
	Fault        Reason = "fault"         // a device of the table failed
	Flag         Reason = "flag"          // a flag fell; set by the clock itself
	Undone       Reason = "undone"        // a press was taken back; set by the clock itself
	Restarted    Reason = "restart"       // the power came back; set by the clock itself
)

var (
	stopReasons  = []Reason{Opening, BetweenGames, MatchOver}
	pauseReasons = []Reason{Ruling, DieOffTable, Break, Resignation, Agreed, Director, Fault}
	ownReasons   = []Reason{Flag, Undone, Restarted}
)

func (r Reason) known() bool {
	return slices.Contains(stopReasons, r) || slices.Contains(pauseReasons, r) || slices.Contains(ownReasons, r)
}

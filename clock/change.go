package clock

import "time"

// Kind says what a Change is.
type Kind string

// Kinds of change.
const (
	Started       Kind = "started"        // Side's time runs from the opening roll or a director's word
	Pressed       Kind = "pressed"        // Side ended his turn, the other's time runs
	Stopped       Kind = "stopped"        // game or match over, or ready for the opening roll: nobody is on move
	Paused        Kind = "paused"         // both sides stand, Side's turn is interrupted
	Resumed       Kind = "resumed"        // Side's turn goes on
	Flagged       Kind = "flagged"        // Side's time ran out, At being the exact moment
	LimitPassed   Kind = "limit_passed"   // the pause has lasted as long as it may
	Adjusted      Kind = "adjusted"       // Side's reserve was set by the director
	DelayForfeit  Kind = "delay_forfeit"  // Side has no delay in this turn, or in his next when he is not on move
	OvertimeGiven Kind = "overtime"       // Side's flag was lifted and his overtime given
	TakenBack     Kind = "taken_back"     // the last press, start or stop never was; Side is on move again
	PowerRestored Kind = "power_restored" // the clock came back from a checkpoint, at most Missing of time unseen
)

// Change is one thing that happened to the clock, for events, log and displays.
type Change struct {
	Kind    Kind
	At      time.Duration // when it happened; for a flag the moment it fell, which lies before the call that reports it
	Side    Side          // whom it concerns; Nobody when both alike
	Reason  Reason        // of a stop or pause
	By, Why string        // of a director's decision, as he gave them
	Before  [2]time.Duration
	After   [2]time.Duration // remaining reserve of light, dark just before and after
	Turn    *Turn            // with Pressed: the turn that ended
	Missing time.Duration    // with PowerRestored
}

// Turn is how one turn used time; pauses are not in it.
type Turn struct {
	Side  Side          `json:"side"`
	Start time.Duration `json:"start_ns"`         // when his time began to run
	Free  time.Duration `json:"free_ns,omitzero"` // ran without the reserve (Simple) or is given back (Bronstein)
	Used  time.Duration `json:"used_ns,omitzero"` // ran on the reserve
}

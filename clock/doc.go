// Package clock is the tournament clock of backgammon: a deterministic state machine on injected time.
//
// Nothing here reads a wall clock or starts a goroutine. Time comes in as a time.Duration since some fixed
// moment (the match's first frame) with every call; inside, everything is counted in nanoseconds and computed
// from the moment of the last change, never summed from ticks: a clock that is looked at a thousand times
// shows what one shows that was never looked at.
//
// A Control is the time control that a director announces ("two minutes a point and twelve seconds"); New makes
// a Clock of it, standing still for the opening roll. Press, Start, Stop, Pause and Resume are what happens at
// the table; Adjust, ForfeitDelay, GrantOvertime and Undo are the director's. Each returns what changed, oldest
// first, and refuses with one of the package's errors what may not happen; a refused call changes nothing
// except that a flag which had fallen by then is now reported. View says what a display shows at any moment,
// and Due when a shell has to call Tick because a flag falls or a break is over.
//
// Rule numbers such as CLOCK-6 name the project's rule book. The systems and figures follow the U.S. clock
// rules of 2013 where the rule book is silent.
package clock

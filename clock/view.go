package clock

import (
	"fmt"
	"time"
)

// View is what the clock shows at one moment.
type View struct {
	AsOf      time.Duration
	Remaining [2]time.Duration // reserve of light, dark; 0 only when the flag has fallen
	Delay     time.Duration    // left of the delay of the side on move (Simple, Bronstein)
	OnMove    Side             // whose turn it is, also while it is interrupted; Nobody before and between games
	Running   Side             // whose time runs; Nobody when both stand
	Paused    Reason           // why both stand; "" while one runs
	PausedFor time.Duration    // how long they have stood
	Limit     time.Duration    // how long they may stand; 0: no limit
	Flagged   Side             // whose flag fell first; Nobody
	Fallen    [2]bool          // all flags, of a clock used mechanically perhaps both
	Final     bool             // the fallen flag cannot be mended by overtime (CLOCK-4)
	Forfeit   [2]bool          // has no delay in his next turn
	Missing   time.Duration    // after a restart: how much of the interrupted turn's time may not have been counted
}

// View returns what the clock shows at moment at, a flag that has fallen by then included; a moment before the
// last change is taken as the moment of the change. It changes nothing, and two views are as far apart as their
// moments whatever was looked at in between.
func (c *Clock) View(at time.Duration) View {
	s := c.Still()
	return s.View(at)
}

// NextFlag returns the moment at which a flag falls if nothing is pressed before; false when none will, because
// both sides stand or the running side's flag is down already.
func (c *Clock) NextFlag() (time.Duration, bool) { return c.now.flagAt(c.control.System) }

// Due returns the moment at which Tick next has something to report, a flag or the end of a pause; false when it
// will not before the next call. One timer set to it (plus Grace for a flag) is all a shell needs.
func (c *Clock) Due() (time.Duration, bool) {
	if at, ok := c.NextFlag(); ok {
		return at, true
	}
	if s := c.now.Stop; !c.now.Running && s.Limit > 0 && !s.Told {
		return s.Since + s.Limit, true
	}
	return 0, false
}

// Account returns where all time up to moment at has gone.
func (c *Clock) Account(at time.Duration) Account {
	m := c.now
	m.advance(&c.control, min(at, longest))
	return m.Account
}

// Turn returns how the turn on move has used time up to moment at; its Side is Nobody before and between games.
func (c *Clock) Turn(at time.Duration) Turn {
	m := c.now
	m.advance(&c.control, min(at, longest))
	return m.Turn
}

func (m *moment) remaining() [2]time.Duration {
	return [2]time.Duration{max(m.Reserve[Light], 0), max(m.Reserve[Dark], 0)}
}

// Seconds rounds a remaining time for a display: up, so that 0 appears at the flag and not before.
func Seconds(d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return int64((d-1)/time.Second) + 1
}

// Text writes a remaining time as a display shows it: "14:00", "0:07", from an hour on "1:04:30".
func Text(d time.Duration) string {
	s := Seconds(d)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

package clock

import "time"

// Still is a clock as it stood after its last change: all that is needed to tell what it shows at any later moment as
// long as nothing happens to it. A Still never changes, so that displays and lamps may look at it from goroutines of
// their own. Stills are comparable: equal ones come from clocks that show the same for ever. The zero value is not
// usable.
type Still struct {
	control Control
	now     moment
}

// Still returns the clock as it stands.
func (c *Clock) Still() Still { return Still{control: c.control, now: c.now} }

// Delay returns the delay of a whole turn.
func (s Still) Delay() time.Duration { return s.control.Delay }

// View is Clock.View of the clock the Still was taken of.
func (s Still) View(at time.Duration) View {
	m := s.now
	m.advance(&s.control, min(at, longest))
	v := View{AsOf: m.At, Remaining: m.remaining(), OnMove: m.OnMove, Running: Nobody, Flagged: m.First,
		Fallen: m.Fallen, Forfeit: m.Forfeit}
	if s.control.System == Simple || s.control.System == Bronstein {
		v.Delay = m.Left
	}
	if m.First != Nobody {
		v.Final = s.control.Overtime == 0 || m.Over[m.First]
	}
	if m.Running {
		v.Running = m.OnMove
		return v
	}
	v.Paused, v.PausedFor, v.Limit, v.Missing = m.Stop.Reason, m.At-m.Stop.Since, m.Stop.Limit, m.Stop.Missing
	return v
}

package clock

import "time"

// moment is the state of both sides at one instant, At. Everything later follows from it by arithmetic as long
// as nothing is pressed. It is what Undo brings back.
type moment struct {
	At      time.Duration    `json:"at_ns"`
	Reserve [2]time.Duration `json:"reserve_ns"` // below zero: ran on after the flag (Mechanical)
	OnMove  Side             `json:"on_move"`    // whose turn it is, running or interrupted; Nobody before and between games
	Running bool             `json:"running"`
	Turn    Turn             `json:"turn"`
	Left    time.Duration    `json:"left_ns"`          // of this turn's delay (Simple, Bronstein) or increment (Fischer)
	Forfeit [2]bool          `json:"forfeit,omitzero"` // has no delay in his next turn
	Fallen  [2]bool          `json:"fallen,omitzero"`  // flags
	First   Side             `json:"first"`            // whose flag fell first
	Over    [2]bool          `json:"over,omitzero"`    // has had his overtime
	Stop    stop             `json:"stop,omitzero"`
	Account Account          `json:"account"`
}

// stop is why and since when both sides stand.
type stop struct {
	Reason  Reason        `json:"reason,omitempty"`
	Since   time.Duration `json:"since_ns,omitempty"`
	Limit   time.Duration `json:"limit_ns,omitempty"` // how long it may last; 0: no limit
	Told    bool          `json:"told,omitempty"`     // that the limit has passed
	Missing time.Duration `json:"missing_ns,omitempty"`
}

// Account says where all time since the clock was made has gone. It always balances:
//
//	elapsed      = Stopped + TakenBack + Free[light] + Free[dark] + Used[light] + Used[dark]
//	remaining[s] = at the start + Given[s] - Used[s]
type Account struct {
	Stopped   time.Duration    `json:"stopped_ns,omitzero"`    // both sides stood
	TakenBack time.Duration    `json:"taken_back_ns,omitzero"` // undone
	Free      [2]time.Duration `json:"free_ns,omitzero"`       // in the simple delay
	Used      [2]time.Duration `json:"used_ns,omitzero"`       // on the reserve
	Given     [2]time.Duration `json:"given_ns,omitzero"`      // by the system, overtime and corrections; below zero: taken
}

// flagAt returns when the flag of the running side falls if nothing is pressed; false when none will.
func (m *moment) flagAt(system System) (time.Duration, bool) {
	if !m.Running || m.Fallen[m.OnMove] {
		return 0, false
	}
	at := m.At + m.Reserve[m.OnMove]
	if system == Simple {
		at += m.Left
	}
	return at, true
}

// advance moves the moment to t, letting a flag fall on its way, and says whether one did. t before m.At leaves
// it as it is.
func (m *moment) advance(c *Control, t time.Duration) (fell bool) {
	at, ok := m.flagAt(c.System)
	if ok && t >= at {
		m.spend(c.System, at)
		m.fall(c.Mechanical)
		fell = true
	}
	m.spend(c.System, t)
	return fell
}

// fall marks the flag of the side on move and, unless the clock is used mechanically, freezes both sides.
func (m *moment) fall(mechanical bool) {
	m.Fallen[m.OnMove] = true
	if m.First == Nobody {
		m.First = m.OnMove
	}
	if !mechanical {
		m.Running = false
		m.Stop = stop{Reason: Flag, Since: m.At}
	}
}

// spend charges the time from m.At to t to whom it belongs; no flag falls in between.
func (m *moment) spend(system System, t time.Duration) {
	e := t - m.At
	if e <= 0 {
		return
	}
	m.At = t
	if !m.Running {
		m.Account.Stopped += e
		return
	}
	s := m.OnMove
	used := e
	if system == Simple || system == Bronstein {
		free := min(e, m.Left)
		m.Left -= free
		m.Turn.Free += free
		if system == Simple {
			m.Account.Free[s] += free
			used -= free
		}
	}
	m.Reserve[s] -= used
	m.Turn.Used += used
	m.Account.Used[s] += used
	if system == Hourglass {
		m.give(s.Other(), used)
	}
}

func (m *moment) give(s Side, d time.Duration) {
	m.Reserve[s] += d
	m.Account.Given[s] += d
}

// begin starts a turn of s.
func (m *moment) begin(c *Control, s Side) {
	m.OnMove, m.Running, m.Stop = s, true, stop{}
	m.Turn = Turn{Side: s, Start: m.At}
	m.Left = c.Delay
	if m.Forfeit[s] {
		m.Left, m.Forfeit[s] = 0, false
	}
}

// end closes the turn of the side on move and gives him what the system grants.
func (m *moment) end(c *Control) Turn {
	switch c.System {
	case Bronstein:
		m.give(m.OnMove, m.Turn.Free)
	case Fischer:
		m.give(m.OnMove, m.Left)
	}
	return m.Turn
}

// halt makes both sides stand.
func (m *moment) halt(why Reason, limit time.Duration) {
	m.Running = false
	m.Stop = stop{Reason: why, Since: m.At, Limit: limit}
}

// lift takes side's flag back up, if it is down; a moment frozen by it then stands for a ruling.
func (m *moment) lift(side Side) {
	m.Fallen[side] = false
	if m.First == side {
		m.First = Nobody
		if m.Fallen[side.Other()] {
			m.First = side.Other()
		}
	}
	if m.First == Nobody && m.Stop.Reason == Flag {
		m.halt(Ruling, 0)
	}
}

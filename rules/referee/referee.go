package referee

import (
	"encoding/json"
	"fmt"
)

// Settings fix how one match is refereed. The zero value is not usable; start from DefaultSettings.
type Settings struct {
	Match   string // identifier written into every event
	Players [2]string
	Length  int // points to win; 0 = money session
	Score   Score
	Layout  Layout
	TurnEnd string // "clock" (TURN-3) or "pickup" (TURN-2)
	// OpeningSeen is true when the opening roll will be seen or thrown at the table; false waits for DecideStart.
	OpeningSeen bool
	Cube        bool
	Crawford    bool
	Mode        string // monitor.mode: announce, director_only, off (MON-1)
}

// DefaultSettings returns a seven-point match, standard game, light at the bottom, home boards right,
// turn ended by the clock, rulings announced.
func DefaultSettings() Settings {
	return Settings{
		Players: [2]string{"Light", "Dark"}, Length: 7,
		Layout: Layout{Bottom: "light", Home: "right"}, TurnEnd: "clock",
		OpeningSeen: true, Cube: true, Crawford: true, Mode: "announce",
	}
}

// Referee judges one match. It is not safe for concurrent use: one goroutine owns it.
type Referee struct {
	settings Settings
}

// New returns a referee waiting for the first picture of a match.
// It returns an error when the settings contradict each other.
func New(s Settings) (*Referee, error) {
	if s.Length < 0 {
		return nil, fmt.Errorf("referee: new match: length %d is negative", s.Length)
	}
	return &Referee{settings: s}, nil
}

// Handle takes the next input and returns what follows from it, oldest first; nil when nothing does.
func (r *Referee) Handle(in Input) []Event { return nil }

// State returns the public state after the last input.
func (r *Referee) State() State { return State{} }

// Checkpoint returns the whole inner state as JSON, such that Restore of it and the same later inputs give the
// same events.
func (r *Referee) Checkpoint() ([]byte, error) { return json.Marshal(r.settings) }

// Restore returns the referee that Checkpoint described. Clocks come back paused (reason "restart").
func Restore(checkpoint []byte) (*Referee, error) {
	var s Settings
	if err := json.Unmarshal(checkpoint, &s); err != nil {
		return nil, fmt.Errorf("referee: restore a match: %w", err)
	}
	return New(s)
}

package referee

// State is the whole public state of a table: enough to draw the page and the scoreboard from it alone.
// Points count from light's side, positive light, index 0 = light's 1 point.
type State struct {
	Match    string       `json:"match"`
	Seq      int64        `json:"seq"` // of the last event that is part of it
	TMS      int64        `json:"t_ms"`
	Game     int          `json:"game"`
	Phase    string       `json:"phase"` // setup, opening, await, rolled, ended, over, match_over
	Players  [2]string    `json:"players"`
	Length   int          `json:"length"` // points to win, 0 = money session
	Score    Score        `json:"score"`
	Crawford bool         `json:"crawford"`
	Layout   Layout       `json:"layout"`
	Cube     CubeState    `json:"cube"`
	Points   [24]int      `json:"points"`
	Bar      [2]int       `json:"bar"` // light, dark
	Off      [2]int       `json:"off"`
	Pips     [2]int       `json:"pips"`
	Turn     string       `json:"turn"` // "light", "dark" or "" before the opening roll
	Dice     []int        `json:"dice,omitempty"`
	Clock    *ClockView   `json:"clock,omitempty"` // nil: played without a clock
	Last     *LastPlay    `json:"last,omitempty"`
	Plays    []LastPlay   `json:"plays"`   // of this game, oldest first
	Rulings  []RulingBody `json:"rulings"` // open ones
	Notice   string       `json:"notice,omitempty"`
	NoticeTo string       `json:"notice_to,omitempty"` // who is to see the notice, as the audience of a ruling
	Appeal   bool         `json:"appeal,omitempty"`    // play stands: a ruling is contested, or the director was called (APP-3)
	Winner   string       `json:"winner,omitempty"`
}

// Layout says how the board lies before the camera (SETUP-3).
type Layout struct {
	Bottom string `json:"bottom"` // side sitting at the bottom of the rectified picture: light or dark
	Home   string `json:"home"`   // side of the picture on which both home boards lie: left or right
}

// CubeState is the doubling cube.
type CubeState struct {
	Enabled bool   `json:"enabled"`
	Value   int    `json:"value"`
	Owner   string `json:"owner"`             // "light", "dark" or "" (middle)
	Offered string `json:"offered,omitempty"` // side that has doubled and waits for the answer
}

// LastPlay is one turn as shown in the list of plays.
type LastPlay struct {
	Seq      int64  `json:"seq"`
	Side     string `json:"side"`
	Dice     []int  `json:"dice,omitempty"`
	Notation string `json:"notation"`           // empty with Dice set: danced; "double", "take", "drop" without dice
	Position string `json:"position,omitempty"` // GNU position ID after it
	Legal    bool   `json:"legal"`
}

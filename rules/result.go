package rules

// Win is how a game was won: the multiplier of the cube (END-2 to END-5).
type Win uint8

// The wins.
const (
	NoWin      Win = iota
	Single         // the loser has borne off at least one checker
	Gammon         // none: mars
	Backgammon     // none, and a checker on the bar or in the winner's home board
)

var winNames = names{"", "single", "gammon", "backgammon"}

// String returns single, gammon or backgammon; "" for NoWin.
func (w Win) String() string { return winNames.name(uint8(w)) }

// MarshalText writes the win as in String.
func (w Win) MarshalText() ([]byte, error) { return winNames.marshal("win", uint8(w)) }

// UnmarshalText reads a win as in String.
func (w *Win) UnmarshalText(text []byte) error {
	n, err := winNames.unmarshal("win", text)
	*w = Win(n)
	return err
}

// Winner returns the side whose last active checker is off; ok is false while the game goes on (END-1).
func (p *Position) Winner() (winner Side, ok bool) {
	for s := Light; s <= Dark; s++ {
		if p.InPlay(s) == 0 && p.Checkers[s][Off] > 0 {
			return s, true
		}
	}
	return Light, false
}

// Won returns how the game was won on the board and by whom; NoWin while it goes on. An excluded checker does
// not count as borne off (END-10). Options may switch gammons or backgammons off (END-6, VAR-6).
func (p *Position) Won(o Options) (winner Side, win Win) {
	winner, ok := p.Winner()
	if !ok {
		return Light, NoWin
	}
	return winner, p.worst(winner.Other(), o)
}

// worst returns the most that loser loses if the game ended now with him as the loser.
func (p *Position) worst(loser Side, o Options) Win {
	row := &p.Checkers[loser]
	switch {
	case o.GammonsOff || row[Off] > 0:
		return Single
	case o.BackgammonsOff:
		return Gammon
	case row[Bar] > 0 && o.BackgammonNeeds == BarOrHome:
		return Backgammon
	}
	for point := 19; point <= 24; point++ {
		if row[point] > 0 {
			return Backgammon
		}
	}
	return Gammon
}

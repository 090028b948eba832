package record

import (
	"fmt"
	"math/bits"

	"davar/rules"
	"davar/rules/match"
)

// Moment is a match at one moment as position IDs can carry it.
type Moment struct {
	Position rules.Position
	Turn     rules.Side // who is on roll, has rolled, or has doubled
	Dice     rules.Dice // zero: not rolled
	Cube     match.Cube // as it stood before an offer
	Offer    Offer      // a double waiting for its answer
	Length   int        // 0 = money
	Score    [2]int     // by side
	Crawford bool       // this is the Crawford game
	Jacoby   bool       // money play
	Beavers  bool       // money play
	CubeMax  int        // highest value; 0 = not said
}

// Offer says whether a double waits for its answer.
type Offer uint8

// Values of Offer.
const (
	NoOffer   Offer = iota
	Doubled         // Turn has doubled
	Beavered        // Turn has doubled and was beavered
	Raccooned       // and has doubled the beaver
)

// check returns an error when a field holds what no match can.
func (m *Moment) check() error {
	switch v := m.Cube.Value; {
	case v < 1 || v&(v-1) != 0 || bits.Len(uint(v)) > 16:
		return fmt.Errorf("cube %d is no power of two", v)
	case m.Dice != rules.Dice{} && !m.Dice.Valid():
		return fmt.Errorf("dice %d-%d", m.Dice[0], m.Dice[1])
	case m.Length < 0 || m.Length > 1<<15-1:
		return fmt.Errorf("match length %d", m.Length)
	case min(m.Score[0], m.Score[1]) < 0 || max(m.Score[0], m.Score[1]) > 1<<15-1:
		return fmt.Errorf("score %d-%d", m.Score[0], m.Score[1])
	case m.Crawford && m.Length == 0:
		return fmt.Errorf("there is no Crawford game in money play")
	}
	return m.Position.Check(m.excluded())
}

// excluded takes checkers missing from the position as excluded ones (IRREG-9).
func (m *Moment) excluded() [2]int {
	var missing [2]int
	for s := range missing {
		missing[s] = max(0, rules.Checkers-m.Position.Active(rules.Side(s)))
	}
	return missing
}

package rules

import (
	"encoding/base64"
	"fmt"
)

// idLength is the number of characters of a GNU position ID.
const idLength = 14

// ID returns the GNU Backgammon position ID of p with mover as the player on roll: 14 characters. The bits list
// the OTHER side first, then the mover (the manual has it the wrong way round). Checkers borne off or excluded
// are not in the ID. For a position that cannot be written in 80 bits (more than fifteen checkers a side) the
// surplus is cut off.
func (p *Position) ID(mover Side) string {
	var key [10]byte
	bit := 0
	for _, side := range [2]Side{mover.Other(), mover} {
		for point := 1; point <= Bar; point++ {
			for n := p.Checkers[side][point]; n > 0 && bit < 80; n-- {
				key[bit/8] |= 1 << (bit % 8)
				bit++
			}
			bit++
		}
	}
	return base64.RawStdEncoding.EncodeToString(key[:])
}

// ParseID reads a GNU position ID as written for mover on roll. Checkers that are not in the ID count as borne
// off. It returns an error when the text is no ID, a side has more than fifteen checkers, both sides stand on
// one point, or both are on the bar against closed boards.
func ParseID(id string, mover Side) (Position, error) {
	p, err := ParseBoardID(id, mover)
	if err != nil {
		return Position{}, err
	}
	if err := p.Check([2]int{}); err != nil {
		return Position{}, fmt.Errorf("rules: read position ID %q: %w", id, err)
	}
	if p.ClosedOut(Light) && p.ClosedOut(Dark) {
		return Position{}, fmt.Errorf("rules: read position ID %q: both sides are on the bar against closed boards", id)
	}
	return p, nil
}

// ParseBoardID reads a GNU position ID as ParseID does but takes what lies on a board as it is, even where it is
// impossible: both sides may stand on one point.
func ParseBoardID(id string, mover Side) (Position, error) {
	var p Position
	if mover > Dark {
		return p, fmt.Errorf("rules: read position ID %q: %v is no side", id, mover)
	}
	key, err := base64.RawStdEncoding.DecodeString(id)
	if err != nil || len(id) != idLength || len(key) != 10 { // the decoder skips line ends
		return p, fmt.Errorf("rules: read position ID %q: want %d characters of A-Z a-z 0-9 + /", id, idLength)
	}
	bit := 0
	for _, side := range [2]Side{mover.Other(), mover} {
		row := &p.Checkers[side]
		total := 0
		for point := 1; point <= Bar; point++ {
			for bit < 80 && key[bit/8]>>(bit%8)&1 == 1 {
				row[point]++
				total++
				bit++
			}
			bit++
		}
		if total > Checkers {
			return Position{}, fmt.Errorf("rules: read position ID %q: %v has %d checkers", id, side, total)
		}
		row[Off] = uint8(Checkers - total)
	}
	for ; bit < 80; bit++ {
		if key[bit/8]>>(bit%8)&1 == 1 {
			return Position{}, fmt.Errorf("rules: read position ID %q: more in it than two sides", id)
		}
	}
	return p, nil
}

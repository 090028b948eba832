package record

import (
	"encoding/base64"
	"fmt"
	"math/bits"

	"davar/rules"
	"davar/rules/match"
)

// matchIDLength is the number of characters of a GNU match ID.
const matchIDLength = 12

// Game states of a GNU match ID.
const (
	gnuNone = iota
	gnuPlaying
)

// bitField writes and reads numbers in the bits of a key, the lowest bit first.
type bitField struct {
	key [9]byte
	at  int
}

func (b *bitField) put(v, n int) {
	for i := range n {
		b.key[b.at/8] |= byte(v>>i&1) << (b.at % 8)
		b.at++
	}
}

func (b *bitField) get(n int) int {
	v := 0
	for i := range n {
		v |= int(b.key[b.at/8]>>(b.at%8)&1) << i
		b.at++
	}
	return v
}

// gnuPlayer returns GNU Backgammon's number of a side: light is player 1 (X), dark player 0 (O). The numbers of
// sides run the other way, so it is its own inverse.
func gnuPlayer(s int) int { return 1 - s }

// MatchID returns the GNU Backgammon match ID of the moment, twelve characters, with light as player 1. Beavers
// and the highest cube are not in it; the position is another ID (rules.Position.ID for Turn).
func (m *Moment) MatchID() (string, error) {
	if err := m.check(); err != nil {
		return "", fmt.Errorf("record: write match ID: %w", err)
	}
	var b bitField
	b.put(bits.Len(uint(m.Cube.Value))-1, 4)
	owner := 3
	if m.Cube.Owned {
		owner = gnuPlayer(int(m.Cube.Owner))
	}
	b.put(owner, 2)
	turn := gnuPlayer(int(m.Turn))
	b.put(turn, 1)
	b.put(toBit(m.Crawford), 1)
	b.put(gnuPlaying, 3)
	decides := turn
	if m.Offer == Doubled || m.Offer == Raccooned {
		decides = 1 - turn
	}
	b.put(decides, 1)
	b.put(toBit(m.Offer != NoOffer), 1)
	b.put(0, 2) // no resignation offered
	b.put(int(m.Dice.High()), 3)
	b.put(int(m.Dice.Low()), 3)
	b.put(m.Length, 15)
	b.put(m.Score[gnuPlayer(0)], 15)
	b.put(m.Score[gnuPlayer(1)], 15)
	b.put(toBit(m.Length > 0 || !m.Jacoby), 1)
	return base64.RawStdEncoding.EncodeToString(b.key[:]), nil
}

func toBit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ParseMatchID reads a GNU match ID into a moment without a position. Programs before GNU Backgammon 1.0 leave the
// Jacoby bit empty also in matches; it is used in money play only.
func ParseMatchID(id string) (Moment, error) {
	m, err := parseMatchID(id)
	if err != nil {
		return Moment{}, fmt.Errorf("record: read match ID %q: %w", id, err)
	}
	return m, nil
}

func parseMatchID(id string) (Moment, error) {
	var b bitField
	key, err := base64.RawStdEncoding.DecodeString(id)
	if err != nil || len(id) != matchIDLength || len(key) != len(b.key) { // the decoder skips line ends
		return Moment{}, fmt.Errorf("want %d characters of A-Z a-z 0-9 + /", matchIDLength)
	}
	copy(b.key[:], key)
	m := Moment{Position: rules.Start(rules.Standard)}
	m.Cube.Value = 1 << b.get(4)
	switch owner := b.get(2); owner {
	case 0, 1:
		m.Cube = match.Cube{Value: m.Cube.Value, Owned: true, Owner: rules.Side(gnuPlayer(owner))}
	case 2:
		return m, fmt.Errorf("the cube has no such owner")
	}
	turn := b.get(1)
	m.Turn = rules.Side(gnuPlayer(turn))
	m.Crawford = b.get(1) == 1
	b.get(3)
	decides := b.get(1)
	if b.get(1) == 1 {
		m.Offer = Doubled
		if decides == turn {
			m.Offer = Beavered
		}
	}
	b.get(2)
	high, low := b.get(3), b.get(3)
	m.Dice = rules.Dice{uint8(high), uint8(low)}
	m.Length = b.get(15)
	m.Score[gnuPlayer(0)], m.Score[gnuPlayer(1)] = b.get(15), b.get(15)
	m.Jacoby = b.get(1) == 0 && m.Length == 0
	if m.Length > 0 && max(m.Score[0], m.Score[1]) > m.Length {
		return m, fmt.Errorf("a score is beyond the match length %d", m.Length)
	}
	return m, m.check()
}

// ParseGNUID reads "PositionID:MatchID", or a position ID alone, as GNU Backgammon prints them. Without a match
// ID light is on roll in money play.
func ParseGNUID(position, matchID string) (Moment, error) {
	m := Moment{Cube: match.Cube{Value: 1}}
	if matchID != "" {
		var err error
		if m, err = ParseMatchID(matchID); err != nil {
			return Moment{}, err
		}
	}
	pos, err := rules.ParseID(position, m.Turn)
	m.Position = pos
	return m, err
}

package rules

import "math/bits"

// outside are the bits of the points beyond the mover's home board, the bar included.
const outside = 1<<26 - 1<<7

// board is a position in the hands of the generator, seen from the mover: beside the counts it keeps one bit per
// point, so that all sources of a number are found at once.
type board struct {
	pos      Position
	own, opp *[26]uint8 // rows of pos
	occupied uint32     // own points with checkers on them, 1...25
	open     uint32     // points 1...24 without two enemies (MOVE-4)
	blots    uint32     // points 1...24 with exactly one enemy (HIT-1)
	must     bool       // a number that can bear off must (BearOffMust)
}

// set loads pos with mover to play.
func (b *board) set(pos *Position, mover Side, choice BearOff) {
	b.pos = *pos
	b.own, b.opp = &b.pos.Checkers[mover], &b.pos.Checkers[mover.Other()]
	b.must = choice == BearOffMust
	b.occupied, b.open, b.blots = 0, 0, 0
	for p := 1; p <= 24; p++ {
		if b.own[p] > 0 {
			b.occupied |= 1 << p
		}
		switch b.opp[25-p] {
		case 0:
			b.open |= 1 << p
		case 1:
			b.open |= 1 << p
			b.blots |= 1 << p
		}
	}
	if b.own[Bar] > 0 {
		b.occupied |= 1 << Bar
	}
}

// sources returns the points from which number d can be moved now, as bits: from the bar before all others
// (ENTER-1), never on to a closed point (MOVE-4), off the board only when all are home (OFF-1 to OFF-4).
func (b *board) sources(d uint8) uint32 {
	from := b.occupied
	if from>>Bar != 0 {
		from = 1 << Bar
	}
	moves := from & (b.open << d)
	if b.occupied&outside != 0 || b.occupied == 0 {
		return moves
	}
	off := b.occupied & (1 << d)
	if off == 0 && b.occupied>>d == 0 {
		off = 1 << (bits.Len32(b.occupied) - 1)
	}
	if b.must && off != 0 {
		return off
	}
	return moves | off
}

// target returns where a checker on from comes to with number d: Off when it leaves the board.
func target(from, d uint8) uint8 {
	if d >= from {
		return Off
	}
	return from - d
}

// move plays number d from a point that sources allows and returns what it did, for undo.
func (b *board) move(from, d uint8) Move {
	to := target(from, d)
	b.own[from]--
	if b.own[from] == 0 {
		b.occupied &^= 1 << from
	}
	b.own[to]++
	if to == Off {
		return Move{From: from}
	}
	b.occupied |= 1 << to
	if b.blots>>to&1 == 0 {
		return Move{From: from, To: to}
	}
	b.blots &^= 1 << to
	b.opp[25-to] = 0
	b.opp[Bar]++
	return Move{From: from, To: to, Hit: true}
}

// undo takes back m, the last move made.
func (b *board) undo(m Move) {
	b.own[m.From]++
	b.occupied |= 1 << m.From
	b.own[m.To]--
	if m.To != Off && b.own[m.To] == 0 {
		b.occupied &^= 1 << m.To
	}
	if m.Hit {
		b.blots |= 1 << m.To
		b.opp[25-m.To] = 1
		b.opp[Bar]--
	}
}

// rows returns the mover's and the other side's row of pos, which the board was set with or copied to.
func (b *board) rows(pos *Position) (mover, other *[26]uint8) {
	if b.own == &b.pos.Checkers[Light] {
		return &pos.Checkers[Light], &pos.Checkers[Dark]
	}
	return &pos.Checkers[Dark], &pos.Checkers[Light]
}

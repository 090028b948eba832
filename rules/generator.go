package rules

import "math/bits"

// Generator lists legal plays and keeps its memory between calls: once warmed up it allocates nothing. The zero
// value plays the standard game. A Generator must not be used by two goroutines at once.
type Generator struct {
	options  Options
	board    board
	moves    [4]Move // those made on board
	plays    []Play
	seen     pairSet
	anyOrder anyOrder
}

// NewGenerator returns a generator of plays under options o.
func NewGenerator(o Options) *Generator { return &Generator{options: o} }

// Options returns the rules the generator plays by.
func (g *Generator) Options() Options { return g.options }

// Plays returns all complete legal plays of mover with dice on pos: one Play for each distinct final position
// (MOVE-14), each with the greatest possible number of moves (MOVE-9, MOVE-12), in an order that depends on the
// arguments alone. The slice is empty when nothing can be played (MOVE-13), the game is over, the dice are no
// roll, or the variant is not refereed. It belongs to the generator and is valid until the next call. pos is
// not changed and need not outlive the call.
func (g *Generator) Plays(pos *Position, mover Side, dice Dice) []Play {
	g.plays = g.plays[:0]
	if !dice.Valid() || mover > Dark || g.options.Variant >= AceyDeucey || pos.InPlay(mover.Other()) == 0 {
		return g.plays
	}
	g.board.set(pos, mover, g.options.BearOff)
	hitRun := g.options.HitRun != HitRunAllowed && g.board.blots&homeBoard != 0
	if hitRun || g.board.must && dice.Double() {
		g.generateAnyOrder(dice)
	} else {
		g.generate(dice)
	}
	return g.plays
}

// generate lists the plays of the board without regard to hit-and-run.
func (g *Generator) generate(dice Dice) {
	if dice.Double() {
		g.double(dice[0], 0, Bar)
	} else {
		g.pair(dice.High(), dice.Low())
	}
}

// pair lists the plays of two different numbers. Either may come first (MOVE-3); both must be played if that is
// possible (MOVE-9), else one, the larger before the smaller (MOVE-10, MOVE-11).
func (g *Generator) pair(high, low uint8) {
	g.seen.clear()
	single := false // plays holds plays of one move so far
	for _, d := range [2][2]uint8{{high, low}, {low, high}} {
		largerFound := d[0] == low && single
		for from := g.board.sources(d[0]); from != 0; {
			p := uint8(bits.Len32(from) - 1)
			from &^= 1 << p
			g.moves[0] = g.board.move(p, d[0])
			second := g.board.sources(d[1])
			switch {
			case second != 0:
				if single {
					g.plays, single = g.plays[:0], false
				}
				g.seconds(second, d[1])
			case single && !largerFound || len(g.plays) == 0:
				single = true
				g.plays = append(g.plays, Play{Moves: g.moves, N: 1, Final: g.board.pos})
			}
			g.board.undo(g.moves[0])
			g.moves[0] = Move{}
		}
	}
}

// seconds adds one play for each second move of number d from the points in from whose result is new.
func (g *Generator) seconds(from uint32, d uint8) {
	b := &g.board
	for from != 0 {
		p := uint8(bits.Len32(from) - 1)
		from &^= 1 << p
		to := target(p, d)
		m := Move{From: p, To: to, Hit: to != Off && b.blots>>to&1 != 0}
		if g.seen.add(pairKey(g.moves[0], m)) {
			g.finish(1, m)
		}
	}
}

// finish adds the play of the n moves on the board and one last move m, which is made on the new play only.
func (g *Generator) finish(n uint8, m Move) {
	if len(g.plays) == cap(g.plays) {
		g.plays = append(g.plays, Play{})
	} else {
		g.plays = g.plays[:len(g.plays)+1]
	}
	play := &g.plays[len(g.plays)-1]
	play.Moves, play.N, play.Final = g.moves, n+1, g.board.pos
	play.Moves[n] = m
	mover, other := g.board.rows(&play.Final)
	mover[m.From]--
	mover[m.To]++
	if m.Hit {
		other[25-m.To]--
		other[Bar]++
	}
}

// double lists the plays of a double: depth moves are made, the last from the point last. As every move is of
// the same length, any set of moves that can be made at all can be made from the rear to the front, and two
// different sets never lead to the same position: so each play is found once, with moves from non-increasing
// points. A play cut short by that order is shorter than another one and falls out (MOVE-12).
func (g *Generator) double(d, depth, last uint8) {
	from := g.board.sources(d) & (2<<last - 1)
	if from == 0 {
		g.complete(depth)
		return
	}
	if depth == 3 {
		g.lengthen(4)
		for from != 0 {
			p := uint8(bits.Len32(from) - 1)
			from &^= 1 << p
			to := target(p, d)
			g.finish(3, Move{From: p, To: to, Hit: to != Off && g.board.blots>>to&1 != 0})
		}
		return
	}
	for from != 0 {
		p := uint8(bits.Len32(from) - 1)
		from &^= 1 << p
		g.moves[depth] = g.board.move(p, d)
		g.double(d, depth+1, p)
		g.board.undo(g.moves[depth])
		g.moves[depth] = Move{}
	}
}

// complete adds the play of the n moves on the board unless it is shorter than those found.
func (g *Generator) complete(n uint8) {
	if n == 0 || len(g.plays) > 0 && g.plays[0].N > n {
		return
	}
	g.lengthen(n)
	g.plays = append(g.plays, Play{Moves: g.moves, N: n, Final: g.board.pos})
}

// lengthen drops the plays found so far if they have fewer than n moves.
func (g *Generator) lengthen(n uint8) {
	if len(g.plays) > 0 && g.plays[0].N < n {
		g.plays = g.plays[:0]
	}
}

// pairKey returns a number that two moves, each of one of two different dice, share with exactly those that lead
// to the same position: the points left and reached, one checker's passing point cancelled, and the blots hit.
func pairKey(a, b Move) uint32 {
	var hitA, hitB uint8
	if a.Hit {
		hitA = a.To
	}
	if b.Hit {
		hitB = b.To
	}
	from1, from2, to1, to2 := a.From, b.From, a.To, b.To
	switch {
	case to1 == from2:
		from2, to1 = 0, 0
	case to2 == from1:
		from1, to2 = 0, 0
	}
	return uint32(max(from1, from2))<<25 | uint32(min(from1, from2))<<20 |
		uint32(max(to1, to2))<<15 | uint32(min(to1, to2))<<10 |
		uint32(max(hitA, hitB))<<5 | uint32(min(hitA, hitB))
}

// pairSet is a set of pair keys that empties in no time: an entry counts only if it bears the current round.
// There are at most 2 x 25 x 25 tries in a round, and far fewer different keys than the set holds.
type pairSet struct {
	entries [2048]uint64
	round   uint32
}

func (s *pairSet) clear() {
	s.round++
	if s.round == 0 {
		s.entries, s.round = [2048]uint64{}, 1
	}
}

// add puts key into the set and reports whether it was not there before.
func (s *pairSet) add(key uint32) bool {
	want := uint64(s.round)<<32 | uint64(key)
	for i := key * 0x9E3779B1 >> 21; ; i = (i + 1) % uint32(len(s.entries)) {
		switch e := s.entries[i]; {
		case e == want:
			return false
		case uint32(e>>32) != s.round:
			s.entries[i] = want
			return true
		}
	}
}

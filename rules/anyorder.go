package rules

import "math/bits"

// homeBoard are the bits of the mover's last six points, where hit-and-run may be barred (VAR-2).
const homeBoard = 1<<7 - 1<<1

// anyOrder finds plays by trying the moves in every order, and with every checker that may be meant where
// several stand on a point. The rules that need it look at the way a position was reached: hit-and-run (VAR-2)
// and a compulsory bear-off.
type anyOrder struct {
	dice     Dice     // the larger number first
	number   uint8    // of the last move made
	single   uint8    // of the plays found, when they have one move
	runners  [7]uint8 // checkers on the mover's points 1...6 that have hit in this turn
	visited  map[turnState]struct{}
	finals   map[Position]struct{}
	standard []Play // set aside for Release
}

// turnState is one stage of a turn: two ways to it have the same continuations.
type turnState struct {
	pos     Position
	runners [7]uint8
	left    [2]uint8 // how often each number may still be played
}

// generateAnyOrder lists the plays of the board under the options that depend on the order of moves. Under
// Release the barred moves are allowed when the full roll cannot be played without them.
func (g *Generator) generateAnyOrder(dice Dice) {
	if g.options.HitRun == HitRunAllowed || g.options.HitRunForced != Release {
		g.exploreAll(dice)
		return
	}
	a, hitRun := &g.anyOrder, g.options.HitRun
	g.options.HitRun = HitRunAllowed
	g.exploreAll(dice)
	a.standard = append(a.standard[:0], g.plays...)
	g.plays, g.options.HitRun = g.plays[:0], hitRun
	g.exploreAll(dice)
	if DiceUsed(g.plays) < DiceUsed(a.standard) {
		g.plays = append(g.plays[:0], a.standard...)
	}
}

// exploreAll lists the plays of the board by trying everything.
func (g *Generator) exploreAll(dice Dice) {
	a := &g.anyOrder
	if a.visited == nil {
		a.visited, a.finals = map[turnState]struct{}{}, map[Position]struct{}{}
	}
	clear(a.visited)
	clear(a.finals)
	a.dice, a.runners = Dice{dice.High(), dice.Low()}, [7]uint8{}
	left := [2]uint8{1, 1}
	if dice.Double() {
		left = [2]uint8{4, 0}
	}
	g.explore(0, left)
}

// explore goes on from n moves made with the numbers left and adds each complete play it comes to.
func (g *Generator) explore(n uint8, left [2]uint8) {
	a := &g.anyOrder
	state := turnState{pos: g.board.pos, runners: a.runners, left: left}
	if _, ok := a.visited[state]; ok {
		return
	}
	a.visited[state] = struct{}{}
	stuck := true
	for i, d := range a.dice {
		if left[i] == 0 {
			continue
		}
		rest := left
		rest[i]--
		for from := g.board.sources(d); from != 0; {
			p := uint8(bits.Len32(from) - 1)
			from &^= 1 << p
			for _, runner := range [2]bool{false, true} {
				if g.mayMove(p, d, runner) {
					stuck = false
					g.step(n, p, d, runner, rest)
				}
			}
		}
	}
	if stuck {
		g.completeAnyOrder(n)
	}
}

// mayMove reports whether a checker that has hit (runner) or one that has not may play d from p.
func (g *Generator) mayMove(p, d uint8, runner bool) bool {
	var runners uint8
	if p <= 6 {
		runners = g.anyOrder.runners[p]
	}
	if !runner {
		return g.board.own[p] > runners
	}
	to := target(p, d)
	return runners > 0 && g.options.HitRun.mayGoOn(to, g.board.own[to])
}

// mayGoOn reports whether a checker that hit in its last six points may go on to to, where there are own
// checkers of its side (VAR-2, VAR-4).
func (h HitRun) mayGoOn(to, own uint8) bool {
	return h == HitRunAllowed || h == HitRunNoCover && (to == Off || own == 0)
}

// step makes one move, explores what follows, and takes it back.
func (g *Generator) step(n, p, d uint8, runner bool, rest [2]uint8) {
	a := &g.anyOrder
	before := a.runners
	m := g.board.move(p, d)
	a.number = d
	if runner {
		a.runners[p]--
	}
	barred := g.options.HitRun != HitRunAllowed
	if barred && m.To != Off && m.To <= 6 && (m.Hit || runner) {
		a.runners[m.To]++
	}
	g.moves[n] = m
	g.explore(n+1, rest)
	g.moves[n] = Move{}
	g.board.undo(m)
	a.runners = before
}

// completeAnyOrder adds the play of the n moves made unless it is too short (MOVE-9, MOVE-12), plays the smaller
// number where the larger can be played (MOVE-11), or leads where another play leads. As the larger number is
// tried first, a single move of the smaller one always comes after those of the larger.
func (g *Generator) completeAnyOrder(n uint8) {
	if n == 0 || len(g.plays) > 0 && g.plays[0].N > n {
		return
	}
	g.lengthen(n)
	a := &g.anyOrder
	if len(g.plays) == 0 {
		clear(a.finals)
		a.single = a.number
	}
	if n == 1 && a.number != a.single {
		return
	}
	if _, ok := a.finals[g.board.pos]; ok {
		return
	}
	a.finals[g.board.pos] = struct{}{}
	g.plays = append(g.plays, Play{Moves: g.moves, N: n, Final: g.board.pos})
}

package rules

// licence is a rule that the search for an explanation may break.
type licence uint8

const (
	strictly    licence = iota // none
	overBar                    // ENTER-1: others move before the bar is empty
	overBearOff                // OFF-1 to OFF-4: any number bears off any checker
	overClosed                 // MOVE-4: closed points are landed on
)

// search looks for a way to a position by single moves of the roll, with one rule lifted. Numbers may be left.
type search struct {
	target  *Position
	mover   Side
	licence licence
	hitRun  HitRun
	ownRow  bool // only the mover's row need agree
	numbers Dice // the larger first
	pos     Position
	runners [7]uint8 // checkers on the mover's points 1...6 that have hit (VAR-2)
	moves   [4]Move
	played  [4]uint8 // the number of each move
	n       uint8
	visited map[turnState]struct{}
}

// find reports whether the target can be reached from before by moves of dice; moves[:n] are then the way.
func (s *search) find(before *Position, dice Dice) bool {
	if s.visited == nil {
		s.visited = map[turnState]struct{}{}
	}
	clear(s.visited)
	s.pos, s.runners, s.n = *before, [7]uint8{}, 0
	s.numbers = Dice{dice.High(), dice.Low()}
	left := [2]uint8{1, 1}
	switch {
	case !dice.Valid():
		left = [2]uint8{}
	case dice.Double():
		left = [2]uint8{4, 0}
	}
	return s.try(left)
}

func (s *search) arrived() bool {
	if s.ownRow {
		return s.pos.Checkers[s.mover] == s.target.Checkers[s.mover]
	}
	return s.pos == *s.target
}

// reachable reports whether forward moves alone could still lead to the target's row: no part of the board
// behind any point may hold fewer checkers than it should in the end.
func (s *search) reachable() bool {
	own, want := &s.pos.Checkers[s.mover], &s.target.Checkers[s.mover]
	behind := 0
	for p := Bar; p > 0; p-- {
		behind += int(own[p]) - int(want[p])
		if behind < 0 {
			return false
		}
	}
	return true
}

// try goes on with the numbers left and returns true when it arrives; moves[:n] are then the way.
func (s *search) try(left [2]uint8) bool {
	if s.arrived() {
		return true
	}
	if !s.reachable() {
		return false
	}
	state := turnState{s.pos, s.runners, left}
	if _, seen := s.visited[state]; seen {
		return false
	}
	s.visited[state] = struct{}{}
	for i, d := range s.numbers {
		if left[i] == 0 {
			continue
		}
		rest := left
		rest[i]--
		for p := uint8(Bar); p > 0; p-- {
			if s.tryFrom(p, d, rest) {
				return true
			}
		}
	}
	return false
}

// tryFrom plays number d from p in every way the licence allows and searches on from there.
func (s *search) tryFrom(p, d uint8, rest [2]uint8) bool {
	for _, to := range [2]uint8{Off, target(p, d)} {
		if !s.allowed(p, d, to) {
			continue
		}
		for _, runner := range [2]bool{false, true} {
			if s.mayRun(p, to, runner) && s.step(p, to, d, runner, rest) {
				return true
			}
		}
		if d >= p {
			break // both are the same
		}
	}
	return false
}

// allowed reports whether a checker on p may be moved to to with number d, under the licence.
func (s *search) allowed(p, d, to uint8) bool {
	own, opp := &s.pos.Checkers[s.mover], &s.pos.Checkers[s.mover.Other()]
	switch {
	case own[p] == 0, p != Bar && own[Bar] > 0 && s.licence != overBar:
		return false
	case to == Off:
		return s.licence == overBearOff && p != Bar || d >= p && s.mayBearOff(p, d)
	}
	return opp[25-to] <= 1 || s.licence == overClosed
}

// mayRun reports whether there is a checker on p that has hit in this turn (runner) or has not, and whether the
// hit-and-run rule lets it go on to to.
func (s *search) mayRun(p, to uint8, runner bool) bool {
	own := &s.pos.Checkers[s.mover]
	var runners uint8
	if p <= 6 {
		runners = s.runners[p]
	}
	if !runner {
		return own[p] > runners
	}
	return runners > 0 && s.hitRun.mayGoOn(to, own[to])
}

// mayBearOff reports whether number d, not smaller than p, bears off from p (OFF-1 to OFF-3).
func (s *search) mayBearOff(p, d uint8) bool {
	own := &s.pos.Checkers[s.mover]
	for q := uint8(7); q <= Bar; q++ {
		if own[q] > 0 {
			return false
		}
	}
	for q := p + 1; q <= 6 && d > p; q++ {
		if own[q] > 0 {
			return false
		}
	}
	return true
}

// step makes a move, searches on, and takes it back unless that arrives.
func (s *search) step(p, to, d uint8, runner bool, rest [2]uint8) bool {
	pos, runners := s.pos, s.runners
	own, opp := &s.pos.Checkers[s.mover], &s.pos.Checkers[s.mover.Other()]
	own[p]--
	own[to]++
	hit := to != Off && opp[25-to] == 1
	if hit {
		opp[25-to] = 0
		opp[Bar]++
	}
	if runner {
		s.runners[p]--
	}
	if s.hitRun != HitRunAllowed && to != Off && to <= 6 && (hit || runner) {
		s.runners[to]++
	}
	s.moves[s.n], s.played[s.n] = Move{From: p, To: to, Hit: hit}, d
	s.n++
	if s.try(rest) {
		return true
	}
	s.n--
	s.pos, s.runners = pos, runners
	return false
}

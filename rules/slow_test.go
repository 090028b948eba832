package rules

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
)

// games is how many random games of each variant the property test plays: go test -run RandomGames -games 100000.
var games = flag.Int("games", 60, "random games of each variant to play")

// slowState is a turn in the slow generator, which is written from the rule book alone: level by level, every
// number in every order with every checker, nothing left out for speed.
type slowState struct {
	plain, runner [26]uint8 // the mover's checkers that have not hit and those that have
	enemy         [26]uint8 // in the mover's numbering; 0 is the enemy's bar
	used          [4]bool   // which numbers have been played
}

func (s *slowState) own(p int) int { return int(s.plain[p]) + int(s.runner[p]) }

// slowPlays returns the final positions of all complete legal plays.
func slowPlays(pos *Position, mover Side, dice Dice, o Options) map[Position]bool {
	restricted := slowLevels(pos, mover, dice, o)
	if o.HitRun != HitRunAllowed && o.HitRunForced == Release {
		free := o
		free.HitRun = HitRunAllowed
		all := slowLevels(pos, mover, dice, free)
		if all.moves > restricted.moves {
			return all.finals
		}
	}
	return restricted.finals
}

type slowResult struct {
	finals map[Position]bool
	moves  int
}

func slowLevels(pos *Position, mover Side, dice Dice, o Options) slowResult {
	numbers := []int{int(dice[0]), int(dice[1])}
	if dice[0] == dice[1] {
		numbers = append(numbers, numbers...)
	}
	start := slowState{plain: pos.Checkers[mover]}
	for p := 1; p <= 24; p++ {
		start.enemy[p] = pos.Checkers[mover.Other()][25-p]
	}
	start.enemy[0] = pos.Checkers[mover.Other()][Bar]
	level := map[slowState]bool{start: true}
	result := slowResult{finals: map[Position]bool{}}
	for moves := 0; len(level) > 0; moves++ {
		next, stuck := map[slowState]bool{}, map[slowState]bool{}
		for s := range level {
			before := len(next)
			moved := false
			for i, n := range numbers {
				if s.used[i] || i > 0 && numbers[i-1] == n && !s.used[i-1] {
					continue
				}
				moved = slowMoves(s, i, n, o, next) || moved
			}
			if !moved && before == len(next) {
				stuck[s] = true
			}
		}
		if moves > 0 && len(stuck) > 0 {
			result = slowComplete(stuck, numbers, moves, pos, mover)
		}
		level = next
	}
	return result
}

// slowComplete keeps the states that end a turn of the most moves; of single moves those of the larger number.
func slowComplete(stuck map[slowState]bool, numbers []int, moves int, pos *Position, mover Side) slowResult {
	larger := 0
	if numbers[1] > numbers[0] {
		larger = 1
	}
	onlyLarger := false
	for s := range stuck {
		onlyLarger = onlyLarger || moves == 1 && len(numbers) == 2 && s.used[larger]
	}
	result := slowResult{finals: map[Position]bool{}, moves: moves}
	for s := range stuck {
		if onlyLarger && !s.used[larger] {
			continue
		}
		result.finals[s.position(pos, mover)] = true
	}
	return result
}

// position returns the board as it is at this stage of a turn that began with pos.
func (s *slowState) position(pos *Position, mover Side) Position {
	now := *pos
	for p := 0; p <= Bar; p++ {
		now.Checkers[mover][p] = uint8(s.own(p))
		if p >= 1 && p <= 24 {
			now.Checkers[mover.Other()][25-p] = s.enemy[p]
		}
	}
	now.Checkers[mover.Other()][Bar] = s.enemy[0]
	return now
}

// slowMoves adds every state that one move of number n leads to and reports whether there is one.
func slowMoves(s slowState, index, n int, o Options, next map[slowState]bool) bool {
	found := false
	bearOff := func(from int) bool { return from-n <= 0 && slowMayBearOff(&s, from, n) }
	mustBearOff := false
	for from := 1; from <= 6; from++ {
		mustBearOff = mustBearOff || o.BearOff == BearOffMust && s.own(from) > 0 && bearOff(from)
	}
	for from := 1; from <= Bar; from++ {
		to := from - n
		switch {
		case s.own(from) == 0, from != Bar && s.own(Bar) > 0: // ENTER-1
			continue
		case to <= 0 && !bearOff(from), to > 0 && mustBearOff:
			continue
		case to > 0 && s.enemy[to] >= 2: // MOVE-4
			continue
		}
		to = max(to, 0)
		for _, runner := range []bool{false, true} {
			after, ok := s.make(from, to, runner, o)
			if !ok {
				continue
			}
			after.used[index] = true
			next[after] = true
			found = true
		}
	}
	return found
}

// slowMayBearOff is OFF-1 to OFF-3.
func slowMayBearOff(s *slowState, from, n int) bool {
	for p := 7; p <= Bar; p++ {
		if s.own(p) > 0 {
			return false
		}
	}
	for p := from + 1; p <= 6; p++ {
		if n != from && s.own(p) > 0 {
			return false
		}
	}
	return true
}

// make moves one checker, with the hit-and-run rule (VAR-2 to VAR-4).
func (s slowState) make(from, to int, runner bool, o Options) (slowState, bool) {
	if runner {
		switch {
		case s.runner[from] == 0 || o.HitRun == HitRunBanned:
			return s, false
		case o.HitRun == HitRunNoCover && to > 0 && s.own(to) > 0:
			return s, false
		}
		s.runner[from]--
	} else {
		if s.plain[from] == 0 {
			return s, false
		}
		s.plain[from]--
	}
	hit := to > 0 && s.enemy[to] == 1
	if hit {
		s.enemy[to] = 0
		s.enemy[0]++
	}
	if to > 0 && (runner || hit && to <= 6 && o.HitRun != HitRunAllowed) {
		s.runner[to]++
	} else {
		s.plain[to]++
	}
	return s, true
}

func TestRandomGamesHaveExactlyThePlaysOfTheSlowGenerator(t *testing.T) {
	must := OptionsFor(Standard)
	must.BearOff = BearOffMust
	release := OptionsFor(Iran)
	release.HitRunForced = Release
	all := release
	all.BearOff = BearOffMust
	banned := OptionsFor(Iran)
	banned.HitRun = HitRunBanned
	for _, v := range []struct {
		name    string
		options Options
	}{
		{"standard", OptionsFor(Standard)}, {"nackgammon", OptionsFor(Nackgammon)}, {"tavla", OptionsFor(Tavla)},
		{"Iranian", OptionsFor(Iran)}, {"Iranian, released", release}, {"hit-and-run banned", banned}, {"must bear off", must},
		{"Iranian, released, must bear off", all},
	} {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, uint64(len(v.name))))
			generator := NewGenerator(v.options)
			turns := 0
			for range *games {
				n, err := randomGame(generator, v.options, random)
				if err != nil {
					t.Fatal(err)
				}
				turns += n
			}
			t.Logf("%d games, %d turns", *games, turns)
		})
	}
}

// randomGame plays one game to its end with random dice and plays and compares every turn.
func randomGame(g *Generator, o Options, random *rand.Rand) (turns int, err error) {
	pos := Start(o.Variant)
	mover := Side(random.IntN(2))
	for {
		turns++
		dice := Dice{uint8(1 + random.IntN(6)), uint8(1 + random.IntN(6))}
		plays := g.Plays(&pos, mover, dice)
		if err := comparePlays(plays, &pos, mover, dice, o); err != nil {
			return turns, fmt.Errorf("%s, %v to play %v: %w", pos.ID(mover), mover, dice, err)
		}
		if len(plays) > 0 {
			pos = plays[random.IntN(len(plays))].Final
		}
		if _, over := pos.Winner(); over {
			return turns, nil
		}
		mover = mover.Other()
	}
}

func comparePlays(plays []Play, pos *Position, mover Side, dice Dice, o Options) error {
	slow := slowPlays(pos, mover, dice, o)
	if len(plays) != len(slow) {
		return fmt.Errorf("%d plays, the slow generator finds %d", len(plays), len(slow))
	}
	for i := range plays {
		p := &plays[i]
		if !slow[p.Final] {
			return fmt.Errorf("%s is not found by the slow generator, or twice by the fast one", p)
		}
		delete(slow, p.Final)
		if err := p.Final.Check([2]int{}); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if err := replayMoves(p, pos, mover); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return nil
}

// replayMoves checks that a play's moves lead to its final position.
func replayMoves(p *Play, pos *Position, mover Side) error {
	now := *pos
	for _, m := range p.Moves[:p.N] {
		own, opp := &now.Checkers[mover], &now.Checkers[mover.Other()]
		if own[m.From] == 0 {
			return fmt.Errorf("no checker on %d", m.From)
		}
		own[m.From]--
		own[m.To]++
		if m.Hit {
			if m.To == Off || opp[25-m.To] != 1 {
				return fmt.Errorf("nothing to hit on %d", m.To)
			}
			opp[25-m.To], opp[Bar] = 0, opp[Bar]+1
		}
	}
	if now != p.Final {
		return fmt.Errorf("the moves lead elsewhere")
	}
	return nil
}

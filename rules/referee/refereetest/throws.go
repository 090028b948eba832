package refereetest

import (
	"slices"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// badThrow has side throw in a way that does not count, before his true roll; what is done on the way there that is
// ruled on with the true roll, it leaves to the caller to finish.
func (g *game) badThrow(side rules.Side) (finish func()) {
	code := g.careless("D1", "D2", "D3", "D4", "D5", "D13")
	who := side
	if code == "D13" {
		who = side.Other()
	}
	switch code {
	case "":
	case "D4":
		g.throwApart(side)
	case "D5":
		return g.liftInDoubt(side)
	default:
		dice := g.Flat(who, g.pips(), g.pips())
		g.spoil(code, &dice[0], who)
		g.begin(code, who)
		g.Throw(dice...)
		g.see(cockedAfter(code) - 2*time.Second)
		g.Lift(who)
	}
	return nil
}

func (g *game) pips() int { return 1 + g.rng.IntN(6) }

// spoil lays a die wrong.
func (g *game) spoil(code string, d *Die, owner rules.Side) {
	switch code {
	case "D1":
		d.Cocked = true
	case "D2":
		*d = g.Flat(owner.Other(), d.Value)[0]
		d.Owner = owner
	case "D3":
		d.Place = sighting.OnChecker
	}
}

// cockedAfter returns how long a die must lie for the evidence to be complete (DICE-4).
func cockedAfter(code string) time.Duration {
	if code == "D1" {
		return time.Second
	}
	return 0
}

// throwApart has side let go of one die well before the other (D4).
func (g *game) throwApart(side rules.Side) {
	dice := g.Flat(side, g.pips(), g.pips())
	g.begin("D4", side)
	g.Board.Air = true
	g.Wait(500 * time.Millisecond)
	g.Board.Air = false
	g.Board.Dice = append(append([]Die{}, g.Board.Dice...), dice[0])
	g.Wait(900 * time.Millisecond)
	g.Throw(dice[1])
	g.see(-2 * time.Second)
	g.Lift(side)
}

// liftInDoubt has side lift dice of which one may lean, before anybody could agree to that (D5); the director lets the
// roll after it count.
func (g *game) liftInDoubt(side rules.Side) func() {
	dice := g.Flat(side, g.pips(), g.pips())
	dice[0].Cocked = true
	g.begin("D5", side)
	g.Board.Air = true
	g.Wait(500 * time.Millisecond)
	g.Board.Air = false
	g.Board.Dice = append(append([]Die{}, g.Board.Dice...), dice...)
	g.Wait(700 * time.Millisecond)
	g.Lift(side)
	return func() {
		g.see(-time.Second)
		g.Wait(1200 * time.Millisecond)
		g.Decide(referee.Decision{What: referee.DecideStand, Side: side, Ruling: "D5", By: "director"})
	}
}

// afterRoll has something happen to the dice of a valid roll before anything is moved.
func (g *game) afterRoll(side rules.Side) {
	if g.match.Game.Opening {
		return
	}
	switch g.careless("D7", "D9") {
	case "D7":
		g.Wait(1500 * time.Millisecond)
		g.begin("D7", side.Other())
		g.hand(400*time.Millisecond, func() { g.push(side, 1+g.rng.IntN(5)) })
		g.see(0)
		g.Wait(2 * time.Second)
		g.Decide(referee.Decision{What: referee.DecideStand, Side: side, Ruling: "D7", By: "players"})
	case "D9":
		g.Wait(1500 * time.Millisecond)
		g.begin("D9", side)
		g.Lift(side)
		g.Throw(g.Flat(side, 1+int(g.match.Game.Dice[0])%6, int(g.match.Game.Dice[1]))...)
		g.see(-2 * time.Second)
		g.Decide(referee.Decision{What: referee.DecideStand, Side: side, Ruling: "D9", By: "director"})
	}
}

// push moves one die of side a little and turns it by so many pips.
func (g *game) push(side rules.Side, turn int) {
	dice := append([]Die{}, g.Board.Dice...)
	for i := range dice {
		if d := &dice[i]; d.Owner == side {
			d.Value = 1 + (d.Value-1+turn)%6
			for _, to := range [][2]float32{{0.05, 0}, {-0.05, 0}, {0, 0.06}, {0, -0.06}} {
				pushed := *d
				pushed.U, pushed.V = d.U+to[0], d.V+to[1]
				if free(&pushed, append(append([]Die{}, dice[:i]...), dice[i+1:]...)) {
					*d = pushed
					break
				}
			}
			break
		}
	}
	g.Board.Dice = dice
}

// touch has side push a die after his complete play, which ends his turn where no clock does (D8).
func (g *game) touch(side rules.Side) {
	if g.mode != "pickup" || g.match.Game.Opening || g.careless("D8") == "" {
		return
	}
	g.Wait(time.Second)
	g.begin("D8", side)
	if g.rng.IntN(3) == 0 {
		g.cover(side)
		return
	}
	g.hand(400*time.Millisecond, func() { g.push(side, 0) })
	g.see(0)
	g.Wait(1500 * time.Millisecond)
}

// cover has side lay a hand on his dice.
func (g *game) cover(side rules.Side) {
	dice := g.Board.Dice
	g.Board.Dice = slices.Clone(dice)
	for i := range g.Board.Dice {
		d := &g.Board.Dice[i]
		d.Covered = d.Owner == side
	}
	g.Board.Palm = true
	g.Reach(1500 * time.Millisecond)
	g.see(-500 * time.Millisecond)
	g.Board.Palm, g.Board.Dice = false, dice
	g.Wait(1500 * time.Millisecond)
}

// fastRoll has the other player throw before side has ended his turn (D6).
func (g *game) fastRoll(side rules.Side) bool {
	if g.match.Game.Opening || g.careless("D6") == "" {
		return false
	}
	other := side.Other()
	g.begin("D6", other)
	g.Throw(g.Flat(other, g.pips(), g.pips())...)
	g.see(-2 * time.Second)
	g.Lift(other)
	return true
}

// badOpening has one player's opening die lie wrong; he alone throws it again (D12).
func (g *game) badOpening(side rules.Side, light, dark int) {
	fault := []string{"D1", "D2", "D3"}[g.rng.IntN(3)]
	dice := append(g.Flat(rules.Light, light), g.Flat(rules.Dark, dark)...)
	g.spoil(fault, &dice[side], side)
	g.begin("D12", side)
	g.Throw(dice...)
	g.see(cockedAfter(fault) - 2*time.Second)
	g.Lift(side)
	g.over()
	g.Throw(g.Flat(side, [2]int{light, dark}[side])...)
}

package refereetest

import (
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
	"davar/rules/sighting"
)

// badThrow has side throw in a way that does not count, before his true roll.
func (g *game) badThrow(side rules.Side) {
	code := g.careless("D1", "D2", "D3", "D13")
	if code == "" {
		return
	}
	who := side
	if code == "D13" {
		who = side.Other()
	}
	dice := g.Flat(who, 1+g.rng.IntN(6), 1+g.rng.IntN(6))
	kind := map[string]string{"D1": "cocked_die", "D2": "die_out_of_right_half", "D3": "die_on_checker", "D13": "wrong_player"}[code]
	switch code {
	case "D1":
		dice[0].Cocked = true
	case "D2":
		lost := g.Flat(side.Other(), dice[0].Value)[0]
		lost.Owner = side
		dice[0] = lost
	case "D3":
		dice[0].Place = sighting.OnChecker
	}
	g.incident(kind, who, code, code)
	g.Throw(dice...)
	g.Lift(who)
}

// fastRoll has the other player throw before side has ended his turn.
func (g *game) fastRoll(side rules.Side) bool {
	if g.match.Game.Opening || g.careless("D6") == "" {
		return false
	}
	other := side.Other()
	g.incident("premature_roll", other, "D6", "D6")
	g.Throw(g.Flat(other, 1+g.rng.IntN(6), 1+g.rng.IntN(6))...)
	g.Lift(other)
	return true
}

// badPlay has side make an illegal play and end his turn, and put it right when told.
func (g *game) badPlay(side rules.Side, pos *rules.Position, dice rules.Dice) {
	code := g.careless("M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M11")
	if code == "" {
		return
	}
	wrong, ok := g.wrongPlay(side, pos, dice, code)
	if !ok {
		return
	}
	g.hand(g.long(1400*time.Millisecond), func() { g.Board.Position = wrong })
	g.incident("illegal_play", side, code, code)
	g.Wait(1300 * time.Millisecond)
	if g.mode == "clock" {
		g.Press(side)
		g.Wait(2 * time.Second)
	} else {
		g.Lift(side)
		g.Wait(1500 * time.Millisecond)
	}
	g.takeBack(side, pos, dice, code)
}

// takeBack puts the checkers and the dice back and has the turn played anew.
func (g *game) takeBack(side rules.Side, pos *rules.Position, dice rules.Dice, code string) {
	g.hand(g.long(time.Second), func() { g.Board.Position = *pos })
	if g.mode == "pickup" {
		g.Reach(300 * time.Millisecond)
		g.Board.Dice = append(append([]Die{}, g.Board.Dice...), g.Flat(side, int(dice[0]), int(dice[1]))...)
	}
	g.Decide(referee.Decision{What: referee.DecideReplay, Side: side, Ruling: code, By: "director"})
	g.happened(accuracy.Happening{Type: "takeback", Player: &side})
	g.Wait(1200 * time.Millisecond)
}

// wrongPlay finds a position that the rules hold against the mover with just that code: moves made at random until
// one is found.
func (g *game) wrongPlay(side rules.Side, pos *rules.Position, dice rules.Dice, code string) (rules.Position, bool) {
	for range 400 {
		wrong := *pos
		most := 2
		if dice.Double() {
			most = 4
		}
		moves := 1 + g.rng.IntN(most)
		for range moves {
			g.randomMove(&wrong, side, dice, code)
		}
		if wrong == *pos {
			continue
		}
		v := g.judge.Judge(pos, side, dice, &wrong, [2]int{})
		if string(v.Code) == code && wrong.Checkers[side][rules.Off]-pos.Checkers[side][rules.Off] <= 4 {
			return wrong, true
		}
	}
	return *pos, false
}

// randomMove moves one checker as a careless player might who breaks the rule of that code.
func (g *game) randomMove(p *rules.Position, side rules.Side, dice rules.Dice, code string) {
	row, other := &p.Checkers[side], &p.Checkers[side.Other()]
	from := 1 + g.rng.IntN(rules.Bar)
	if row[from] == 0 {
		return
	}
	d := int(dice[g.rng.IntN(2)])
	if code == "M3" || code == "M6" || code == "M12" {
		d = 1 + g.rng.IntN(6)
	}
	to := from - d
	if code == "M7" {
		to = from + d
	}
	if to < 0 {
		to = 0
	}
	if to > 24 {
		return
	}
	if to > 0 && other[25-to] > 1 && code != "M4" {
		return
	}
	row[from]--
	row[to]++
	if to > 0 && other[25-to] == 1 && code != "M8" {
		other[25-to]--
		other[rules.Bar]++
	}
}

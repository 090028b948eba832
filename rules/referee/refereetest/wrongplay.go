package refereetest

import (
	"strconv"
	"time"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
)

// badPlay has side make an illegal play and end his turn, and put it right when told. Where the players are told
// nothing, it stands (M13), and stood is true.
func (g *game) badPlay(side rules.Side, pos *rules.Position, dice rules.Dice) (stood bool, err error) {
	code := g.careless("M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "M11", "M12", "K3")
	if code == "" {
		return false, nil
	}
	wrong, ok := g.wrongPlay(side, pos, dice, code)
	if !ok || g.silent && wrong.ClosedOut(side.Other()) {
		return false, nil
	}
	if wrong != *pos {
		g.hand(g.long(1400*time.Millisecond), func() { g.Board.Position = wrong })
	}
	g.Wait(1300 * time.Millisecond)
	g.begin(code, side)
	if g.mode == "clock" {
		g.Press(side)
		g.see(0)
		g.Wait(2500 * time.Millisecond)
	} else {
		g.takeUp(func(d *Die) bool { return d.Owner == side })
		g.see(0)
		g.Wait(2500 * time.Millisecond)
	}
	if g.silent && wrong.Check([2]int{}) == nil {
		return true, g.stands(side, wrong)
	}
	g.takeBack(side, pos, dice, code)
	return false, nil
}

// stands has play go on after an illegal play of which the players have heard nothing: the next throw closes the window
// (IRREG-6).
func (g *game) stands(side rules.Side, wrong rules.Position) error {
	if g.mode == "clock" {
		g.Lift(side)
	}
	if err := g.match.Play(wrong); err != nil {
		return err
	}
	placement := placementOf(&wrong)
	g.happened(accuracy.Happening{Type: "start", Position: &placement})
	if g.match.Game.Phase < match.GameOver {
		g.begin("M13", side)
		g.closing = true
	}
	return nil
}

// takeBack puts the checkers and the dice back and has the turn played anew.
func (g *game) takeBack(side rules.Side, pos *rules.Position, dice rules.Dice, code string) {
	g.hand(g.long(time.Second), func() { g.Board.Position = *pos })
	if g.mode == "pickup" {
		g.Reach(300 * time.Millisecond)
		g.Board.Dice = append(append([]Die{}, g.Board.Dice...), g.Flat(side, int(dice[0]), int(dice[1]))...)
	}
	g.Decide(referee.Decision{What: referee.DecideReplay, Side: side, Ruling: code, By: "director"})
	g.over()
	g.Wait(1200 * time.Millisecond)
}

// wrongPlay finds a position that the rules hold against the mover with just that code: moves made at random until
// one is found.
func (g *game) wrongPlay(side rules.Side, pos *rules.Position, dice rules.Dice, code string) (rules.Position, bool) {
	switch code {
	case "K3":
		v := g.judge.Judge(pos, side, dice, pos, [2]int{})
		return *pos, g.mode == "clock" && !g.match.Game.Opening && v.Code == rules.TooFew
	case "M9":
		return g.oneTooMany(side, pos, dice)
	}
	for range 400 {
		wrong := *pos
		most := 2
		if dice.Double() {
			most = 4
		}
		for range 1 + g.rng.IntN(most) {
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

// oneTooMany is a legal play after which side has sixteen checkers.
func (g *game) oneTooMany(side rules.Side, pos *rules.Position, dice rules.Dice) (rules.Position, bool) {
	plays := g.gen.Plays(pos, side, dice)
	if len(plays) == 0 || pos.Checkers[side][rules.Off] > 0 {
		return *pos, false
	}
	wrong := plays[g.rng.IntN(len(plays))].Final
	for p := 6; p <= 24; p++ {
		if n := wrong.Checkers[side][p]; n > 0 && n < 5 {
			wrong.Checkers[side][p]++
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
	to = max(to, 0)
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

// placementOf returns the position as the truth files write it.
func placementOf(pos *rules.Position) accuracy.Placement {
	p := accuracy.Placement{Points: map[string]int{}, Bar: map[rules.Side]int{}, Off: map[rules.Side]int{}}
	for point := 1; point <= 24; point++ {
		n := int(pos.Checkers[rules.Light][point]) - int(pos.Checkers[rules.Dark][25-point])
		p.Points[strconv.Itoa(point)] = n
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		p.Bar[side], p.Off[side] = int(pos.Checkers[side][rules.Bar]), int(pos.Checkers[side][rules.Off])
	}
	return p
}

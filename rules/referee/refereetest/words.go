package refereetest

import (
	"maps"
	"slices"
	"time"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// beforeRoll has something go wrong before side rolls that is no throw: a word, a press, the cube, a checker, the
// camera. It reports whether the game is over with it.
func (g *game) beforeRoll(side rules.Side) (over bool) {
	may := g.mayGoWrong(side)
	codes := slices.DeleteFunc(slices.Sorted(maps.Keys(may)), func(code string) bool { return !may[code] })
	other := side.Other()
	switch code := g.careless(codes...); code {
	case "C1": // out of turn
		if cube := &g.match.Game.Cube; cube.Owned && cube.Owner == side {
			g.say("C1", referee.DecideDouble, other, "C2") // nor is the cube his
		} else {
			g.say("C1", referee.DecideDouble, other)
		}
	case "C2", "C3":
		g.say(code, referee.DecideDouble, side)
	case "C5":
		g.forcedTake(side)
	case "C6":
		g.strayCube()
	case "K2":
		g.runOut(side)
		_ = g.match.LoseOnTime(side)
		return true
	case "K4":
		g.begin("K4", other)
		g.Press(other)
		g.Wait(time.Second)
	case "P2":
		g.begin("P2", side)
		g.Decide(referee.Decision{What: referee.DecidePause, Why: "break", By: "players"})
		g.Wait(time.Second)
	case "S2":
		g.loseChecker(other)
	case "S5":
		g.begin("S5", side)
		g.Decide(referee.Decision{What: referee.DecideResign, Side: side, Points: 1, By: side.String()})
		g.Wait(time.Second)
	case "X2":
		g.begin("X2", side)
		g.Board.Scene = sighting.SceneLost
		g.Wait(4 * time.Second)
		g.Board.Scene = sighting.SceneClear
		g.over()
		g.Wait(time.Second)
	}
	return false
}

// mayGoWrong tells which of the things that beforeRoll can have happen are possible now.
func (g *game) mayGoWrong(side rules.Side) map[string]bool {
	m := &g.match
	cube := &m.Game.Cube
	pos := &m.Game.Position
	timed := g.mode == "clock"
	return map[string]bool{
		"C1": m.Options.Cube && !m.Game.Crawford, "C2": cube.Owned && cube.Owner != side && !m.Game.Crawford, "C3": m.Game.Crawford,
		"C5": m.Length > 0 && m.MayDouble(side) == nil && m.Score[side]+cube.Value >= m.Length,
		"C6": m.Options.Cube && !m.Game.Crawford && !cube.Owned, "K2": timed && g.rng.IntN(20) == 0, "K4": timed, "P2": true,
		"S2": !homeward(pos, side.Other()), "S5": match.Certain(pos, side, m.Options.Rules) != rules.Single, "X2": true,
	}
}

// homeward tells whether side has nearly all checkers at home.
func homeward(pos *rules.Position, side rules.Side) bool {
	outside := 0
	for p := 7; p <= rules.Bar; p++ {
		outside += int(pos.Checkers[side][p])
	}
	return outside <= 5 || pos.Checkers[side][rules.Off] > 0
}

// say has side say something that calls for a ruling, or for those as well.
func (g *game) say(code, what string, side rules.Side, also ...string) {
	g.begin(code, side, also...)
	g.Decide(referee.Decision{What: what, Side: side, By: side.String()})
	g.Wait(time.Second)
}

// forcedTake has side double where a drop would win him the match, and the other drop (C5).
func (g *game) forcedTake(side rules.Side) {
	other := side.Other()
	g.cubeHappened(side, "double", 2*g.match.Game.Cube.Value)
	g.Decide(referee.Decision{What: referee.DecideDouble, Side: side, By: side.String()})
	_ = g.match.Double(side)
	g.begin("C5", other)
	g.Decide(referee.Decision{What: referee.DecideDrop, Side: other, By: other.String()})
	_, _ = g.match.Drop(other)
	g.cubeHappened(other, "take", g.match.Game.Cube.Value)
	g.MoveCube(ownedBy(other), g.match.Game.Cube.Value)
}

// strayCube has the cube shifted to a player's side without a word, and put back when asked (C6).
func (g *game) strayCube() {
	back := *g.Board.Cube
	g.begin("C6", g.match.Game.Turn)
	g.hand(500*time.Millisecond, func() { g.PutCube(ownedBy(rules.Side(g.rng.IntN(2))), back.Value) })
	g.see(0)
	g.Wait(3 * time.Second)
	g.hand(500*time.Millisecond, func() { g.PutCube(back.Place, back.Value) })
	g.Decide(referee.Decision{What: referee.DecideStand, Ruling: "C6", By: "players"})
	g.Wait(time.Second)
}

// runOut has side think until his time is gone (K2).
func (g *game) runOut(side rules.Side) {
	if c := g.Referee.State().Clock; c != nil {
		g.Idle(time.Duration(c.RemainingMS[side]+c.DelayMS)*time.Millisecond - time.Second)
	}
	g.begin("K2", side)
	for range 30 {
		if g.Referee.State().Clock.Flagged != "" {
			break
		}
		g.see(0)
		g.Wait(100 * time.Millisecond)
	}
	g.see(0)
	g.Wait(time.Second)
}

// loseChecker has a checker of side knocked off the board, and put back after a while (S2).
func (g *game) loseChecker(side rules.Side) {
	whole, missing := g.Board.Position, g.Board.Position
	for p := 24; p > 0; p-- {
		if missing.Checkers[side][p] > 0 {
			missing.Checkers[side][p]--
			break
		}
	}
	g.begin("S2", side)
	g.hand(600*time.Millisecond, func() { g.Board.Position = missing })
	g.see(0)
	g.Wait(3500 * time.Millisecond)
	g.Put(whole)
}

// lateDouble has side double after his roll, by a word or by the cube (C1).
func (g *game) lateDouble(side rules.Side) {
	if !g.match.Options.Cube || g.match.Game.Crawford || g.match.Game.Cube.Owned || g.match.Game.Opening || g.careless("C1") == "" {
		return
	}
	if g.rng.IntN(2) == 0 {
		g.say("C1", referee.DecideDouble, side)
		return
	}
	back := *g.Board.Cube
	g.begin("C1", side)
	g.hand(500*time.Millisecond, func() { g.PutCube(g.offeredBy(side), 2*g.match.Game.Cube.Value) })
	g.see(0)
	g.Wait(2500 * time.Millisecond)
	g.hand(500*time.Millisecond, func() { g.PutCube(back.Place, back.Value) })
	g.Wait(500 * time.Millisecond)
}

// meddle has side reach over the board although it is not his turn (P4).
func (g *game) meddle(side rules.Side) {
	if g.match.Game.Opening || len(g.Referee.State().Rulings) > 0 || g.careless("P4") == "" {
		return // reaching is no matter while something is put right
	}
	g.Wait(500 * time.Millisecond)
	g.begin("P4", side)
	g.Board.Reaching = &side
	g.Reach(time.Second)
	g.Board.Reaching = nil
	g.see(-time.Second)
	g.Wait(time.Second)
}

// afterGame has something go wrong between two games.
func (g *game) afterGame() {
	if g.match.Game.Phase != match.GameOver {
		return
	}
	g.over()
	winner := g.match.Result.Winner
	switch g.careless("S3", "S4", "P1", "P3") {
	case "S3":
		score := referee.Score{Light: g.match.Score[rules.Light] + 1, Dark: g.match.Score[rules.Dark]}
		g.begin("S3", winner)
		g.Decide(referee.Decision{What: referee.DecideNext, Score: &score, By: "players"})
		g.Wait(time.Second)
	case "S4":
		if g.confirm {
			g.LiftAll()
			g.Put(rules.Start(g.match.Options.Rules.Variant))
			g.begin("S4", winner)
			g.Throw(append(g.Flat(rules.Light, 6), g.Flat(rules.Dark, 3)...)...)
			g.see(-2 * time.Second)
		}
	case "P1":
		g.Decide(referee.Decision{What: referee.DecideConfirm, By: "players"})
		g.Decide(referee.Decision{What: referee.DecidePause, Why: "break", By: "players"})
		g.Idle(15*time.Minute - time.Second)
		g.begin("P1", rules.Light, "P1")
		g.see(time.Second)
		g.Idle(3 * time.Second)
	case "P3":
		if g.mode == "clock" {
			g.begin("P3", winner)
			g.Decide(referee.Decision{What: referee.DecidePause, Why: "break", By: "players"})
			g.Wait(time.Second)
		}
	}
}

// ownedBy returns where the cube of side lies.
func ownedBy(side rules.Side) sighting.CubePlace {
	if side == rules.Dark {
		return sighting.CubeDark
	}
	return sighting.CubeLight
}

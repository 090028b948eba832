package refereetest

import (
	"math"
	"math/rand/v2"
	"time"

	"davar/rules"
	"davar/rules/match"
	"davar/rules/referee"
	"davar/rules/referee/accuracy"
)

// Habits say how the players of a simulated game behave.
type Habits struct {
	// Careless is the share of turns in which something goes wrong that the referee must announce.
	Careless float64
	// Incidents are the codes that may happen, such as M3 or D1; empty: all the simulator knows (Incidents).
	Incidents []string
	// Doubles is the share of turns before which the player on roll doubles if he may; doubles are always taken.
	Doubles float64
	// Turns is after how many turns a game is broken off; 0: never.
	Turns int
}

// Incidents lists the codes the simulator can make happen, besides those that come by themselves (D10, D11, M13).
func Incidents() []string {
	return []string{
		"M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "M11", "M12",
		"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D12", "D13", "C1", "C2", "C3", "C4", "C5", "C6",
		"K1", "K2", "K3", "K4", "S1", "S2", "S3", "S4", "S5", "P1", "P2", "P3", "P4", "X2",
	}
}

// Played is a simulated game: what truly happened and what the referee said.
type Played struct {
	Truth     []accuracy.Happening
	Incidents []Incident
	Events    []referee.Event
	Said      []time.Duration // when each event was made known
	Inputs    []referee.Input
	Turns     int
	glances   []glance
}

// game is a game being played.
type game struct {
	*Table
	habits Habits
	rng    *rand.Rand
	match  match.Match // what truly stands
	mode   string
	truth  []accuracy.Happening
	gen    *rules.Generator
	judge  *rules.Judge
	pace   float64
	ended  time.Duration // when the turn before began to end
	began  time.Duration // when this turn began
	codes  []string

	incidents []Incident
	silent    bool // the players are told nothing
	confirm   bool // the score must be agreed
	closing   bool // an illegal play stands as soon as the next throw lies (M13)
}

// PlayGame plays one game at a table with these settings before an eye of that noise. Equal arguments give the same
// game. It fails when the settings are not usable.
func PlayGame(s referee.Settings, noise Noise, habits Habits, seed uint64) (*Played, error) {
	s.OpeningSeen, s.DiceSets = true, 2
	table, err := NewTable(s, noise, seed)
	if err != nil {
		return nil, err
	}
	options := s.Options
	options.Cube, options.Crawford = s.Cube, s.Crawford
	m, err := match.New(s.Length, options)
	if err == nil {
		err = m.SetScore([2]int{s.Score.Light, s.Score.Dark}, s.CrawfordDone)
	}
	if err != nil {
		return nil, err
	}
	g := &game{
		Table: table, habits: habits, rng: rand.New(rand.NewPCG(seed, 0x6a3e)), match: m, mode: s.TurnEnd,
		gen: rules.NewGenerator(m.Options.Rules), judge: rules.NewJudge(m.Options.Rules), codes: habits.Incidents,
		silent: s.Mode != "announce", confirm: s.ConfirmScore,
	}
	if len(g.codes) == 0 {
		g.codes = Incidents()
	}
	g.pace = 0.7 + 0.8*g.rng.Float64()
	if err := g.play(); err != nil {
		return nil, err
	}
	return &Played{
		Truth: g.truth, Incidents: g.incidents, Events: g.Events, Said: g.Said, Inputs: g.Inputs, Turns: g.match.Game.Turns,
		glances: g.glances,
	}, nil
}

func (g *game) play() error {
	g.setup()
	g.opening()
	for g.match.Game.Phase == match.AwaitRoll || g.match.Game.Phase == match.Rolled {
		if g.habits.Turns > 0 && g.match.Game.Turns >= g.habits.Turns {
			break
		}
		if err := g.turn(); err != nil {
			return err
		}
	}
	g.pause(2 * time.Second)
	g.afterGame()
	g.happened(accuracy.Happening{Type: "end"})
	return nil
}

// pause waits about d, as fast or slow as these players are.
func (g *game) pause(d time.Duration) {
	g.Wait(time.Duration(float64(d) * g.pace * (0.8 + 0.4*g.rng.Float64())))
}

func (g *game) happened(h accuracy.Happening) {
	h.T, h.Turn = g.Now().Seconds(), g.match.Game.Turns
	g.truth = append(g.truth, h)
}

// careless returns the code of what goes wrong now, one of those given that may happen; "" when nothing does.
func (g *game) careless(codes ...string) string {
	var all []string
	for _, c := range codes {
		for _, known := range g.codes {
			if c == known {
				all = append(all, c)
			}
		}
	}
	if len(all) == 0 || g.rng.Float64() >= g.habits.Careless {
		return ""
	}
	return all[g.rng.IntN(len(all))]
}

func (g *game) setup() {
	start := g.Board.Position
	if g.careless("S1") != "" {
		wrong := start
		side, from := rules.Side(g.rng.IntN(2)), []int{6, 8, 13}[g.rng.IntN(3)]
		wrong.Checkers[side][from]--
		wrong.Checkers[side][from+1]++
		g.Board.Position = wrong
		g.begin("S1", side)
		g.Wait(3 * time.Second)
		g.over()
		g.Put(start)
	} else {
		g.Wait(1500 * time.Millisecond)
	}
	g.happened(accuracy.Happening{Type: "start"})
}

// opening has each player throw one die until they differ (OPEN-1, OPEN-3).
func (g *game) opening() {
	for {
		light, dark := g.pips(), g.pips()
		tie, err := g.match.Open(uint8(light), uint8(dark))
		if tie || err != nil {
			g.begin("D11", rules.Light)
			g.Throw(append(g.Flat(rules.Light, light), g.Flat(rules.Dark, dark)...)...)
			g.see(-2 * time.Second)
			g.LiftAll()
			continue
		}
		if g.careless("D12") != "" {
			g.badOpening(rules.Side(g.rng.IntN(2)), light, dark)
		} else {
			g.Throw(append(g.Flat(rules.Light, light), g.Flat(rules.Dark, dark)...)...)
		}
		side := g.match.Game.Turn
		g.rolled(g.Now()-2*time.Second, side, light, dark)
		if g.mode != "clock" {
			return
		}
		if g.careless("K1") != "" {
			g.begin("K1", side)
			g.Wait(patience)
			g.see(-patience + clockWrong - 2*time.Second)
		}
		g.Press(side.Other())
		return
	}
}

// clockWrong is how long after the roll a clock that still stands is wrong: the players need time to press. patience is
// how long these players take to notice.
const (
	clockWrong = 4 * time.Second
	patience   = 5 * time.Second
)

func (g *game) rolled(at time.Duration, side rules.Side, a, b int) {
	g.over()
	valid := true
	g.truth = append(g.truth, accuracy.Happening{
		T: at.Seconds(), Turn: g.match.Game.Turns, Type: "roll", Player: &side, Dice: []int{a, b}, Valid: &valid,
	})
}

// turn plays one turn from the cube to the end.
func (g *game) turn() error {
	side := g.match.Game.Turn
	g.began = g.Now()
	if g.match.Game.Phase == match.AwaitRoll {
		if g.match.Game.Position.ClosedOut(side) {
			return g.closedOut(side)
		}
		if !g.closing {
			g.cube(side)
			if g.beforeRoll(side) {
				return nil
			}
		}
		g.roll(side)
	}
	pos, dice := g.match.Game.Position, g.match.Game.Dice
	plays := g.gen.Plays(&pos, side, dice)
	final, notation := pos, ""
	if len(plays) > 0 {
		play := g.choose(plays)
		final, notation = play.Final, play.String()
	}
	if len(plays) > 0 { // else lifting the dice ends the turn
		g.afterRoll(side)
	}
	g.lateDouble(side)
	g.meddle(side.Other())
	if stood, err := g.badPlay(side, &pos, dice); stood || err != nil {
		return err
	}
	if err := g.walk(side, notation, final); err != nil {
		return err
	}
	g.over()
	g.happened(accuracy.Happening{Type: "move", Player: &side, Dice: []int{int(dice[0]), int(dice[1])}, Move: notation})
	g.pause(800 * time.Millisecond)
	fast := g.fastRoll(side)
	if len(plays) > 0 && !fast {
		g.touch(side)
	}
	g.endTurn(side)
	if fast {
		g.Decide(referee.Decision{What: referee.DecideRethrow, Side: side, Ruling: "D6", By: "players"})
		g.LiftAll()
	}
	return g.match.Play(final)
}

func (g *game) closedOut(side rules.Side) error {
	g.over()
	g.incidents = append(g.incidents, Incident{
		Code: "D10", Side: side, From: g.ended, Visible: g.Now(), Until: math.MaxInt64,
	})
	if g.mode == "clock" {
		g.pause(time.Second)
		g.Press(side)
	}
	g.pause(500 * time.Millisecond)
	return g.match.Forfeit()
}

// choose takes the play of a sensible beginner: mostly the one with the fewest blots, sometimes any.
func (g *game) choose(plays []rules.Play) rules.Play {
	best, worst := 0, 99
	for i := range plays {
		row, blots := &plays[i].Final.Checkers[g.match.Game.Turn], 0
		for _, n := range row[1:25] {
			if n == 1 {
				blots++
			}
		}
		if blots < worst {
			best, worst = i, blots
		}
	}
	if g.rng.Float64() < 0.4 {
		best = g.rng.IntN(len(plays))
	}
	return plays[best]
}

// walk makes the moves by hand.
func (g *game) walk(side rules.Side, notation string, final rules.Position) error {
	steps, err := rules.ParseNotation(notation)
	if err != nil {
		return err
	}
	for i := range steps {
		after, err := rules.Apply(&g.Board.Position, side, steps[i:i+1])
		if err != nil {
			return err
		}
		g.hand(g.long(700*time.Millisecond), func() { g.Board.Position = after })
		if g.rng.IntN(4) == 0 {
			g.pause(300 * time.Millisecond)
		}
	}
	g.Board.Position = final
	g.pause(1200 * time.Millisecond)
	return nil
}

func (g *game) long(d time.Duration) time.Duration {
	return time.Duration(float64(d) * g.pace * (0.7 + 0.6*g.rng.Float64()))
}

// endTurn presses or lifts; after the opening both dice are lifted.
func (g *game) endTurn(side rules.Side) {
	g.ended = g.Now()
	if g.mode == "clock" {
		g.Press(side)
		g.pause(200 * time.Millisecond)
	}
	if g.match.Game.Opening {
		g.LiftAll()
	} else {
		g.Lift(side)
	}
	g.pause(300 * time.Millisecond)
}

// roll throws two dice that count.
func (g *game) roll(side rules.Side) {
	var finish func()
	if !g.closing {
		if finish = g.badThrow(side); finish == nil {
			g.over()
		}
	}
	a, b := g.pips(), g.pips()
	g.Board.Air = true
	at := g.Now()
	g.Wait(g.long(600 * time.Millisecond))
	g.Board.Air = false
	g.Board.Dice = append(append([]Die{}, g.Board.Dice...), g.Flat(side, a, b)...)
	if g.closing {
		g.closing = false
		g.see(0)
	}
	g.Wait(time.Second)
	if finish != nil {
		finish()
	}
	g.Wait(g.long(500 * time.Millisecond))
	g.rolled(at, side, a, b)
	_ = g.match.Roll(side, rules.Dice{uint8(a), uint8(b)})
}

package referee_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/referee/refereetest"
	"davar/rules/sighting"
)

// timeline is one scenario of the rule book that tells what happens at a table, and what the referee must make of it.
type timeline struct {
	ID    string   `json:"id"`
	Rules []string `json:"rules"`
	Kind  string   `json:"kind"`
	Note  string   `json:"note"`
	Given struct {
		Options timelineOptions `json:"options"`
		Events  []happening     `json:"events"`
	} `json:"given"`
	Expect expectation `json:"expect"`
}

type timelineOptions struct {
	TurnEnd   string `json:"turn_end"`
	Moves     string `json:"moves"`
	FastRoll  string `json:"fast_roll"`
	OnChecker bool   `json:"on_checker"`
}

// happening is what somebody does at the table at a time.
type happening struct {
	T         float64  `json:"t"`
	Who       string   `json:"who"`
	What      string   `json:"what"`
	Dice      []*int   `json:"dice"`
	Places    []string `json:"places"`
	Flat      any      `json:"flat"` // of all dice, or of each; null: in doubt
	OnChecker []bool   `json:"on_checker"`
	Leaning   float64  `json:"leaning"` // seconds
	ClosesOut string   `json:"closes_out"`
	AllOff    bool     `json:"all_off"`
	Wrong     bool     `json:"wrong"`
}

type expectation struct {
	Verdict     string   `json:"verdict"`
	By          string   `json:"by"`
	Dice        []int    `json:"dice"`
	DarkThrow   string   `json:"dark_throw"`
	Choice      *string  `json:"choice"`
	Options     []string `json:"options"`
	Result      string   `json:"result"`
	TurnEndedAt float64  `json:"turn_ended_at"`
	Of          float64  `json:"of"`
	Rethrow     string   `json:"rethrow"`
	Presumption string   `json:"presumption"`
	Next        string   `json:"next"`
}

func timelines(t *testing.T) []timeline {
	t.Helper()
	text, err := os.ReadFile("testdata/scenarios.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Scenarios []json.RawMessage `json:"scenarios"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var all []timeline
	for _, raw := range file.Scenarios {
		var kind struct{ Kind string }
		if err := json.Unmarshal(raw, &kind); err != nil {
			t.Fatal(err)
		}
		if kind.Kind != "timeline" {
			continue
		}
		var line timeline
		if err := json.Unmarshal(raw, &line); err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	return all
}

func TestWhatHappensAtATableIsRuledAsTheScenariosOfTheRuleBookSay(t *testing.T) {
	all := timelines(t)
	if len(all) != 22 {
		t.Fatalf("%d timelines, want S60 to S81", len(all))
	}
	for _, line := range all {
		t.Run(line.ID+" "+line.Note, func(t *testing.T) {
			t.Parallel()
			p := play(t, &line)
			check, ok := verdicts[line.Expect.Verdict]
			if !ok {
				t.Fatalf("there is no verdict %q", line.Expect.Verdict)
			}
			check(p, &line.Expect)
		})
	}
}

// playing is a scenario being played at a table that is seen perfectly.
type playing struct {
	scene
	line   *timeline
	zero   time.Duration             // the table's time at t = 0 of the scenario
	dice   [2]int                    // of the last roll
	at     map[float64]time.Duration // when what happens at t was begun
	boards map[float64]rules.Position
}

func play(t *testing.T, line *timeline) *playing {
	t.Helper()
	p := &playing{line: line, at: map[float64]time.Duration{}, boards: map[float64]rules.Position{}}
	p.scene = newScene(t, p.settings)
	if p.has("setup") {
		p.scene = newSceneWith(t, wrongStart(), p.settings)
	}
	p.zero = p.Now()
	for i := range line.Given.Events {
		h := &line.Given.Events[i]
		for p.Now()-p.zero < seconds(h.T) {
			p.Wait(time.Second / refereetest.FrameRate)
		}
		p.at[h.T] = p.Now()
		p.happens(i, h)
		p.boards[h.T] = p.Board.Position
	}
	p.Wait(2 * time.Second)
	return p
}

func seconds(t float64) time.Duration { return time.Duration(min(t, 30) * float64(time.Second)) }

func (p *playing) has(what string) bool {
	return slices.ContainsFunc(p.line.Given.Events, func(h happening) bool { return h.What == what })
}

// settings turns the scenario's options into those of a table. Where the referee speaks only after the next throw, it
// was not appointed to speak at once.
func (p *playing) settings(s *referee.Settings) {
	o := p.line.Given.Options
	if o.TurnEnd != "" {
		s.TurnEnd = o.TurnEnd
	}
	if o.Moves != "" {
		s.Options.Regime = o.Moves
	}
	if o.FastRoll != "" {
		s.FastRoll = o.FastRoll
	}
	s.OnChecker = o.OnChecker
	s.DiceSets = 2
	s.OpeningSeen = p.line.Expect.Rethrow == "dark" || p.has("setup")
	thrown := false
	for _, h := range p.line.Given.Events {
		thrown = thrown || h.What == "throw"
		if h.What == "announce" && thrown {
			s.Mode = "director_only"
		}
	}
}

func side(t *testing.T, name string) rules.Side {
	t.Helper()
	var s rules.Side
	if err := s.UnmarshalText([]byte(name)); err != nil {
		t.Fatal(err)
	}
	return s
}

// happens has one thing happen; announcements, claims and agreements are only waited for or said.
func (p *playing) happens(i int, h *happening) {
	p.t.Helper()
	switch h.What {
	case "setup", "claim", "score_agreed":
		return
	case "announce":
		p.putSetupRight()
		return
	}
	who := side(p.t, h.Who)
	switch h.What {
	case "roll", "throw":
		p.throw(i, who, h)
	case "illegal_position":
		p.illegal(who, h)
	case "legal_position":
		p.Put(p.legal(who, 0))
	case "position_changed":
		p.Put(p.legal(who, 1))
	case "turn_end", "clock_press":
		p.end(who, h)
	case "touch_die":
		p.jolt(1, p.dice[1])
	case "lift":
		p.Lift(who)
	case "double":
		p.MoveCube(sighting.CubeOfferedLeft, 2)
	case "turn":
		p.turn(who)
	case "fast_roll":
		p.fastRoll(who)
	default:
		p.t.Fatalf("nobody knows how to %s", h.What)
	}
}

// putSetupRight has the players put a wrong setup right when they hear of it in time.
func (p *playing) putSetupRight() {
	if !slices.ContainsFunc(p.Referee.State().Rulings, func(b referee.RulingBody) bool { return b.Code == "S1" }) {
		return
	}
	pos := p.Board.Position
	pos.Checkers[rules.Light][7]--
	pos.Checkers[rules.Light][6]++
	p.Put(pos)
}

// throw has the dice thrown and lying as the scenario says.
func (p *playing) throw(i int, who rules.Side, h *happening) {
	numbers := []int{6, 2}
	if p.line.Expect.Rethrow == "dark" || len(h.Dice) == 1 {
		numbers = []int{6}
	}
	for k, n := range h.Dice {
		if n != nil {
			numbers[k] = *n
		}
	}
	if len(numbers) == 2 {
		p.dice = [2]int(numbers)
	}
	dice := p.Flat(who, numbers...)
	for k := range dice {
		if k < len(h.Places) && h.Places[k] == "left" {
			lost := p.Flat(who.Other(), numbers[k])[0]
			lost.Owner = who
			dice[k] = lost
		}
		if k < len(h.OnChecker) && h.OnChecker[k] {
			dice[k].Place = sighting.OnChecker
		}
	}
	last := len(dice) - 1
	each, some := h.Flat.([]any)
	dice[last].Cocked = h.Flat == false || h.Leaning > 0 || some && each[last] == nil
	p.Board.Air = true
	p.Wait(300 * time.Millisecond)
	p.Board.Air = false
	p.Board.Dice = append(slices.Clone(p.Board.Dice), dice...)
	switch {
	case h.Leaning > 0:
		p.Wait(seconds(h.Leaning) + time.Second/refereetest.FrameRate)
		p.Board.Dice = slices.Clone(p.Board.Dice)
		p.Board.Dice[len(p.Board.Dice)-1].Cocked = false
		p.Wait(2 * time.Second)
	case some || len(numbers) == 1 && who == rules.Light:
		p.Wait(400 * time.Millisecond) // what comes next comes soon
	default:
		p.Wait(2 * time.Second)
	}
}

// legal returns the k-th legal result of the last roll from the position it began from.
func (p *playing) legal(who rules.Side, k int) rules.Position {
	start := rules.Start(rules.Standard)
	plays := rules.Plays(&start, who, rules.Dice{uint8(p.dice[0]), uint8(p.dice[1])})
	return plays[len(plays)-1-k].Final
}

// illegal has a play made that the rules do not allow, ending as the scenario says.
func (p *playing) illegal(who rules.Side, h *happening) {
	switch {
	case h.AllOff:
		p.replayFrom(position(p.t, "6/1 5/1", "3/2 2/3"), who)
		p.move(who, "6/off 5/off")
	case h.ClosesOut != "":
		p.replayFrom(shut(), who)
		p.move(who, "7/1 13/11")
	default:
		p.move(who, illegal31)
	}
}

// replayFrom puts the position of a scenario that does not begin from the start, with the roll that was thrown.
func (p *playing) replayFrom(pos rules.Position, who rules.Side) {
	p.LiftAll()
	p.from(pos, who)
	p.Throw(p.Flat(who, p.dice[:]...)...)
}

// shut is a position in which dark closes light out by making his ace point.
func shut() (p rules.Position) {
	p.Checkers[rules.Dark] = [26]uint8{6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 1, 7: 1, 13: 3}
	p.Checkers[rules.Light] = [26]uint8{rules.Bar: 1, 13: 5, 8: 4, 6: 5}
	return p
}

// end ends the turn by the table's signal; where the scenario says that it closes the other out, it is played first.
func (p *playing) end(who rules.Side, h *happening) {
	if h.ClosesOut != "" {
		p.from(shut(), who)
		p.Throw(p.Flat(who, 6, 2)...)
		p.move(who, "7/1 13/11")
	}
	if p.has("setup") {
		p.move(who, "24/18 13/11")
	}
	if p.Referee.State().Clock == nil {
		p.Lift(who)
		return
	}
	p.Press(who)
	p.Wait(500 * time.Millisecond)
	if h.ClosesOut != "" {
		p.Wait(time.Second)
		p.Press(who.Other()) // he presses to pass (CLOCK-10)
		p.Wait(time.Second)
	}
}

// openGame has both throw an opening die, light's the larger.
func (p *playing) openGame() {
	p.dice = [2]int{3, 1}
	p.Throw(append(p.Flat(rules.Light, 3), p.Flat(rules.Dark, 1)...)...)
	p.Press(rules.Dark)
	p.Wait(time.Second)
}

// turn has who throw, play and end his turn.
func (p *playing) turn(who rules.Side) {
	notation := "8/5 6/5"
	if who == rules.Light {
		p.openGame()
	} else {
		p.dice, notation = [2]int{6, 5}, "13/7 13/8"
		p.Throw(p.Flat(who, 6, 5)...)
	}
	p.move(who, notation)
	p.Press(who)
	p.Wait(time.Second)
	p.LiftAll()
}

// fastRoll has who throw before the other has ended his turn. The first time nobody says a word and it is played.
func (p *playing) fastRoll(who rules.Side) {
	other := who.Other()
	first := len(p.plays()) == 0
	mine, his := "24/14", "8/5 6/5"
	if !first {
		mine = "24/18 13/9"
	}
	p.Throw(p.Flat(other, 6, 4)...)
	p.move(other, mine)
	p.Throw(p.Flat(who, 3, 1)...)
	p.Press(other)
	p.Lift(other)
	if first {
		p.move(who, his)
		p.Press(who)
		p.Lift(who)
	}
}

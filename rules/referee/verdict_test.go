package referee_test

import (
	"math"
	"slices"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

// verdicts check what the referee made of a scenario.
var verdicts = map[string]func(p *playing, want *expectation){
	"replay":              (*playing).mustReplay,
	"stands":              (*playing).mustStand,
	"ok":                  (*playing).mustBeRight,
	"fast_roll":           (*playing).mustDecideFastRoll,
	"restore_position_of": (*playing).mustRestore,
	"invalid":             (*playing).mustRethrow,
	"cocked":              (*playing).mustRethrow,
	"valid":               (*playing).mustCount,
	"director":            (*playing).mustCallDirector,
	"correct_setup":       (*playing).mustCorrectSetup,
	"forfeit":             (*playing).mustForfeit,
	"claim_refused":       (*playing).mustRefuseClaim,
}

// mustReplay checks that the play is objected to in time and played anew with the same roll (IRREG-5).
func (p *playing) mustReplay(want *expectation) {
	t, by := p.t, side(p.t, want.By)
	open := p.Referee.State().Rulings
	if len(open) != 1 || open[0].Severity != "R" || !slices.Contains(open[0].Answers, referee.DecideReplay) {
		t.Fatalf("an illegal play is open to be replayed, got %+v", open)
	}
	if len(p.plays()) > 0 {
		t.Errorf("it does not count, but %q did", p.plays())
	}
	if want.DarkThrow == "void" && len(p.rolls()) != 1 {
		t.Errorf("dark's throw is void, rolls %v", p.rolls())
	}
	p.Decide(referee.Decision{What: referee.DecideReplay, Side: by, Ruling: open[0].Code, By: "director"})
	p.phase("rolled", by)
	if st := p.Referee.State(); !slices.Equal(st.Dice, want.Dice) || len(st.Rulings) > 0 {
		t.Errorf("%s plays %v anew, got %v, open %v", by, want.Dice, st.Dice, st.Rulings)
	}
}

// mustStand checks that it is too late: play goes on from what is on the board.
func (p *playing) mustStand(*expectation) {
	t := p.t
	if p.has("setup") {
		if open := p.Referee.State().Rulings; len(open) > 0 || p.withdrawn("S1") || p.heard("S1") == nil {
			t.Errorf("the wrong setup stands without being put right, open %v", open)
		}
		if got := p.Referee.State().Points[7-1]; got != 1 {
			t.Errorf("the checker set up wrongly stays, %d on the point", got)
		}
		return
	}
	if p.heard("M13") == nil {
		t.Error("that the illegal play stands is told to the director")
	}
	p.mustPlay("!")
	if p.Referee.State().Turn != "dark" {
		t.Error("dark plays on")
	}
}

func (p *playing) mustBeRight(want *expectation) {
	p.mustRule()
	if got := p.plays(); len(got) != 1 || got[0][len(got[0])-1] == '!' {
		p.t.Errorf("one legal play, got %q", got)
	}
	p.endedAt(want.TurnEndedAt)
}

// endedAt checks when the turn ended, in the scenario's time; 0 for no matter when.
func (p *playing) endedAt(t float64) {
	if t == 0 {
		return
	}
	for i := range p.Events {
		if e := &p.Events[i]; e.Type == referee.TurnEnded {
			began := float64(p.at[t]) / float64(time.Second)
			if late := float64(e.TMS)/1000 - began; math.Abs(late) > 2 {
				p.t.Errorf("the turn ended %.1f s after what should have ended it", late)
			}
			return
		}
	}
	p.t.Error("the turn has not ended")
}

func (p *playing) mustDecideFastRoll(want *expectation) {
	t := p.t
	p.mustRule("D6")
	if len(p.rolls()) != 1 {
		t.Errorf("the fast roll does not count by itself, rolls %v", p.rolls())
	}
	open := p.Referee.State().Rulings
	if want.Choice == nil {
		if len(open) > 0 {
			t.Errorf("nothing is left to decide, open %v", open)
		}
		p.LiftAll()
		p.Throw(p.Flat(rules.Dark, 2, 1)...)
		p.phase("rolled", rules.Dark)
		return
	}
	if len(open) != 1 || !slices.Equal(open[0].Answers, want.Options) || open[0].Params["other"] != *want.Choice {
		t.Errorf("%s chooses between %v, open %+v", *want.Choice, want.Options, open)
	}
}

// mustRestore checks that the turn was over by the touch and what was changed after it is undone (TURN-2).
func (p *playing) mustRestore(want *expectation) {
	t := p.t
	p.mustRule("D8", "D8")
	p.endedAt(want.TurnEndedAt)
	before := p.boards[want.Of]
	if got := p.Referee.State(); got.Points != pointsOf(&before) || got.Turn != "dark" {
		t.Errorf("the position of %v s stands, got %v with %s on roll", want.Of, got.Points, got.Turn)
	}
	p.Put(before)
	p.Throw(p.Flat(rules.Dark, 2, 1)...)
	p.phase("rolled", rules.Dark)
}

func pointsOf(p *rules.Position) (n [24]int) {
	for i := range n {
		n[i] = int(p.Checkers[rules.Light][i+1]) - int(p.Checkers[rules.Dark][24-i])
	}
	return n
}

// mustRethrow checks that nothing was rolled, and that what must be thrown again then counts.
func (p *playing) mustRethrow(want *expectation) {
	t := p.t
	if len(p.rolls()) > 0 {
		t.Errorf("it is no roll, but %v", p.rolls())
	}
	open := p.Referee.State().Rulings
	if len(open) != 1 || !slices.Contains(open[0].Answers, referee.DecideRethrow) {
		t.Errorf("an invalid throw is open, got %+v", open)
	}
	if want.Rethrow == "both" {
		p.LiftAll()
		p.Throw(p.Flat(rules.Light, 3, 1)...)
	} else {
		again := side(t, want.Rethrow)
		p.Lift(again)
		p.Throw(p.Flat(again, 1)...)
	}
	if len(p.rolls()) != 1 || len(p.Referee.State().Rulings) != 0 {
		t.Errorf("the new throw counts, rolls %v, open %v", p.rolls(), p.Referee.State().Rulings)
	}
}

func (p *playing) mustCount(want *expectation) {
	p.mustRule()
	if got := p.rolls(); len(got) != 1 || !slices.Equal(got[0], want.Dice) {
		p.t.Errorf("%v was rolled, got %v", want.Dice, got)
	}
}

func (p *playing) mustCallDirector(want *expectation) {
	p.mustRule("D5")
	e := p.heard("D5")
	if e == nil || "against_"+e.Side.String() != want.Presumption || !slices.Contains(e.Ruling.Actors, "director") {
		p.t.Errorf("the director rules, presumption %s: %+v", want.Presumption, e)
	}
}

func (p *playing) mustCorrectSetup(*expectation) {
	t := p.t
	if p.heard("S1") == nil || !p.withdrawn("S1") {
		t.Error("the wrong setup is announced, and put right")
	}
	p.mustRule("S1")
	p.mustPlay("8/5 6/5", "24/18 13/11")
	after := p.Board.Position
	if st := p.Referee.State(); st.Points != pointsOf(&after) {
		t.Errorf("the game goes on from the right position, got %v", st.Points)
	}
}

func (p *playing) mustForfeit(want *expectation) {
	p.mustRule("D10")
	p.phase("await", side(p.t, want.Next))
	if n := len(p.rolls()); n != 1 {
		p.t.Errorf("%s rolls nothing, %d rolls", want.By, n)
	}
}

func (p *playing) mustRefuseClaim(*expectation) {
	p.mustRule("D6", "D6")
	last := ""
	for i := range p.Events {
		if e := &p.Events[i]; e.Ruling != nil {
			last = e.Ruling.Audience
		}
	}
	if last != "director" {
		p.t.Errorf("the second time it is for the director alone, not for the %s", last)
	}
}

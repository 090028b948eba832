package referee

import (
	"encoding/json"
	"fmt"
	"time"

	"davar/clock"
	"davar/rules"
	"davar/rules/match"
)

// Referee judges one match. It is not safe for concurrent use: one goroutine owns it.
type Referee struct {
	table
	clock *clock.Clock // nil: played without
	law   law
	out   []Event       // of the input being handled
	at    time.Duration // its own time: a picture may come late
}

// New returns a referee waiting for the first picture of a match.
// It returns an error when the settings contradict each other.
func New(s Settings) (*Referee, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	c, err := s.newClock()
	if err != nil {
		return nil, fmt.Errorf("referee: new match: %w", err)
	}
	m, err := match.New(s.Length, s.options())
	if err == nil {
		err = m.SetScore([2]int{s.Score.Light, s.Score.Dark}, s.CrawfordDone)
	}
	if err != nil {
		return nil, fmt.Errorf("referee: new match: %w", err)
	}
	r := &Referee{clock: c, law: newLaw(m.Options.Rules)}
	r.Settings, r.Match = s, m
	r.Rulings, r.Plays = []RulingBody{}, []LastPlay{}
	r.Current = m.Game.Position
	if s.StartDue > 0 {
		r.Away = &absence{Due: s.StartDue}
	}
	r.enter(phaseSetup)
	return r, nil
}

// patience is how long a press waits for the pictures taken before it, which may come late.
const patience = time.Second

// Handle takes the next input and returns what follows from it, oldest first; nil when nothing does.
func (r *Referee) Handle(in Input) []Event {
	r.out, r.at = nil, in.T
	r.Now = max(r.Now, in.T)
	if !r.Began {
		r.Began = true
		r.emit(Event{Type: MatchStarted})
	}
	r.tickClock()
	switch {
	case in.Sighting != nil:
		r.releasePresses(in.T)
		r.see(in)
	case in.Press != nil:
		r.press(heldPress{At: in.T, Side: in.Press.Side})
	case in.Decision != nil:
		r.releasePresses(in.T)
		r.hear(in.Decision)
	}
	r.releasePresses(r.Now - patience)
	r.watchLateness()
	r.goOn()
	return r.out
}

// hear takes a person's word.
func (r *Referee) hear(d *Decision) {
	breaks := r.Breaks
	if !r.answered(d) {
		r.decide(d)
	}
	if r.Roll == nil {
		r.settleCodes("D5", "D7", "D9") // the roll in dispute is thrown again
	}
	if r.Breaks > breaks {
		r.breakBegun()
	}
}

// see takes one picture and lets the table go on from it.
func (r *Referee) see(in Input) {
	still := r.Eyes.see(in.Sighting)
	r.watchCamera()
	if r.Appeal {
		return // nothing closes while a ruling is open (APP-3)
	}
	r.watchHand(in.Sighting)
	switch r.Phase {
	case phaseSetup:
		r.stepSetup(still)
	case phaseOpening:
		r.stepOpening(still)
	case phaseAwait:
		r.stepAwait(still)
	case phaseRolled:
		r.watchCovered(in.Sighting)
		r.stepRolled(still)
	case phaseEnded:
		r.stepEnded(still)
	case phaseOver:
		r.stepOver(still)
	}
}

// emit writes one event.
func (r *Referee) emit(e Event) int64 {
	r.Seq++
	e.Seq, e.Match, e.Game, e.TMS = r.Seq, r.Settings.Match, r.Match.Game.Number, ms(r.at)
	r.out = append(r.out, e)
	return e.Seq
}

func ms(t time.Duration) int64 { return t.Milliseconds() }

// enter begins a phase.
func (r *Referee) enter(phase string) {
	r.Phase, r.Since = phase, r.Now
}

// ask puts a question to the players, once in a turn (X1).
func (r *Referee) ask(why string) {
	if r.asked(why) {
		return
	}
	r.Asked = append(r.Asked, why)
	body := r.ruling("X1", nil)
	body.Answers = questions[why]
	r.attention(why, body, r.onRoll())
}

// attention makes known what the referee asks for, or that it cannot see.
func (r *Referee) attention(why string, body RulingBody, side *rules.Side) {
	r.Notice = why
	body.ID = r.Seq + 1
	r.emit(Event{Type: Attention, Why: why, Side: side, Ruling: &body})
}

func (r *Referee) onRoll() *rules.Side {
	switch g := &r.Match.Game; g.Phase {
	case match.AwaitRoll, match.AwaitAnswer, match.Rolled:
		side := g.Turn
		return &side
	}
	return nil
}

// rule announces a breach on side's part and returns the ruling's id.
func (r *Referee) rule(code string, side rules.Side, params map[string]string) int64 {
	return r.announce(r.ruling(code, params), &side, 0.99)
}

// tell announces what concerns no side more than the other.
func (r *Referee) tell(code string, params map[string]string) int64 {
	return r.announce(r.ruling(code, params), nil, 0.99)
}

// ruling returns the body of an announcement, with the times of the pictures that are its evidence.
func (r *Referee) ruling(code string, params map[string]string) RulingBody {
	row := announcements[code]
	body := RulingBody{
		Code: code, Rules: row.Rules, Offence: row.Offence, Severity: row.Severity, Params: params,
		Remedy: row.Remedy, Until: row.Until, Actors: row.Actors, Answers: Answers(code), Audience: r.Settings.audience(row),
		Before: ms(r.Eyes.View.From), After: ms(r.Eyes.View.To),
	}
	if r.Roll != nil {
		body.Before = ms(r.Roll.Before)
	}
	return body
}

// announce makes a ruling known; one that asks for something stays open until it is settled or withdrawn.
func (r *Referee) announce(body RulingBody, side *rules.Side, sure float64) int64 {
	body.ID = r.Seq + 1
	if body.Severity == "R" || body.Severity == "B" {
		r.Rulings = append(r.Rulings, body)
	}
	seq := r.emit(Event{Type: RulingMade, Side: side, Ruling: &body, Confidence: sure})
	r.halt(&body)
	return seq
}

// Checkpoint returns the whole inner state as JSON, such that Restore of it and the same later inputs give the
// same events.
func (r *Referee) Checkpoint() ([]byte, error) {
	c := checkpoint{Version: 1, Table: r.table}
	if r.clock != nil {
		state := r.clock.Checkpoint(r.Now)
		c.Clock = &state
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("referee: write a checkpoint: %w", err)
	}
	return text, nil
}

// Restore returns the referee that Checkpoint described. Clocks come back paused (reason "restart").
func Restore(text []byte) (*Referee, error) {
	var c checkpoint
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("referee: restore a match: %w", err)
	}
	if c.Version != 1 {
		return nil, fmt.Errorf("referee: restore a match: a checkpoint of version %d, not 1", c.Version)
	}
	if err := c.Table.Settings.Validate(); err != nil {
		return nil, fmt.Errorf("referee: restore a match: %w", err)
	}
	r := &Referee{table: c.Table, law: newLaw(c.Table.Match.Options.Rules)}
	if c.Clock != nil {
		at := max(c.Clock.AsOf, r.Now)
		restored, _, err := clock.Restart(*c.Clock, at, time.Second)
		if err != nil {
			return nil, fmt.Errorf("referee: restore a match: %w", err)
		}
		r.clock = restored
	}
	return r, nil
}

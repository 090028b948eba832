package record

import (
	"davar/rules"
)

// Report is what checking a record by the rules has found.
type Report struct {
	Games   int       `json:"games"`
	Rolls   int       `json:"rolls"`
	Cube    int       `json:"cube"` // doubles offered
	Illegal []Finding `json:"illegal"`
	Notes   []string  `json:"notes"`
}

// Finding is one play that is not legal.
type Finding struct {
	Game  int        `json:"game"`
	Line  int        `json:"line,omitempty"` // of the file
	Turn  int        `json:"turn"`           // rolls of the game up to this one
	Side  rules.Side `json:"side"`
	Dice  string     `json:"dice"`
	Play  string     `json:"play"` // as written
	Code  rules.Code `json:"code"`
	Rules []string   `json:"rules"`
	Why   string     `json:"why"`
	// PositionBefore is the GNU position ID with Side on roll.
	PositionBefore string `json:"position_before"`
}

// Check replays every game of the record under options o and lists each play that is not legal, with its code.
func (r *Record) Check(o rules.Options) Report {
	report := Report{Games: len(r.Games), Illegal: []Finding{}, Notes: []string{}}
	judge := rules.NewJudge(o)
	for i := range r.Games {
		g := &r.Games[i]
		rolls := 0
		for _, t := range g.Replay(judge) {
			switch t.Action.Kind {
			case Roll:
				rolls++
			case Double, Beaver:
				report.Cube++
			}
			if t.Judged && !t.Verdict.Legal {
				report.Illegal = append(report.Illegal, finding(g, &t, rolls))
			}
		}
		report.Rolls += rolls
	}
	for _, n := range r.Notes {
		report.Notes = append(report.Notes, n.String())
	}
	return report
}

func finding(g *Game, t *Turn, rolls int) Finding {
	a := t.Action
	f := Finding{
		Game: g.Number, Line: a.Line, Turn: rolls, Side: a.Side, Dice: a.Dice.String(), Play: a.Notation(),
		Code: t.Verdict.Code, Rules: t.Verdict.Rules, Why: t.Verdict.Code.Offence(), PositionBefore: t.Before.ID(a.Side),
	}
	if t.Broken != "" {
		f.Why += "; " + t.Broken
	}
	return f
}

// Notation returns a roll's play as written, "" when nothing was moved.
func (a *Action) Notation() string {
	text := ""
	for i, s := range a.Steps {
		if i > 0 {
			text += " "
		}
		text += s.String()
	}
	switch {
	case a.Unseen:
		return "???"
	case a.Position != nil && text == "":
		return "(position given)"
	}
	return text
}

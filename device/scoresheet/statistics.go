package scoresheet

import (
	"fmt"
	"strings"

	"davar/device/analysis"
	"davar/rules"
	"davar/rules/statistics"
)

// Statistics are laid out as tables: a row's first cell is its name.
type Statistics struct {
	Players [][3]string // name of the figure, light's, dark's
	Dice    []DiceRow
	// Analysed says how far the analysis has come; empty when there is none.
	Analysed string
}

// DiceRow is what one set of dice, or one player's throws, have shown.
type DiceRow struct {
	Name    string
	Rolls   string
	Faces   [6]string
	Doubles string
	FaceP   string
	DoubleP string
}

func (s *Sheet) count(m statistics.Match) *Statistics {
	if m.Players[0].Dice.Rolls+m.Players[1].Dice.Rolls == 0 {
		return nil
	}
	var out Statistics
	figure := func(key string, of func(*statistics.Player) string) {
		out.Players = append(out.Players, [3]string{s.T(key), of(&m.Players[0]), of(&m.Players[1])})
	}
	figure("turns", func(p *statistics.Player) string { return s.number(p.Turns) })
	figure("hits", func(p *statistics.Player) string { return s.number(p.Hits) })
	figure("danced", func(p *statistics.Player) string { return s.number(p.Danced) })
	figure("doubles", func(p *statistics.Player) string { return s.number(p.Dice.Doubles) })
	figure("mean_pips", func(p *statistics.Player) string { return s.figure("%.2f", p.Dice.MeanPips()) })
	figure("time_total", func(p *statistics.Player) string { return s.duration(p.Time().Total) })
	figure("time_median", func(p *statistics.Player) string { return s.duration(p.Time().Median) })
	figure("time_longest", func(p *statistics.Player) string { return s.duration(p.Time().Longest) })
	if a := s.options.Analysis; a != nil && a.Done > 0 {
		sums := a.Players()
		judged := func(key string, of func(*analysis.Player) string) {
			out.Players = append(out.Players, [3]string{s.T(key), of(&sums[0]), of(&sums[1])})
		}
		rate := func(v float64) string { return s.figure("%.1f", v) }
		judged("error_rate", func(p *analysis.Player) string { return rate(p.Rate()) })
		judged("play_rate", func(p *analysis.Player) string { return rate(p.PlayRate()) })
		judged("cube_rate", func(p *analysis.Player) string {
			if p.Cubes == 0 {
				return ""
			}
			return rate(p.CubeRate())
		})
		judged("cube_missed", func(p *analysis.Player) string { return s.number(p.Missed) })
		judged("cube_wrong", func(p *analysis.Player) string { return s.number(p.Wrong) })
		judged("cube_takes", func(p *analysis.Player) string { return s.number(p.Takes) })
		judged("cube_drops", func(p *analysis.Player) string { return s.number(p.Drops) })
		judged("luck", func(p *analysis.Player) string { return s.figure("%+.2f", p.Luck) })
		out.Players = append(out.Players, [3]string{s.T("worst"), s.worst(a, rules.Light), s.worst(a, rules.Dark)})
		out.Analysed = s.text("analysed", "done", fmt.Sprint(a.Done), "of", fmt.Sprint(a.Of), "plies", fmt.Sprint(a.Plies))
	}
	if len(m.Sets) == 1 {
		out.Dice = append(out.Dice, s.diceRow(s.T("dice_shared"), &m.Sets[0]))
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		out.Dice = append(out.Dice, s.diceRow(s.name(side), &m.Players[side].Dice))
	}
	return &out
}

// blunder names what was done, as it is written in the list of plays.
func (s *Sheet) blunder(b analysis.Blunder) string {
	if b.Cube != "" {
		return s.T("cube_" + string(b.Cube))
	}
	for i := range s.t.Games {
		for k := range s.t.Games[i].Turns {
			if t := &s.t.Games[i].Turns[k]; t.Seq == b.Seq {
				return fmt.Sprintf("\u2066%d%d: %s\u2069", t.Dice[0], t.Dice[1], t.Notation)
			}
		}
	}
	return ""
}

// worst lists a player's largest errors.
func (s *Sheet) worst(a *analysis.Analysis, side rules.Side) string {
	var all []string
	for _, b := range a.Blunders(side, 3) {
		all = append(all, s.lost(b.Error)+" "+s.blunder(b))
	}
	return strings.Join(all, " · ")
}

func (s *Sheet) diceRow(name string, d *statistics.Dice) DiceRow {
	row := DiceRow{Name: name, Rolls: s.number(d.Rolls), Doubles: s.number(d.Doubles)}
	for i, n := range d.Faces {
		row.Faces[i] = s.number(n)
	}
	row.FaceP, row.DoubleP = s.probability(d.FaceTest()), s.probability(d.DoublesTest())
	return row
}

// probability writes a test's p, or that there is too little to test.
func (s *Sheet) probability(t statistics.Test) string {
	switch {
	case !t.Enough:
		return s.T("too_few")
	case t.P < 0.001:
		return "< " + s.figure("%.3f", 0.001)
	}
	return s.figure("%.3f", t.P)
}

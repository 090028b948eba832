package refereetest

import (
	"fmt"
	"math"

	"davar/rules/referee"
	"davar/rules/referee/accuracy"
)

// Rate is a share with its 95 % confidence interval.
type Rate struct {
	Of    int     `json:"of"`
	Count int     `json:"count"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// rate returns the share of count in n with Wilson's interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927).
func rate(count, n int) Rate {
	r := Rate{Of: n, Count: count, High: 1}
	if n == 0 {
		return r
	}
	const z = 1.96
	p, m := float64(count)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	r.Share, r.Low, r.High = p, max(middle-half, 0), min(middle+half, 1)
	return r
}

// Report is how well the referee did in many simulated games.
type Report struct {
	Games        int             `json:"games"`
	Turns        int             `json:"turns"`
	Noise        Noise           `json:"noise"`
	Rolls        Rate            `json:"rolls"` // right
	Plays        Rate            `json:"plays"` // right
	Cube         Rate            `json:"cube"`  // right
	Detected     map[string]Rate `json:"detected"`
	FalseRulings Rate            `json:"false_rulings"` // per turn
	False        map[string]int  `json:"false"`         // by code
	Questions    Rate            `json:"questions"`     // per turn
	Worst        []string        `json:"worst"`         // what went wrong first
}

// worstKept is how many differences a report tells of.
const worstKept = 200

// Evaluate plays games from seed on, half of them with a clock, and returns how well they were refereed. Equal
// arguments give equal reports.
func Evaluate(games int, seed uint64, noise Noise, habits Habits) (*Report, error) {
	report := &Report{Games: games, Noise: noise, Detected: map[string]Rate{}, False: map[string]int{}}
	var rolls, plays, cube accuracy.Tally
	codes := map[string]accuracy.Tally{}
	wrongly, questions := 0, 0
	for i := range games {
		s := referee.DefaultSettings()
		s.Match = fmt.Sprint("simulated ", i)
		if i%2 == 1 {
			s.TurnEnd = "pickup"
		}
		if i%4 >= 2 {
			s.Layout.Bottom = "dark"
		}
		played, err := PlayGame(s, noise, habits, seed+uint64(i))
		if err != nil {
			return nil, err
		}
		result, err := accuracy.Compare(played.Truth, played.Events, s.TurnEnd)
		if err != nil {
			return nil, err
		}
		report.Turns += played.Turns
		add(&rolls, result.Rolls)
		add(&plays, result.Plays)
		add(&cube, result.Cube)
		for code, t := range result.Codes {
			sum := codes[code]
			add(&sum, t)
			codes[code] = sum
		}
		for code, n := range result.False {
			report.False[code] += n
		}
		wrongly += result.FalseRulings
		questions += result.Questions
		for _, d := range result.Differences {
			if len(report.Worst) < worstKept {
				report.Worst = append(report.Worst, fmt.Sprintf("game %d (%s): %s", i, s.TurnEnd, d))
			}
		}
	}
	report.Rolls, report.Plays = rate(rolls.Right, rolls.Expected), rate(plays.Right, plays.Expected)
	report.Cube = rate(cube.Right, cube.Expected)
	for code, t := range codes {
		report.Detected[code] = rate(t.Right, t.Expected)
	}
	report.FalseRulings, report.Questions = rate(wrongly, report.Turns), rate(questions, report.Turns)
	return report, nil
}

func add(sum *accuracy.Tally, t accuracy.Tally) {
	sum.Expected += t.Expected
	sum.Right += t.Right
}

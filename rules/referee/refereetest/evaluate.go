package refereetest

import (
	"fmt"
	"math"
	"slices"
	"time"

	"davar/rules"
	"davar/rules/match"
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

// Delay is how long after the last of their evidence incidents were announced.
type Delay struct {
	MedianMS int64 `json:"median_ms"`
	P99MS    int64 `json:"p99_ms"`
	InTime   Rate  `json:"within_2s"` // of those announced
}

// CodeReport is how well the referee deals with one announcement of RULES §3.
type CodeReport struct {
	Detected Rate `json:"detected"`           // of the incidents that call for it, those announced before play went on
	InTime   Rate `json:"detected_within_2s"` // of the incidents, those announced within 2 s of their evidence
	// Evident counts the incidents whose evidence was in what the eye reported, Shown those of them that were announced
	// within 2 s of it: the others no referee could have found, though this one has found some of them.
	Evident        Rate  `json:"evident"`
	Shown          Rate  `json:"evident_detected_within_2s"`
	Delay          Delay `json:"delay"` // of those announced
	False          Rate  `json:"false"` // announced where nothing called for it, per turn
	delays         []time.Duration
	falsely        int
	expected       int
	evident, shown int
}

// Report is how well the referee did in many simulated games.
type Report struct {
	Games        int                    `json:"games"`
	Turns        int                    `json:"turns"`
	Noise        Noise                  `json:"noise"`
	Rolls        Rate                   `json:"rolls"` // right
	Plays        Rate                   `json:"plays"` // right
	Cube         Rate                   `json:"cube"`  // right
	Detected     Rate                   `json:"detected"`
	InTime       Rate                   `json:"detected_within_2s"`
	Evident      Rate                   `json:"evident"`                    // of the incidents, those the eye reported
	Shown        Rate                   `json:"evident_detected_within_2s"` // of these
	Doubted      Rate                   `json:"asked_instead"`              // of the incidents, those of which it was asked what happened (X1)
	Delay        Delay                  `json:"delay"`
	FalseRulings Rate                   `json:"false_rulings"` // per turn
	Questions    Rate                   `json:"questions"`     // per turn
	Codes        map[string]*CodeReport `json:"codes"`
	Worst        []string               `json:"worst"` // what went wrong: said falsely, asked, missed, the first of each first
}

// worstKept is how many differences a report tells of.
const worstKept = 200

// tallies is what is counted over all games.
type tallies struct {
	rolls, plays, cube               accuracy.Tally
	incidents, found, falsely, asked int
	doubted                          int // incidents
	delays                           []time.Duration
	wrongs                           [4][]string // of what went wrong: said falsely, asked, missed or misread, not reported by the eye
}

// soon is how fast an incident must be announced once its evidence is there.
const soon = 2 * time.Second

// Evaluate plays games from seed on and returns how well they were refereed; mode clock or pickup has the turns of all
// end that way, any other those of half of them. Equal arguments give equal reports.
func Evaluate(games int, seed uint64, noise Noise, habits Habits, mode string) (*Report, error) {
	report := &Report{Games: games, Noise: noise, Codes: map[string]*CodeReport{}}
	var sum tallies
	for i := range games {
		s := arrange(i, mode)
		played, err := PlayGame(s, noise, habits, seed+uint64(i))
		if err != nil {
			return nil, err
		}
		if err := report.add(&sum, played, fmt.Sprintf("game %d (%s)", i, s.TurnEnd)); err != nil {
			return nil, err
		}
	}
	report.close(&sum)
	return report, nil
}

// arrange returns how game number i is played: all layouts, and now and then a variant, a score or a monitor under which
// things can happen that cannot elsewhere.
func arrange(i int, mode string) referee.Settings {
	s := referee.DefaultSettings()
	s.Match = fmt.Sprint("simulated ", i)
	s.TurnEnd = []string{"clock", "pickup"}[i%2]
	if mode == "clock" || mode == "pickup" {
		s.TurnEnd = mode
	}
	if i%4 >= 2 {
		s.Layout.Bottom = "dark"
	}
	if i%8 >= 4 {
		s.Layout.Home = "left"
	}
	switch i / 2 % 8 {
	case 1: // the Iranian hit-and-run rule (M10)
		s.Options = match.OptionsFor(rules.Iran)
	case 2: // the Crawford game (C3)
		s.Length, s.Score = 5, referee.Score{Light: 4, Dark: 1}
	case 3: // after it, a drop would end the match (C5)
		s.Length, s.Score, s.CrawfordDone = 3, referee.Score{Light: 2, Dark: 2}, true
	case 5: // nobody is told, so illegal plays stand (M13)
		s.Mode = "director_only"
	case 6: // the score must be agreed on (S4)
		s.ConfirmScore = true
	}
	return s
}

// add counts one game.
func (r *Report) add(sum *tallies, p *Played, name string) error {
	r.Turns += p.Turns
	silent := make([]referee.Event, 0, len(p.Events))
	for i := range p.Events {
		switch e := &p.Events[i]; {
		case e.Type == referee.RulingMade, e.Legal != nil && !*e.Legal:
			continue // incidents are looked for by themselves, and an illegal play that stands is no truth of the film's
		case e.Type == referee.Attention && e.Why != "camera":
			sum.asked++
			sum.worst(1, "%s: %s was asked at %.1f s", name, e.Why, float64(e.TMS)/1000)
		}
		silent = append(silent, p.Events[i])
	}
	result, err := accuracy.Compare(p.Truth, silent, "")
	if err != nil {
		return err
	}
	add(&sum.rolls, result.Rolls)
	add(&sum.plays, result.Plays)
	add(&sum.cube, result.Cube)
	incidents, falsely := p.score()
	for _, f := range incidents {
		r.addIncident(sum, f, name)
	}
	for i := range falsely {
		e := &falsely[i]
		sum.falsely++
		code := announces(e)
		r.code(code).falsely++
		sum.worst(0, "%s: %s was said falsely at %.1f s", name, code, float64(e.TMS)/1000)
	}
	for _, d := range result.Differences {
		sum.worst(2, "%s: %s", name, d)
	}
	return nil
}

func (r *Report) addIncident(sum *tallies, f found, name string) {
	c := r.code(f.Code)
	c.expected++
	sum.incidents++
	d := max(f.At-f.Visible, 0)
	if f.Evident {
		c.evident++
		c.shown += count(f.Yes && d <= soon)
	}
	if !f.Yes {
		if f.Asked {
			sum.doubted++
		}
		how := 3
		why := ", which the eye did not report"
		if f.Evident {
			how, why = 2, ""
		}
		sum.worst(how, "%s: %s was not said of what happened at %.1f s%s", name, f.Code, f.From.Seconds(), why)
		return
	}
	sum.found++
	sum.delays, c.delays = append(sum.delays, d), append(c.delays, d)
}

func (r *Report) code(code string) *CodeReport {
	if r.Codes[code] == nil {
		r.Codes[code] = &CodeReport{}
	}
	return r.Codes[code]
}

// worst notes what went wrong: 0 said falsely, 1 asked, 2 missed or misread, 3 missed as the eye did not report it.
func (t *tallies) worst(how int, format string, a ...any) {
	if len(t.wrongs[how]) < worstKept {
		t.wrongs[how] = append(t.wrongs[how], fmt.Sprintf(format, a...))
	}
}

// close turns the counts into shares.
func (r *Report) close(sum *tallies) {
	r.Worst = slices.Concat(sum.wrongs[:]...)
	r.Worst = r.Worst[:min(len(r.Worst), worstKept)]
	r.Rolls, r.Plays = rate(sum.rolls.Right, sum.rolls.Expected), rate(sum.plays.Right, sum.plays.Expected)
	r.Cube = rate(sum.cube.Right, sum.cube.Expected)
	r.Detected, r.Delay = rate(sum.found, sum.incidents), delayOf(sum.delays)
	r.InTime = rate(r.Delay.InTime.Count, sum.incidents)
	var evident, shown int
	for _, c := range r.Codes {
		evident, shown = evident+c.evident, shown+c.shown
	}
	r.Evident, r.Shown = rate(evident, sum.incidents), rate(shown, evident)
	r.Doubted = rate(sum.doubted, sum.incidents)
	r.FalseRulings, r.Questions = rate(sum.falsely, r.Turns), rate(sum.asked, r.Turns)
	for _, c := range r.Codes {
		c.Detected, c.Delay = rate(len(c.delays), c.expected), delayOf(c.delays)
		c.InTime = rate(c.Delay.InTime.Count, c.expected)
		c.Evident, c.Shown = rate(c.evident, c.expected), rate(c.shown, c.evident)
		c.False = rate(c.falsely, r.Turns)
	}
}

func delayOf(delays []time.Duration) Delay {
	slices.Sort(delays)
	within, _ := slices.BinarySearch(delays, soon+1)
	d := Delay{InTime: rate(within, len(delays))}
	if n := len(delays); n > 0 {
		d.MedianMS, d.P99MS = delays[n/2].Milliseconds(), delays[min(n-1, n*99/100)].Milliseconds()
	}
	return d
}

func add(sum *accuracy.Tally, t accuracy.Tally) {
	sum.Expected += t.Expected
	sum.Right += t.Right
}

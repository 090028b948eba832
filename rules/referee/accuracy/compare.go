package accuracy

import (
	"fmt"
	"slices"

	"davar/rules"
	"davar/rules/referee"
)

// Tally counts what was to be found and what was found right.
type Tally struct {
	Expected int `json:"expected"`
	Right    int `json:"right"`
}

// Timing is the cost of a frame in milliseconds; filled in by who measures it.
type Timing struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

// Result is how well one film was refereed in one mode.
type Result struct {
	Rolls        Tally    `json:"rolls"`
	Plays        Tally    `json:"plays"`
	Cube         Tally    `json:"cube"`
	Incidents    Tally    `json:"incidents"`
	FalseRulings int      `json:"false_rulings"`
	Questions    int      `json:"questions"`
	ResultRight  bool     `json:"result_right"`
	Frames       int      `json:"frames"`
	MSPerFrame   Timing   `json:"ms_per_frame"`
	Differences  []string `json:"differences"`
	// Codes tallies the incidents by the code that must be announced, "none" where nothing may be said; False counts
	// the false rulings by theirs.
	Codes map[string]Tally `json:"codes,omitempty"`
	False map[string]int   `json:"false,omitempty"`
}

// Perfect tells whether everything was right and nothing was said or asked wrongly.
func (r *Result) Perfect() bool {
	for _, t := range []Tally{r.Rolls, r.Plays, r.Cube, r.Incidents} {
		if t.Right != t.Expected {
			return false
		}
	}
	return r.FalseRulings == 0 && r.ResultRight && len(r.Differences) == 0
}

// Compare returns how the referee's events agree with what happened, in the given mode ("pickup" or "clock"). A roll
// is right when side and numbers are, a play when it leads to the true position, a cube action when side, kind and
// value are, an incident when its code was announced before play went on, or nothing was said where nothing may be.
func Compare(truth []Happening, events []referee.Event, mode string) (Result, error) {
	r := Result{Differences: []string{}, Codes: map[string]Tally{}, False: map[string]int{}}
	facts, err := factsOf(truth)
	if err != nil {
		return r, err
	}
	r.Rolls = r.align("roll", facts.rolls, rollsOf(events))
	r.Plays = r.align("play", facts.plays, playsOf(events))
	r.Cube = r.align("cube", facts.cube, cubeOf(events))
	r.incidents(truth, events, mode)
	for i := range events {
		if events[i].Type == referee.Attention {
			r.Questions++
		}
	}
	r.result(facts.result, events)
	return r, nil
}

// fact is something that happened, or that the referee said happened.
type fact struct {
	t    float64
	key  string // equal for equal facts
	text string
	side rules.Side
}

// slack is how far apart, in seconds, a fact and its announcement may be.
const slack = 20

// align counts how many of the true facts were said, in order, and puts the rest into words.
func (r *Result) align(what string, truth, said []fact) Tally {
	n, m := len(truth), len(said)
	best := make([][]int, n+1) // longest common run of facts from i and j on
	for i := range best {
		best[i] = make([]int, m+1)
	}
	same := func(i, j int) bool {
		return truth[i].key == said[j].key && said[j].t-truth[i].t < slack && truth[i].t-said[j].t < slack
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if same(i, j) {
				best[i][j] = max(best[i][j], 1+best[i+1][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n || j < m; {
		switch {
		case i < n && j < m && same(i, j) && best[i][j] == 1+best[i+1][j+1]:
			i, j = i+1, j+1
		case i < n && (j == m || best[i][j] == best[i+1][j] && truth[i].t <= said[j].t):
			r.differ("%s missed at %.1f s: %s", what, truth[i].t, truth[i].text)
			i++
		case j < m && (i == n || best[i][j] == best[i][j+1]):
			r.differ("%s said at %.1f s that did not happen so: %s", what, said[j].t, said[j].text)
			j++
		default:
			r.differ("%s missed at %.1f s: %s", what, truth[i].t, truth[i].text)
			i++
		}
	}
	return Tally{Expected: n, Right: best[0][0]}
}

func (r *Result) differ(format string, a ...any) {
	r.Differences = append(r.Differences, fmt.Sprintf(format, a...))
}

// facts are the truth in comparable form.
type facts struct {
	rolls, plays, cube []fact
	result             string
}

// factsOf replays what happened, so that each play has its position.
func factsOf(truth []Happening) (facts, error) {
	f := facts{result: "none"}
	pos, cube := rules.Start(rules.Standard), 1
	var doubler rules.Side
	for i := range truth {
		h := &truth[i]
		side := rules.Light
		if h.Player != nil {
			side = *h.Player
		}
		var err error
		switch h.Type {
		case "start":
			if h.Position != nil {
				pos, err = h.Position.Position()
			}
		case "roll":
			if h.Valid == nil || *h.Valid {
				f.rolls = append(f.rolls, rollFact(h.T, side, h.Dice))
			}
		case "move":
			pos, err = applied(pos, side, h.Move)
			f.plays = append(f.plays, playFact(h.T, side, pos.ID(side), h.Move))
		case "incident":
			if h.Move != "" && h.Corrected != nil && !*h.Corrected {
				pos, err = applied(pos, side, h.Move)
			}
		case "cube":
			f.cube = append(f.cube, cubeFact(h.T, side, h.Action, h.Value))
			switch h.Action {
			case "double":
				doubler = side
			case "take":
				cube = h.Value
			case "drop":
				f.result = resultText(doubler, cube, "drop")
			}
		}
		if err != nil {
			return f, fmt.Errorf("accuracy: replay events.jsonl: at %.2f s: %w", h.T, err)
		}
	}
	if winner, win := pos.Won(rules.Options{}); win != rules.NoWin {
		f.result = resultText(winner, int(win)*cube, win.String())
	}
	return f, nil
}

func applied(pos rules.Position, side rules.Side, move string) (rules.Position, error) {
	if move == "" {
		return pos, nil
	}
	steps, err := rules.ParseNotation(move)
	if err != nil {
		return pos, err
	}
	return rules.Apply(&pos, side, steps)
}

func rollFact(t float64, side rules.Side, dice []int) fact {
	sorted := slices.Sorted(slices.Values(dice))
	return fact{t, fmt.Sprint(side, sorted), fmt.Sprint(side, " ", dice), side}
}

func playFact(t float64, side rules.Side, id, move string) fact {
	return fact{t, side.String() + id, fmt.Sprint(side, " ", move), side}
}

func cubeFact(t float64, side rules.Side, action string, value int) fact {
	text := fmt.Sprint(side, " ", action, " ", value)
	return fact{t, text, text, side}
}

func resultText(winner rules.Side, points int, how string) string {
	return fmt.Sprintf("%s wins %d (%s)", winner, points, how)
}

func seconds(e *referee.Event) float64 { return float64(e.TMS) / 1000 }

// rollsOf returns the rolls the referee announced; a corrected one replaces the roll before it.
func rollsOf(events []referee.Event) []fact {
	var said []fact
	for i := range events {
		e := &events[i]
		if e.Type != referee.Roll || e.Side == nil {
			continue
		}
		f := rollFact(seconds(e), *e.Side, e.Dice)
		said = replaceOrAdd(said, f, e)
	}
	return said
}

// replaceOrAdd adds what was said, or lets it replace what was said before of the same side when it corrects that.
func replaceOrAdd(said []fact, f fact, e *referee.Event) []fact {
	if e.Why == "corrected" {
		for i := len(said) - 1; i >= 0; i-- {
			if said[i].side == f.side || e.Opening {
				f.t = said[i].t
				said[i] = f
				return said
			}
		}
	}
	return append(said, f)
}

// playsOf returns the plays the referee announced; a corrected one replaces the play before it.
func playsOf(events []referee.Event) []fact {
	var said []fact
	for i := range events {
		e := &events[i]
		if e.Type != referee.PlayMade && e.Type != referee.Dance || e.Side == nil {
			continue
		}
		said = replaceOrAdd(said, playFact(seconds(e), *e.Side, e.Position, e.Notation), e)
	}
	return said
}

func cubeOf(events []referee.Event) []fact {
	actions := map[string]string{referee.CubeOffered: "double", referee.CubeTaken: "take", referee.CubeDropped: "drop"}
	var said []fact
	for i := range events {
		if action, ok := actions[events[i].Type]; ok && events[i].Side != nil {
			said = append(said, cubeFact(seconds(&events[i]), *events[i].Side, action, events[i].Cube))
		}
	}
	return said
}

// result compares the last game's end.
func (r *Result) result(want string, events []referee.Event) {
	got := "none"
	for i := range events {
		if e := &events[i]; e.Type == referee.GameEnded && e.Side != nil {
			got = resultText(*e.Side, e.Points, e.How)
		}
	}
	r.ResultRight = got == want
	if !r.ResultRight {
		r.differ("result: %s, true is %s", got, want)
	}
}

package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Step is one word of a written play: Count checkers go from Path[0] over the stops written to the last of
// Path, in the mover's numbering. Hit[i] says that a hit was marked at Path[i].
type Step struct {
	Path  []uint8
	Hit   []bool
	Count int
}

// ParseNotation reads a play as players and programs write it: "8/5 6/5*", "bar/20", "25/20", "6/off", "6/0",
// "13/11(2)", "13/11*/7", with spaces or commas between the words and capitals allowed. It checks the form only,
// not whether the play can be made. The empty text, "Cannot Move", "(no play)" and "(no move)" give no steps.
func ParseNotation(text string) ([]Step, error) {
	var steps []Step
	if noPlay(text) {
		return nil, nil
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		step, err := parseStep(word)
		if err != nil {
			return nil, fmt.Errorf("rules: read play %q: %w", text, err)
		}
		if len(steps) == 16 {
			return nil, fmt.Errorf("rules: read play %q: more moves than any roll allows", text)
		}
		steps = append(steps, step)
	}
	return steps, nil
}

func noPlay(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "cannot move", "(no play)", "no play", "(no move)", "no move", "dance", "-", "--":
		return true
	}
	return false
}

func parseStep(word string) (Step, error) {
	step := Step{Count: 1}
	body, count, ok := strings.Cut(word, "(")
	if ok {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSuffix(count, "*"), ")"))
		if err != nil || n < 1 || n > 4 {
			return step, fmt.Errorf("%q: the number in brackets must be 1 to 4", word)
		}
		step.Count = n
		if strings.HasSuffix(count, "*") {
			body += "*"
		}
	}
	for i, name := range strings.Split(body, "/") {
		name, hit := strings.CutSuffix(name, "*")
		point, err := parsePoint(name)
		if err != nil {
			return step, fmt.Errorf("%q: %w", word, err)
		}
		if i > 0 && (step.Path[i-1] == Off || point == Bar) || i > 4 {
			return step, fmt.Errorf("%q: the checker cannot go that way", word)
		}
		step.Path = append(step.Path, point)
		step.Hit = append(step.Hit, hit)
	}
	if len(step.Path) < 2 {
		return step, fmt.Errorf("%q: want from/to, such as 13/7", word)
	}
	return step, nil
}

func parsePoint(name string) (uint8, error) {
	switch strings.ToLower(name) {
	case "bar", "b":
		return Bar, nil
	case "off", "o":
		return Off, nil
	}
	n, err := strconv.ParseUint(name, 10, 8)
	if err != nil || n > Bar {
		return 0, fmt.Errorf("%q is no point: want 1 to 24, bar or off", name)
	}
	return uint8(n), nil
}

// Apply makes the steps on pos by hand, as written, without asking whether they are legal: a lone enemy on a
// written stop is hit, whether or not the hit is marked (HIT-4). It returns the position after them. Steps whose
// checker is not there are left out, and the error names the first of them. The position may be one that no
// board can show, with both colours on a point.
func Apply(pos *Position, mover Side, steps []Step) (Position, error) {
	p := *pos
	own, opp := &p.Checkers[mover], &p.Checkers[mover.Other()]
	var missing error
	for _, step := range steps {
		for range step.Count {
			from := step.Path[0]
			if own[from] == 0 {
				if missing == nil {
					missing = fmt.Errorf("rules: play %s: there is no checker on %s", step, pointName(from))
				}
				continue
			}
			own[from]--
			own[step.Path[len(step.Path)-1]]++
			for _, stop := range step.Path[1:] {
				if stop != Off && opp[25-stop] == 1 {
					opp[25-stop] = 0
					opp[Bar]++
				}
			}
		}
	}
	return p, missing
}

// String writes the step as it may be read again.
func (s Step) String() string {
	var b strings.Builder
	for i, point := range s.Path {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(pointName(point))
		if s.Hit[i] {
			b.WriteByte('*')
		}
	}
	if s.Count > 1 {
		b.WriteString("(" + strconv.Itoa(s.Count) + ")")
	}
	return b.String()
}

// Resolve finds the legal play that a written play means. The steps as written come first; a writer who joined
// the moves of one checker may have left out a hit in passing, so the only legal play that agrees with the
// points left and reached is taken next. ok is false when there is none or more than one such play.
func Resolve(pos *Position, mover Side, steps []Step, legal []Play) (play Play, ok bool) {
	final, err := Apply(pos, mover, steps)
	if err != nil {
		return Play{}, false
	}
	found := -1
	for i := range legal {
		switch {
		case legal[i].Final == final:
			return legal[i], true
		case legal[i].Final.Checkers[mover] != final.Checkers[mover]:
		case found < 0:
			found = i
		default:
			return Play{}, false
		}
	}
	if found < 0 {
		return Play{}, false
	}
	return legal[found], true
}

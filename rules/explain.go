package rules

import (
	"cmp"
	"slices"
)

// turn is a turn that was not legal, about to be explained.
type turn struct {
	judge         *Judge
	before, after *Position
	mover         Side
	dice          Dice
	plays         []Play // the legal ones
}

// explain finds the code that explains the turn, the rules broken and the points concerned (nil: those changed).
func (t *turn) explain() (Code, []string, []uint8) {
	if t.reached(strictly, false) {
		return t.incomplete()
	}
	for _, check := range []func() (Code, []string, []uint8){
		t.hitAndRun, t.barFirst, t.hitNotLifted, t.wrongBearOff, t.closedPoint, t.noLegalPlay, t.wrongWay, t.wrongCount,
	} {
		if code, broken, points := check(); code != "" {
			return code, broken, points
		}
	}
	return OtherMismatch, []string{"IRREG-1", "MOVE-14"}, nil
}

// reached reports whether the position after comes from moves of the roll with the licence l: the whole of it, or
// only the mover's own row. The way is then in the judge's search.
func (t *turn) reached(l licence, ownRow bool) bool {
	s := &t.judge.search
	s.target, s.mover, s.licence, s.ownRow = t.after, t.mover, l, ownRow
	s.hitRun = t.judge.generator.options.HitRun
	return s.find(t.before, t.dice)
}

// way returns the moves that the last search found.
func (t *turn) way() []Move { return t.judge.search.moves[:t.judge.search.n] }

// own returns the mover's rows before and after; opp the other side's.
func (t *turn) own() (before, after *[26]uint8) {
	return &t.before.Checkers[t.mover], &t.after.Checkers[t.mover]
}

func (t *turn) opp() (before, after *[26]uint8) {
	other := t.mover.Other()
	return &t.before.Checkers[other], &t.after.Checkers[other]
}

// incomplete explains a position that breaks no rule but those of playing all that can be played.
func (t *turn) incomplete() (Code, []string, []uint8) {
	made, most := uint8(len(t.way())), t.plays[0].N
	switch {
	case made == 1 && most == 1 && t.judge.search.played[0] == t.dice.Low():
		return SmallerNumber, []string{"MOVE-11"}, nil
	case made >= most:
		return OtherMismatch, []string{"OFF-5", "IRREG-1"}, nil // a compulsory bear-off was not made
	}
	var broken []string
	for _, m := range t.way() {
		if m.To == Off {
			broken = append(broken, "OFF-6")
			break
		}
	}
	if _, after := t.own(); after[Bar] > 0 {
		broken = append(broken, "ENTER-5")
	}
	switch {
	case t.dice.Double():
		broken = append(broken, "MOVE-12")
	case most == 2:
		broken = append(broken, "MOVE-9")
	default:
		broken = append(broken, "MOVE-10")
	}
	if made == 0 {
		broken = append(broken, "MOVE-8")
	}
	return TooFew, broken, nil
}

// barFirst finds other checkers moved while one stays on the bar (ENTER-1).
func (t *turn) barFirst() (Code, []string, []uint8) {
	before, after := t.own()
	if before[Bar] == 0 || after[Bar] == 0 {
		return "", nil, nil
	}
	var moved []uint8
	for p := uint8(24); p > 0; p-- {
		if after[p] < before[p] || p < 19 && after[p] > before[p] {
			moved = append(moved, p)
		}
	}
	if moved == nil && after[Off] == before[Off] && !t.reached(overBar, false) {
		return "", nil, nil
	}
	return BarFirst, []string{"ENTER-1"}, moved
}

// hitNotLifted finds an enemy checker left where it was hit, or put on the bar without a hit (HIT-4): one alone
// under an own checker, or a play that is right but for enemy checkers on the bar.
func (t *turn) hitNotLifted() (Code, []string, []uint8) {
	_, own := t.own()
	oppBefore, opp := t.opp()
	var mixed []uint8
	for p := uint8(24); p > 0; p-- {
		if own[p] > 0 && opp[25-p] > 0 {
			if opp[25-p] > 1 {
				return "", nil, nil
			}
			mixed = append(mixed, p)
		}
	}
	if mixed != nil {
		return HitNotLifted, []string{"HIT-4", "HIT-1", "IRREG-11"}, mixed
	}
	if !t.onlyToBar() || !t.reached(strictly, true) {
		return "", nil, nil
	}
	var points []uint8
	for _, m := range t.way() {
		if m.Hit && opp[25-m.To] == oppBefore[25-m.To] {
			points = append(points, m.To)
		}
	}
	if points != nil {
		return HitNotLifted, []string{"HIT-2", "HIT-4"}, points
	}
	return HitNotLifted, []string{"HIT-4"}, nil
}

// onlyToBar reports whether nothing happened to the other side but that checkers went from points to its bar.
func (t *turn) onlyToBar() bool {
	before, after := t.opp()
	for p := 1; p <= 24; p++ {
		if after[p] > before[p] {
			return false
		}
	}
	return after[Off] == before[Off]
}

// wrongBearOff finds a bear-off that is the only thing wrong (OFF-1 to OFF-4).
func (t *turn) wrongBearOff() (Code, []string, []uint8) {
	before, after := t.own()
	if after[Off] <= before[Off] || !t.reached(overBearOff, false) {
		return "", nil, nil
	}
	var points []uint8
	rule := ""
	left := *before
	for i, m := range t.way() {
		if broken := wrongOff(&left, m, t.judge.search.played[i]); broken != "" {
			points = append(points, m.From)
			rule = cmp.Or(rule, broken)
		}
		left[m.From]--
		left[m.To]++
	}
	broken := map[string][]string{"OFF-3": {"OFF-3", "OFF-4"}, "OFF-4": {"OFF-4", "OFF-3"}}[rule]
	if broken == nil {
		broken = []string{rule}
	}
	return WrongBearOff, broken, points
}

// wrongOff returns the rule that a move with a number breaks by bearing off, "" when it does not.
func wrongOff(row *[26]uint8, m Move, number uint8) string {
	switch {
	case m.To != Off:
		return ""
	case outsideHome(row):
		return "OFF-1"
	case number < m.From:
		return "OFF-4"
	}
	for p := m.From + 1; p <= 6 && number > m.From; p++ {
		if row[p] > 0 {
			return "OFF-3"
		}
	}
	return ""
}

func outsideHome(row *[26]uint8) bool {
	for p := 7; p <= Bar; p++ {
		if row[p] > 0 {
			return true
		}
	}
	return false
}

// closedPoint finds a landing on a closed point: at the end, where both colours now stand (MOVE-4), when entering
// (ENTER-3), or between two moves (MOVE-2).
func (t *turn) closedPoint() (Code, []string, []uint8) {
	_, own := t.own()
	oppBefore, opp := t.opp()
	var points []uint8
	rule := "MOVE-2"
	for p := uint8(24); p > 0; p-- {
		if own[p] > 0 && opp[25-p] > 1 {
			points, rule = append(points, p), "MOVE-4"
		}
	}
	if t.onlyToBar() && t.reached(overClosed, true) {
		for _, m := range t.way() {
			if m.To == Off || oppBefore[25-m.To] < 2 {
				continue
			}
			if !slices.Contains(points, m.To) {
				points = append(points, m.To)
			}
			if m.From == Bar {
				rule = "ENTER-3"
			}
		}
	}
	if points == nil {
		return "", nil, nil
	}
	broken := []string{rule}
	if rule != "MOVE-4" {
		broken = append(broken, "MOVE-4")
	}
	if before, _ := t.own(); rule != "ENTER-3" && before[Bar] > 0 {
		broken = append(broken, "ENTER-3")
	}
	return ClosedPoint, broken, points
}

// hitAndRun finds a checker that hit and went on where that is barred (VAR-2).
func (t *turn) hitAndRun() (Code, []string, []uint8) {
	s := &t.judge.search
	if s.hitRun == HitRunAllowed {
		return "", nil, nil
	}
	s.target, s.licence, s.ownRow, s.hitRun = t.after, strictly, false, HitRunAllowed
	if !s.find(t.before, t.dice) {
		return "", nil, nil
	}
	return HitAndRun, []string{"VAR-2", "VAR-4"}, nil
}

// noLegalPlay finds that anything was moved though nothing could be (MOVE-13).
func (t *turn) noLegalPlay() (Code, []string, []uint8) {
	switch {
	case len(t.plays) > 0:
		return "", nil, nil
	case t.before.ClosedOut(t.mover):
		return NoLegalPlay, []string{"ENTER-7", "MOVE-13"}, nil
	case t.before.Checkers[t.mover][Bar] > 0:
		return NoLegalPlay, []string{"ENTER-4", "MOVE-13"}, nil
	}
	return NoLegalPlay, []string{"MOVE-13"}, nil
}

// wrongWay finds own checkers moved backwards, or the other side's moved otherwise than by a hit (MOVE-1).
func (t *turn) wrongWay() (Code, []string, []uint8) {
	var points []uint8
	oppBefore, opp := t.opp()
	before, own := t.own()
	lifted, hits := int(opp[Bar])-int(oppBefore[Bar]), 0
	for p := uint8(24); p > 0; p-- {
		was, is := oppBefore[25-p], opp[25-p]
		if was == 1 && is == 0 {
			hits++
		} else if was != is {
			points = append(points, p)
		}
	}
	if points == nil && lifted != hits {
		points = append(points, Bar)
	}
	behind := 0
	for p := Bar; p >= 0; p-- {
		behind += int(before[p]) - int(own[p])
		if behind < 0 && own[p] > before[p] {
			points = append(points, uint8(p))
		}
	}
	if points == nil {
		return "", nil, nil
	}
	return WrongWay, []string{"MOVE-1"}, points
}

// wrongCount finds pips that fit no part of the roll, or more checkers moved than the roll has numbers (MOVE-1,
// MOVE-6). The pips of checkers borne off cannot be told.
func (t *turn) wrongCount() (Code, []string, []uint8) {
	before, own := t.own()
	numbers := []int{int(t.dice[0]), int(t.dice[1])}
	if t.dice.Double() {
		numbers = append(numbers, numbers...)
	}
	moved, most := 0, 0
	for p := 1; p <= Bar; p++ {
		moved += max(0, int(before[p])-int(own[p]))
	}
	pips := t.before.Pips(t.mover) - t.after.Pips(t.mover)
	fits := own[Off] > before[Off]
	for _, n := range numbers {
		most += n
	}
	for _, total := range []int{numbers[0], numbers[1], numbers[0] + numbers[1], most - numbers[0], most} {
		fits = fits || pips == total
	}
	if fits && moved <= len(numbers) && pips <= most {
		return "", nil, nil
	}
	if t.dice.Double() {
		return WrongCount, []string{"MOVE-6", "MOVE-1"}, nil
	}
	return WrongCount, []string{"MOVE-1"}, nil
}

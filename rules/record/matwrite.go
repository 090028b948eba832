package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"davar/rules"
	"davar/rules/match"
)

// Mat returns the record as Jellyfish text (.mat), UTF-8, as every analyser imports it, and says what of the
// record that format cannot carry. A play that is not legal but stood is written as a position, which GNU
// Backgammon reads without losing step.
func (r *Record) Mat() (text []byte, losses []string) {
	w := &matWriter{record: r, judge: rules.NewJudge(rules.OptionsFor(r.Variant))}
	w.header()
	fmt.Fprintf(&w.out, "\n %d point match\n", r.Length)
	for i := range r.Games {
		w.writeGame(&r.Games[i])
	}
	return []byte(w.out.String()), w.losses
}

// matWriter writes one file.
type matWriter struct {
	record *Record
	judge  *rules.Judge
	out    strings.Builder
	losses []string
	shown  rules.Position // the board as a reader of what is written so far has it
}

func (w *matWriter) lose(format string, args ...any) {
	w.losses = append(w.losses, fmt.Sprintf(format, args...))
}

// header writes the named values, and those that bear on the rules or on names too long for the columns.
func (w *matWriter) header() {
	r := w.record
	fields := append([]Field(nil), r.Header...)
	set := func(key, value string) {
		for i := range fields {
			if fields[i].Key == key {
				fields[i].Value = value
				return
			}
		}
		fields = append(fields, Field{key, value})
	}
	for s, key := range []string{"Player 1", "Player 2"} {
		if name := r.Players[s]; name != cleanName(name) {
			set(key, name)
		}
	}
	switch r.Variant {
	case rules.Standard:
	case rules.Nackgammon:
		set("Variation", "Nackgammon")
	default:
		set("Variation", r.Variant.String())
		w.lose("the variant %v: a reader takes it for backgammon", r.Variant)
	}
	if !r.Crawford && r.Length > 0 {
		set("Crawford", "Off")
	}
	if r.Length == 0 {
		for _, option := range []struct {
			key string
			on  bool
		}{{"Jacoby", r.Jacoby}, {"Beaver", r.Beavers}} {
			if option.on || r.Field(option.key) != "" {
				set(option.key, map[bool]string{true: "On", false: "Off"}[option.on])
			}
		}
	}
	for _, f := range fields {
		fmt.Fprintf(&w.out, "; [%s %q]\n", oneLine(f.Key), oneLine(strings.ReplaceAll(f.Value, `"`, "'")))
	}
	for _, c := range r.Comments {
		fmt.Fprintf(&w.out, "; %s\n", oneLine(c))
	}
}

// oneLine keeps a text from breaking the line or the header it stands in.
func oneLine(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c < ' ' || c == 0x7F:
			return ' '
		case c == '[' || c == ']':
			return '|'
		case c == '\\':
			return '/'
		}
		return c
	}, text)
}

func (w *matWriter) writeGame(g *Game) {
	r := w.record
	fmt.Fprintf(&w.out, "\n Game %d\n", g.Number)
	fmt.Fprintf(&w.out, " %-31s%s : %d\n", fmt.Sprintf("%s : %d", matPlayer(r.Players[0], 1), g.Score[0]),
		matPlayer(r.Players[1], 2), g.Score[1])
	if g.Start != rules.Start(r.Variant) {
		w.lose("game %d: it begins with a position of its own (%s)", g.Number, g.Start.ID(rules.Light))
	}
	if g.Cube > 1 {
		w.lose("game %d: automatic doubles had turned the cube to %d", g.Number, g.Cube)
	}
	w.shown = rules.Start(r.Variant)
	rows := matRows{out: &w.out}
	turns := g.Replay(w.judge)
	for i := range turns {
		a := turns[i].Action
		switch a.Kind {
		case Roll:
			rows.add(a.Side, w.roll(g, turns, i))
			w.shown = turns[i].After
		case Set:
			w.lose("game %d: the board or the cube was set by hand", g.Number)
		case Double:
			rows.add(a.Side, fmt.Sprintf(" Doubles => %d", a.Cube))
		case Beaver:
			rows.add(a.Side, w.beaver(g, i))
		case Take:
			if !g.beavered(i) { // a beaver that is played on is taken
				rows.add(a.Side, " Takes")
			}
		case Drop:
			if !g.beavered(i) {
				rows.add(a.Side, " Drops")
			}
		}
	}
	if g.Result == nil {
		rows.flush()
		w.lose("game %d: no result is recorded", g.Number)
		return
	}
	if g.Result.OnTime {
		w.lose("game %d: it was lost on time; it is written as resigned", g.Number)
	}
	result := g.Result.asResignation(g.cubeAt(len(g.Actions)))
	wins := matWins(&result)
	if n := len(g.Actions); n > 0 && g.Actions[n-1].Kind == Drop && !g.beavered(n-1) && g.Result.Winner == rules.Dark {
		// GNU Backgammon takes a result on a line of its own after a drop in the left column for another game's.
		rows.add(rules.Dark, " "+wins)
		rows.flush()
		return
	}
	rows.flush()
	indent := 6
	if g.Result.Winner == rules.Dark {
		indent = 34
	}
	fmt.Fprintf(&w.out, "%s%s\n", strings.Repeat(" ", indent), wins)
}

// beaver returns the cell of a beaver. One that is dropped cannot be said: a take and a resignation come to the same.
func (w *matWriter) beaver(g *Game, i int) string {
	if i+1 < len(g.Actions) && g.Actions[i+1].Kind == Drop {
		w.lose("game %d: a beaver that was dropped; it is written as a take and a resignation", g.Number)
		return " Takes"
	}
	return fmt.Sprintf(" Beavers => %d", g.Actions[i].Cube)
}

// beavered reports whether action i answers a beaver.
func (g *Game) beavered(i int) bool { return i > 0 && g.Actions[i-1].Kind == Beaver }

// matPlayer returns a player's name for the columns.
func matPlayer(name string, number int) string {
	if clean := cleanName(name); clean != "" {
		return clean
	}
	return fmt.Sprintf("Player %d", number)
}

func matWins(res *Result) string {
	unit, end := "points", ""
	if res.Points == 1 {
		unit = "point"
	}
	if res.Match {
		end = " and the match"
	}
	return fmt.Sprintf("Wins %d %s%s", res.Points, unit, end)
}

// roll returns the cell of turns[i]: the dice and each single move, nothing when there is none.
func (w *matWriter) roll(g *Game, turns []Turn, i int) string {
	t := &turns[i]
	a := t.Action
	dice := fmt.Sprintf("%d%d: ", a.Dice[0], a.Dice[1])
	instep := t.Before == w.shown
	switch {
	case a.Unseen && a.Position == nil, !a.Dice.Valid():
		return dice + "????"
	case a.Unseen:
		w.lose("game %d: what was played with %s was not seen; it is written as the position after it", g.Number, a.Dice)
		return dice + w.position(g, turns, i)
	case t.Judged && t.Verdict.Legal && instep:
		return dice + matMoves(t.Verdict.Play.Moves[:t.Verdict.Play.N])
	case t.Judged && t.Verdict.Legal:
		return dice + w.position(g, turns, i)
	}
	moves, plain := plainMoves(t)
	if plain && instep {
		w.lose("game %d: the play %s with %s is not legal (%s); the file does not say so", g.Number, a.Notation(), a.Dice, t.Verdict.Code)
		return dice + matMoves(moves)
	}
	if t.After.Check(missing(&t.Before)) != nil {
		w.lose("game %d: the position after %s with %s is impossible: a reader will take another", g.Number, a.Notation(), a.Dice)
	}
	w.lose("game %d: the play %s with %s is not legal (%s); it is written as the position after it", g.Number, a.Notation(), a.Dice, t.Verdict.Code)
	return dice + w.position(g, turns, i)
}

// position returns the part of a cell that says where turns[i] led instead of how.
func (w *matWriter) position(g *Game, turns []Turn, i int) string {
	t := &turns[i]
	after := Moment{
		Position: t.After, Turn: t.Action.Side.Other(), Length: w.record.Length, Score: g.Score, Crawford: g.Crawford,
		Jacoby: w.record.Jacoby, Cube: match.Cube{Value: g.cubeAt(i)}, Dice: nextDice(turns[i+1:]),
	}
	return "Illegal play (" + after.Snowie(w.record.Players) + ")"
}

// plainMoves returns the moves of a play that breaks no rule but that of playing all that can be played: every
// reader makes those as written.
func plainMoves(t *Turn) (moves []rules.Move, ok bool) {
	if c := t.Verdict.Code; c != rules.TooFew && c != rules.SmallerNumber || t.Action.Position != nil {
		return nil, false
	}
	pos := t.Before
	for _, s := range t.Action.Steps {
		for range s.Count {
			if len(s.Path) != 2 {
				return nil, false
			}
			from, to := s.Path[0], s.Path[1]
			hit := to != rules.Off && pos.Checkers[t.Action.Side.Other()][rules.Bar-to] == 1
			moves = append(moves, rules.Move{From: from, To: to, Hit: hit})
			pos, _ = rules.Apply(&pos, t.Action.Side, []rules.Step{{Path: s.Path, Hit: s.Hit, Count: 1}})
		}
	}
	// GNU Backgammon takes a roll without a move, where one could be made, for the end of the game.
	return moves, pos == t.After && len(moves) > 0
}

// matMoves writes moves as from/to with a star for a hit, from the rear to the front; the bar is 25, off is 0.
func matMoves(moves []rules.Move) string {
	sorted := slices.Clone(moves)
	slices.SortStableFunc(sorted, func(a, b rules.Move) int {
		return cmp.Or(int(b.From)-int(a.From), int(b.To)-int(a.To))
	})
	var b strings.Builder
	for _, m := range sorted {
		fmt.Fprintf(&b, "%d/%d", m.From, m.To)
		if m.Hit {
			b.WriteByte('*')
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// nextDice returns the dice of the next roll, zero when there is none.
func nextDice(turns []Turn) rules.Dice {
	for i := range turns {
		if turns[i].Action.Kind == Roll {
			return turns[i].Action.Dice
		}
	}
	return rules.Dice{}
}

// matRows lays cells out in numbered rows of two columns.
type matRows struct {
	out    *strings.Builder
	number int
	cells  [2]string
	filled [2]bool
}

// add puts a cell into side's column, in a new row when that column or the one after it is taken.
func (m *matRows) add(side rules.Side, cell string) {
	if m.filled[side] || side == rules.Light && m.filled[rules.Dark] {
		m.flush()
	}
	m.cells[side], m.filled[side] = cell, true
}

// flush writes the row that is being filled.
func (m *matRows) flush() {
	if !m.filled[0] && !m.filled[1] {
		return
	}
	m.number++
	left := m.cells[0]
	if pad := 27 - utf8.RuneCountInString(left); pad > 0 {
		left += strings.Repeat(" ", pad)
	}
	// The padding stays when the right cell is empty: GNU Backgammon reads beyond the end of a short line.
	fmt.Fprintf(m.out, "%3d) %s %s\n", m.number, left, m.cells[1])
	m.cells, m.filled = [2]string{}, [2]bool{}
}

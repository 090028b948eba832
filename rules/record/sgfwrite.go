package record

import (
	"fmt"
	"strings"

	"davar/rules"
)

// SGF returns the record as GNU Backgammon's SGF, UTF-8, and says what of the record that format cannot carry.
// A play that is not legal but stood is written as the roll and the position after it.
func (r *Record) SGF() (text []byte, losses []string) {
	w := &sgfWriter{record: r, judge: rules.NewJudge(rules.OptionsFor(r.Variant))}
	for _, f := range r.Header {
		if !sgfCarries(f.Key) {
			w.lose("the header's %s", f.Key)
		}
	}
	if r.Variant != rules.Standard && r.Variant != rules.Nackgammon {
		w.lose("the variant %v: a reader takes it for backgammon", r.Variant)
	}
	for i := range r.Games {
		w.writeGame(&r.Games[i])
	}
	return []byte(w.out.String()), w.losses
}

// sgfCarries reports whether a named value of the header has a place in SGF, itself or as a rule or a name.
func sgfCarries(key string) bool {
	for _, h := range sgfHeader {
		if h.key == key {
			return true
		}
	}
	switch key {
	case "Player 1", "Player 2", "Variation", "Crawford", "Jacoby":
		return true
	}
	return false
}

type sgfWriter struct {
	record *Record
	judge  *rules.Judge
	out    strings.Builder
	losses []string
}

func (w *sgfWriter) lose(format string, args ...any) {
	w.losses = append(w.losses, fmt.Sprintf(format, args...))
}

func (w *sgfWriter) writeGame(g *Game) {
	w.root(g)
	if g.Start != rules.Start(w.record.Variant) {
		w.out.WriteString("\n;")
		w.setUp(&g.Start)
	}
	turns := g.Replay(w.judge)
	for i := range turns {
		t := &turns[i]
		name := sgfName(t.Action.Side)
		switch t.Action.Kind {
		case Roll:
			w.roll(g, t)
		case Set:
			w.set(t)
		case Double, Beaver:
			fmt.Fprintf(&w.out, "\n;%s[double]", name)
		case Take:
			fmt.Fprintf(&w.out, "\n;%s[take]", name)
		case Drop:
			fmt.Fprintf(&w.out, "\n;%s[drop]", name)
		}
	}
	w.out.WriteString(")\n")
}

func sgfName(s rules.Side) string {
	if s == rules.Light {
		return "W"
	}
	return "B"
}

// root writes the first node of a game.
func (w *sgfWriter) root(g *Game) {
	r := w.record
	fmt.Fprintf(&w.out, "(;FF[4]GM[6]CA[UTF-8]AP[Davar]MI[length:%d][game:%d][ws:%d][bs:%d]PW[%s]PB[%s]", r.Length,
		g.Number-1, g.Score[rules.Light], g.Score[rules.Dark], escapeSGF(oneLine(r.Players[rules.Light])), escapeSGF(oneLine(r.Players[rules.Dark])))
	if g.Cube > 1 {
		fmt.Fprintf(&w.out, "CV[%d]", g.Cube)
	}
	if g == &r.Games[0] {
		w.matchInfo()
	}
	var used []string
	switch {
	case g.Crawford:
		used = append(used, "Crawford", "CrawfordGame")
	case r.Crawford && r.Length > 0:
		used = append(used, "Crawford")
	}
	if r.Jacoby {
		used = append(used, "Jacoby")
	}
	if r.Variant == rules.Nackgammon {
		used = append(used, "Nackgammon")
	}
	if used != nil {
		fmt.Fprintf(&w.out, "RU[%s]", strings.Join(used, ":"))
	}
	if g.Result == nil {
		w.lose("game %d: no result is recorded", g.Number)
		return
	}
	if g.Result.OnTime {
		w.lose("game %d: it was lost on time; it is written as resigned", g.Number)
	}
	result := g.Result.asResignation(g.cubeAt(len(g.Actions)))
	resigned := ""
	if result.Resigned {
		resigned = "R"
	}
	fmt.Fprintf(&w.out, "RE[%s+%d%s]", sgfName(result.Winner), result.Points, resigned)
}

// matchInfo writes what is said once a match.
func (w *sgfWriter) matchInfo() {
	for _, h := range sgfHeader {
		if value := w.record.Field(h.key); value != "" {
			if h.property == "DT" {
				value = strings.ReplaceAll(value, ".", "-")
			}
			fmt.Fprintf(&w.out, "%s[%s]", h.property, escapeSGF(oneLine(value)))
		}
	}
	if len(w.record.Comments) > 0 {
		fmt.Fprintf(&w.out, "GC[%s]", escapeSGF(strings.Join(w.record.Comments, "\n")))
	}
}

// roll writes the dice and the moves.
func (w *sgfWriter) roll(g *Game, t *Turn) {
	a := t.Action
	name := sgfName(a.Side)
	switch {
	case !a.Dice.Valid():
		w.lose("game %d: a roll that cannot be read", g.Number)
	case a.Unseen:
		fmt.Fprintf(&w.out, "\n;PL[%s]DI[%d%d]", name, a.Dice[0], a.Dice[1])
		if a.Position != nil {
			w.lose("game %d: what was played with %s was not seen; it is written as the position after it", g.Number, a.Dice)
			fmt.Fprintf(&w.out, "\n;PL[%s]", sgfName(a.Side.Other()))
			w.setUp(&t.After)
		}
	case t.Judged && t.Verdict.Legal:
		fmt.Fprintf(&w.out, "\n;%s[%d%d", name, a.Dice[0], a.Dice[1])
		for _, m := range t.Verdict.Play.Moves[:t.Verdict.Play.N] {
			w.out.WriteByte(sgfLetter(m.From, a.Side))
			w.out.WriteByte(sgfLetter(m.To, a.Side))
		}
		w.out.WriteByte(']')
	default:
		w.lose("game %d: the play %s with %s is not legal (%s); it is written as the position after it", g.Number, a.Notation(), a.Dice, t.Verdict.Code)
		fmt.Fprintf(&w.out, "\n;PL[%s]DI[%d%d]\n;PL[%s]", name, a.Dice[0], a.Dice[1], sgfName(a.Side.Other()))
		w.setUp(&t.After)
	}
}

// set writes what was set by hand: the board, the cube's value.
func (w *sgfWriter) set(t *Turn) {
	if t.Action.Position != nil {
		fmt.Fprintf(&w.out, "\n;PL[%s]", sgfName(t.Action.Side))
		w.setUp(&t.After)
	}
	if t.Action.Cube > 0 {
		owner := "c"
		if o := t.Action.Owner; o != nil {
			owner = strings.ToLower(sgfName(*o))
		}
		fmt.Fprintf(&w.out, "\n;CV[%d]\n;CP[%s]", t.Action.Cube, owner)
	}
}

// setUp writes a position, one letter for each checker in play.
func (w *sgfWriter) setUp(pos *rules.Position) {
	w.out.WriteString("AE[a:y]")
	for side := rules.Light; side <= rules.Dark; side++ {
		if pos.InPlay(side) > 0 {
			w.out.WriteString("A" + sgfName(side))
		}
		for p := uint8(1); p <= rules.Bar; p++ {
			for range pos.Checkers[side][p] {
				fmt.Fprintf(&w.out, "[%c]", sgfLetter(p, side))
			}
		}
	}
}

// sgfLetter is the inverse of sgfPoint.
func sgfLetter(point uint8, side rules.Side) byte {
	switch {
	case point == rules.Bar:
		return 'y'
	case point == rules.Off:
		return 'z'
	case side == rules.Light:
		return 'a' + point - 1
	}
	return 'a' + 24 - point
}

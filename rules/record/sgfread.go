package record

import (
	"strconv"
	"strings"

	"davar/rules"
)

// sgfHeader says which of a record's named values an SGF property holds.
var sgfHeader = []struct{ property, key string }{
	{"EV", "Event"}, {"RO", "Round"}, {"PC", "Site"}, {"DT", "EventDate"}, {"US", "Transcriber"},
}

// ReadSGF reads a match in SGF (GM[6]) as GNU Backgammon writes it, one tree a game. White is light. Of every game
// the main line is read; variations and analysis are passed over.
func ReadSGF(data []byte) (*Record, error) {
	text, encoding := decodeText(data)
	trees, err := readSGFTrees(text)
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if encoding != "UTF-8" {
		r.note(0, "encoding %s", encoding)
	}
	for _, nodes := range trees {
		r.readSGFGame(nodes)
	}
	if len(r.Games) == 0 {
		return nil, ErrNoMatch
	}
	r.fillCubes()
	return r, nil
}

// readSGFGame reads one tree.
func (r *Record) readSGFGame(nodes []sgfNode) {
	if len(nodes) == 0 {
		return
	}
	root := &nodes[0]
	if kind, ok := root.value("GM"); ok && kind != "6" {
		r.note(root.line, "not a game of backgammon (GM[%s])", kind)
		return
	}
	if len(r.Games) == 0 {
		r.readSGFRoot(root)
	}
	g := Game{Number: len(r.Games) + 1, Line: root.line, Start: rules.Start(r.Variant)}
	var winner string
	g.Crawford = strings.Contains(":"+r.readSGFMatch(root, &g)+":", ":CrawfordGame:")
	if result, ok := root.value("RE"); ok {
		winner = result
	}
	s := sgfGame{record: r, game: &g, board: g.Start}
	for i := range nodes {
		s.readNode(&nodes[i])
	}
	s.closeRoll()
	g.Result = r.sgfResult(winner, &g, root.line)
	r.Games = append(r.Games, g)
}

// readSGFRoot reads what is the same for all games of a match.
func (r *Record) readSGFRoot(root *sgfNode) {
	r.Players[rules.Light], _ = root.value("PW")
	r.Players[rules.Dark], _ = root.value("PB")
	rulesUsed, _ := root.value("RU")
	for _, word := range strings.Split(rulesUsed, ":") {
		switch word {
		case "Crawford", "CrawfordGame":
			r.Crawford = true
		case "Jacoby":
			r.Jacoby = true
		case "Nackgammon":
			r.Variant = rules.Nackgammon
		case "", "NoCube":
		default:
			r.note(root.line, "rule %q is not known", word)
		}
	}
	for _, h := range sgfHeader {
		if value, ok := root.value(h.property); ok {
			if h.property == "DT" {
				value = strings.ReplaceAll(value, "-", ".")
			}
			r.Header = append(r.Header, Field{h.key, value})
		}
	}
	if comment, ok := root.value("GC"); ok {
		r.Comments = append(r.Comments, strings.Split(comment, "\n")...)
	}
}

// readSGFMatch reads length, score and number of the game and returns the rules used.
func (r *Record) readSGFMatch(root *sgfNode, g *Game) (rulesUsed string) {
	for _, info := range root.all("MI") {
		key, value, _ := strings.Cut(info, ":")
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 1<<15-1 {
			r.note(root.line, "MI[%s] is not understood", info)
			continue
		}
		switch key {
		case "length":
			r.Length = n
		case "game":
			g.Number = n + 1
		case "ws":
			g.Score[rules.Light] = n
		case "bs":
			g.Score[rules.Dark] = n
		}
	}
	rulesUsed, _ = root.value("RU")
	return rulesUsed
}

// sgfResult reads RE, such as W+2 or B+4R.
func (r *Record) sgfResult(text string, g *Game, line int) *Result {
	if text == "" {
		return nil
	}
	body, resigned := strings.CutSuffix(text, "R")
	side, points, ok := strings.Cut(body, "+")
	n, err := strconv.Atoi(points)
	if !ok || err != nil || n < 0 || n > 1<<15-1 || side != "W" && side != "B" {
		r.note(line, "RE[%s] is not understood", text)
		return nil
	}
	res := &Result{Winner: rules.Light, Points: n, Resigned: resigned}
	if side == "B" {
		res.Winner = rules.Dark
	}
	res.Match = r.Length > 0 && g.Score[res.Winner]+n >= r.Length
	return res
}

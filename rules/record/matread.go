package record

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// matRow begins a numbered row; some writers put a star into the number.
var matRow = regexp.MustCompile(`^\s*[0-9*]{1,4}\)`)

// matToken finds what a player did in a row, or how the game ended.
var matToken = regexp.MustCompile(`(?i)(?P<dice>\b[0-9][0-9]):|` +
	`illegal play\s*\((?P<illegal>[^)]*)\)|` +
	`(?P<double>doubles?\s*(?:=>\s*(?P<to>\d+))?)|(?P<beaver>(?:beavers?|raccoons?)\s*(?:=>\s*(?P<back>\d+))?)|` +
	`\b(?P<take>takes?)\b|\b(?P<drop>drops?|passes)\b|` +
	`\bwins\s+(?P<wins>\d+)\s+points?(?P<match>\s+and\s+the\s+match)?|\b(?P<loss>losses)\s+(?P<points>\d+)\s+points?|` +
	`\b(?P<resign>concedes?|resigns?)\b|(?P<unseen>\?{2,})|(?P<dance>cannot\s+move)`)

var (
	matLength = regexp.MustCompile(`(?i)^\s*(\d+)\s+points?\s+match\s*$`)
	matGame   = regexp.MustCompile(`(?i)^\s*game\s+(\d+)\s*$`)
	matField  = regexp.MustCompile(`^\s*;\s*\[\s*([^"\]]*?)\s*(?:"([^"]*)"?)?\s*\]?\s*$`)
	matName   = regexp.MustCompile(`^\s*(.*?)\s*:\s*(\d+)(.*?)\s*:\s*(\d+)\s*$`)
)

// matReader reads one file.
type matReader struct {
	record  *Record
	game    *Game     // in progress, nil before the first
	named   bool      // the players' line of the game has been read
	names   [2]string // in the last players' line
	rightAt int       // column at which the right player's name begins
	line    int
}

// ErrNoMatch says that a text holds no match.
var ErrNoMatch = errors.New("record: no match found: the file has neither a length line nor a game")

// ReadMat reads a match in Jellyfish text (.mat), in every spelling known to us: the notes of the result say what
// was odd, with its line. It returns ErrNoMatch when the text is no such match; whatever else is wrong is read
// as far as possible.
func ReadMat(data []byte) (*Record, error) {
	text, encoding := decodeText(data)
	r := &matReader{record: &Record{Crawford: true}}
	if encoding != "UTF-8" {
		r.record.note(0, "encoding %s", encoding)
	}
	lengthSeen := false
	for i, line := range strings.Split(text, "\n") {
		r.line = i + 1
		if m := matLength.FindStringSubmatch(line); m != nil && !lengthSeen {
			n, err := strconv.Atoi(m[1])
			if err != nil || n > 1<<15-1 {
				r.record.note(r.line, "match length %s is out of range: read as money play", m[1])
				n = 0
			}
			r.record.Length, lengthSeen = n, true
			continue
		}
		r.readLine(line)
	}
	if !lengthSeen && len(r.record.Games) == 0 {
		return nil, ErrNoMatch
	}
	if !lengthSeen {
		r.record.note(0, "the match length is not said: read as money play")
	}
	r.record.applyHeader()
	r.record.takeBeavers()
	r.record.fillCubes()
	r.finish()
	return r.record, nil
}

// readLine reads any line but that of the length.
func (r *matReader) readLine(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
	case strings.HasPrefix(trimmed, ";"), strings.HasPrefix(trimmed, "#"):
		r.readComment(trimmed)
	case matGame.MatchString(line):
		r.beginGame(matGame.FindStringSubmatch(line)[1])
	case r.game == nil:
		r.record.note(r.line, "before the first game: %q", trimmed)
	case !r.named && r.readPlayers(line):
	default:
		r.readRow(line)
	}
}

func (r *matReader) readComment(line string) {
	if m := matField.FindStringSubmatch(line); m != nil {
		key, value := m[1], m[2]
		if !strings.Contains(line, `"`) {
			key, value, _ = strings.Cut(key, " ")
		}
		r.record.Header = append(r.record.Header, Field{key, value})
		return
	}
	if text := strings.TrimSpace(strings.TrimLeft(line, ";#")); text != "" {
		r.record.Comments = append(r.record.Comments, text)
	}
}

func (r *matReader) beginGame(number string) {
	n, err := strconv.Atoi(number)
	if err != nil {
		r.record.note(r.line, "game number %s is out of range", number)
	}
	if k := len(r.record.Games); k > 0 && n != r.record.Games[k-1].Number+1 {
		r.record.note(r.line, "game %d follows game %d", n, r.record.Games[k-1].Number)
	}
	r.record.Games = append(r.record.Games, Game{Number: n, Line: r.line})
	r.game = &r.record.Games[len(r.record.Games)-1]
	r.named, r.rightAt = false, 32
}

// readPlayers reads "name : score   name : score".
func (r *matReader) readPlayers(line string) bool {
	m := matName.FindStringSubmatchIndex(line)
	if m == nil || matRow.MatchString(line) {
		return false
	}
	part := func(i int) string { return line[m[2*i]:m[2*i+1]] }
	right := part(3)
	r.rightAt = len([]rune(line[:m[6]])) + len(right) - len(strings.TrimLeft(right, " \t"))
	names := [2]string{withoutRating(part(1)), withoutRating(strings.TrimSpace(right))}
	if r.names == [2]string{} {
		r.record.Players = names
	} else if r.names != names {
		r.record.note(r.line, "the players' names change to %q and %q", names[0], names[1])
	}
	r.names = names
	for i, text := range []string{part(2), part(4)} {
		score, err := strconv.Atoi(text)
		if err != nil || score > 1<<15-1 {
			r.record.note(r.line, "score %s is out of range", text)
			score = 0
		}
		r.game.Score[i] = score
	}
	r.named = true
	return true
}

// withoutRating cuts the rating that GamesGrid writes behind a name.
func withoutRating(name string) string {
	if before, rating, ok := strings.Cut(name, ","); ok {
		if _, err := strconv.Atoi(strings.TrimSpace(rating)); err == nil {
			return before
		}
	}
	return name
}

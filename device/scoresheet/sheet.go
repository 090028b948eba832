package scoresheet

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"

	"davar/device/analysis"
	"davar/device/phrasebook"
	"davar/rules"
	"davar/rules/statistics"
	"davar/rules/transcript"
)

//go:embed sheet.html sheet.css
var files embed.FS

var templates = template.Must(template.ParseFS(files, "sheet.html"))

// Style is the style sheet of a sheet's parts, for a page that shows them.
func Style() []byte {
	css, err := files.ReadFile("sheet.css")
	if err != nil {
		panic("scoresheet: the style sheet is missing from the program") // it is compiled in
	}
	return css
}

// Options say what of a match is written.
type Options struct {
	Lang string // one of the phrasebook's
	// Private shows what only a director may know: illegal plays of which the players were not told, and rulings meant
	// for him (PUB-2, MON-4).
	Private bool
	// Pictures are the addresses of evidence pictures by the number of the event they belong to.
	Pictures map[int64][]string
	// Analysis is what GNU Backgammon makes of the match; nil: nothing yet. It is for matches that are over (EQUIP-9).
	Analysis *analysis.Analysis
}

// Sheet is one match laid out for reading in one language.
type Sheet struct {
	Lang, Dir, Title string
	Facts            []Fact
	Columns          [2]string // the players' names as the columns' heads
	Games            []Game
	Plots            []Plot
	Statistics       *Statistics
	Decisions        []Remark

	book    *phrasebook.Book
	t       *transcript.Transcript
	options Options
}

// Fact is a line of the sheet's head.
type Fact struct {
	Name, Value string
	Foreign     bool // Value has a direction of its own
}

// Game is one game laid out.
type Game struct {
	Number                                                                  int
	Title, Before, Doubled, Kind, Cube, Points, After, Clocks, Result, Note string
	Crawford                                                                bool
	Rows                                                                    []Row
	Rulings                                                                 []Remark
}

// Row is one row of a game's two columns.
type Row struct {
	Number string
	Cells  [2]*Cell // by side; nil: nothing there
}

// Cell is what a player did.
type Cell struct {
	Seq                    int64
	Side                   string
	Dice                   string
	Text                   string
	Notation               bool // Text is a play as players write it, to be read from left to right
	Notes                  []string
	Position, PositionFrom string // GNU position IDs after and before it, Side on roll
	Used                   string
	Numbers                []int // the dice
}

// Remark is a ruling or decision.
type Remark struct {
	Time, Text, Rule string
	Withdrawn        bool
	Pictures         []string
}

// Of lays out a transcript in the words of book.
func Of(t *transcript.Transcript, book *phrasebook.Book, o Options) *Sheet {
	s := &Sheet{Lang: o.Lang, Dir: book.Direction(o.Lang), book: book, t: t, options: o}
	s.Columns = [2]string{s.name(rules.Light), s.name(rules.Dark)}
	s.Title = s.text("title", "light", s.Columns[0], "dark", s.Columns[1])
	s.facts()
	for i := range t.Games {
		s.Games = append(s.Games, s.game(&t.Games[i]))
	}
	s.Plots = s.plots()
	s.Statistics = s.count(statistics.Of(t))
	for i := range t.Decisions {
		d := &t.Decisions[i]
		if text := book.Tell(o.Lang, *d, t.Players); text != "" && o.Private {
			s.Decisions = append(s.Decisions, Remark{Time: s.duration(d.TMS), Text: text})
		}
	}
	return s
}

// HTML writes the sheet as one file that needs nothing else; its style is in it.
func (s *Sheet) HTML() ([]byte, error) {
	return s.execute("file", struct {
		*Sheet
		CSS template.CSS
	}{s, template.CSS(Style())}) //nolint:gosec // our own file
}

// Parts writes the sheet's parts without the frame of a page.
func (s *Sheet) Parts() (template.HTML, error) {
	html, err := s.execute("parts", s)
	return template.HTML(html), err //nolint:gosec // made by html/template
}

func (s *Sheet) execute(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("scoresheet: write %s: %w", s.Title, err)
	}
	return b.Bytes(), nil
}

// T returns a text of the sheet.
func (s *Sheet) T(key string) string { return s.book.Text(s.Lang, "sheet."+key, nil) }

// Crawford is what marks the Crawford game.
func (s *Sheet) Crawford() string { return s.book.Text(s.Lang, "page.crawford", nil) }

// text fills a text of the sheet with pairs of name and value.
func (s *Sheet) text(key string, pairs ...string) string {
	params := make(map[string]string, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		params[pairs[i]] = pairs[i+1]
	}
	return s.book.Text(s.Lang, "sheet."+key, params)
}

// number writes a figure in the digits of the language.
func (s *Sheet) number(v any) string { return s.text("number", "n", fmt.Sprint(v)) }

// name returns a player's name; one without is called after his checkers.
func (s *Sheet) name(side rules.Side) string {
	if name := s.t.Players[side]; name != "" {
		return name
	}
	return s.book.Text(s.Lang, "side."+side.String(), nil)
}

// duration writes milliseconds as minutes and seconds, with hours when there are any.
func (s *Sheet) duration(ms int64) string {
	seconds := (ms + 500) / 1000
	text := fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
	if seconds >= 3600 {
		text = fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return s.number(text)
}

// score writes light's points first.
func (s *Sheet) score(score [2]int) string { return s.number(score[0]) + "–" + s.number(score[1]) }

func (s *Sheet) facts() {
	t := s.t
	length := s.book.Text(s.Lang, "page.money", nil)
	if t.Length > 0 {
		length = s.book.Text(s.Lang, "page.match_to", map[string]string{"n": fmt.Sprint(t.Length)})
	}
	result := s.T("unfinished")
	if t.Finished {
		result = s.text("won", "player", s.name(t.Winner)) + " · " + s.score(t.Score)
	} else if len(t.Games) > 0 {
		result += " · " + s.score(t.Score)
	}
	date := ""
	if len(t.Started) >= len("2006-01-02T15:04") {
		date = s.book.Day(s.Lang, t.Started) + " " + s.number(t.Started[11:16])
	}
	for _, f := range []Fact{
		{s.T("event"), t.Event, true}, {s.T("date"), date, false}, {s.T("length"), length, false}, {s.T("result"), result, false},
		{s.T("match"), t.ID, true},
	} {
		if f.Value != "" {
			s.Facts = append(s.Facts, f)
		}
	}
}

// game lays out one game.
func (s *Sheet) game(g *transcript.Game) Game {
	out := Game{
		Number: g.Number, Title: s.text("game_number", "n", fmt.Sprint(g.Number)), Before: s.score(g.Score), Crawford: g.Crawford,
		Doubled: s.doubled(g), Rows: s.rows(g), Rulings: s.rulings(g.Number), Result: s.T("game_open"),
	}
	if res := g.Result; res != nil {
		out.Kind = s.book.Result(s.Lang, res.How)
		out.After, out.Cube, out.Points = s.score(res.Score), s.number(max(res.Cube, 1)), s.number(res.Points)
		key := "game_result"
		if res.Points == 0 {
			key, out.Points = "game_result_match", ""
		}
		out.Result = s.text(key, "player", s.name(res.Winner), "points", fmt.Sprint(res.Points), "how", out.Kind)
	}
	if g.Clock != nil {
		out.Clocks = s.duration(g.Clock.RemainingMS[0]) + " – " + s.duration(g.Clock.RemainingMS[1])
	}
	return out
}

// doubled says who doubled and to what (SCORE-8).
func (s *Sheet) doubled(g *transcript.Game) string {
	var all []string
	if g.Cube > 1 {
		all = append(all, s.text("automatic", "value", fmt.Sprint(g.Cube)))
	}
	for i := range g.Turns {
		if t := &g.Turns[i]; t.Kind == transcript.Double {
			all = append(all, s.text("doubled_to", "player", s.name(t.Side), "value", fmt.Sprint(t.Cube)))
		}
	}
	if all == nil {
		return s.T("not_doubled")
	}
	return strings.Join(all, ", ")
}

// rows lays the turns out in two columns, light's first.
func (s *Sheet) rows(g *transcript.Game) []Row {
	var rows []Row
	for i := range g.Turns {
		t := &g.Turns[i]
		n := len(rows)
		if n == 0 || rows[n-1].Cells[t.Side] != nil || t.Side == rules.Light && rows[n-1].Cells[rules.Dark] != nil {
			rows = append(rows, Row{Number: s.number(n + 1)})
			n++
		}
		rows[n-1].Cells[t.Side] = s.cell(t)
	}
	return rows
}

func (s *Sheet) cell(t *transcript.Turn) *Cell {
	c := &Cell{Seq: t.Seq, Side: t.Side.String(), Position: t.After.ID(t.Side), PositionFrom: t.Before.ID(t.Side)}
	defer s.mark(c, t)
	switch t.Kind {
	case transcript.Double:
		c.Text = s.text("double", "value", fmt.Sprint(t.Cube))
	case transcript.Take, transcript.Drop, transcript.Pass:
		c.Text = s.T(t.Kind.String())
	case transcript.Set:
		c.Text = s.T("set")
		if t.Cube > 0 {
			c.Text = s.text("cube_set", "value", fmt.Sprint(t.Cube))
		}
	default:
		s.roll(c, t)
	}
	return c
}

// roll lays out a roll and its play.
func (s *Sheet) roll(c *Cell, t *transcript.Turn) {
	c.Dice, c.Numbers = fmt.Sprintf("%d%d", t.Dice[0], t.Dice[1]), []int{int(t.Dice[0]), int(t.Dice[1])}
	if t.Used > 0 {
		c.Used = s.duration(t.Used)
	}
	switch {
	case t.Unseen:
		c.Text = s.T("unseen")
	case t.Notation != "":
		c.Text, c.Notation = t.Notation, true
	case t.Before == t.After:
		c.Text = s.T("dance")
	case s.options.Private:
		c.Text = s.T("illegal")
	default:
		c.Text = s.book.Text(s.Lang, "page.played", nil) // not how: that it was illegal is not for everybody
	}
	if t.Illegal && s.options.Private {
		c.Notes = append(c.Notes, s.T("stood"))
	}
	if t.Corrected && s.options.Private {
		c.Notes = append(c.Notes, s.T("corrected"))
	}
}

// noticeable is from which error on a decision is marked.
const noticeable = 0.02

// mark notes what the turn's decisions gave away.
func (s *Sheet) mark(c *Cell, t *transcript.Turn) {
	a := s.options.Analysis
	if a == nil {
		return
	}
	if cube, ok := a.Cube(t.Seq); ok && cube.Error >= noticeable && cube.Counts() {
		c.Notes = append(c.Notes, s.T("cube_"+string(cube.Action))+" "+s.lost(cube.Error))
	}
	if p, ok := a.Play(t.Seq); ok && p.Error >= noticeable {
		c.Notes = append(c.Notes, s.lost(p.Error))
	}
}

// lost writes an error.
func (s *Sheet) lost(e float64) string { return s.figure("%.3f", -e) }

// rulings lists what was announced in a game, to the reader or to the players.
func (s *Sheet) rulings(game int) []Remark {
	var all []Remark
	for i := range s.t.Rulings {
		r := &s.t.Rulings[i]
		if r.Game != game || r.Body.Audience != "table" && !s.options.Private {
			continue
		}
		remark := Remark{
			Time: s.duration(r.TMS), Text: s.announcement(r), Withdrawn: r.Withdrawn, Pictures: s.options.Pictures[r.Seq],
		}
		if len(r.Body.Rules) > 0 {
			remark.Rule = r.Body.Code + " · " + r.Body.Rules[0]
		}
		all = append(all, remark)
	}
	return all
}

// announcement says a ruling with the players' names.
func (s *Sheet) announcement(r *transcript.Ruling) string {
	params := map[string]string{}
	for key, value := range r.Body.Params {
		var side rules.Side
		if (key == "player" || key == "other") && side.UnmarshalText([]byte(value)) == nil {
			value = s.name(side)
		}
		params[key] = value
	}
	return s.book.Announce(s.Lang, r.Body.Code, params)
}

package scoresheet

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"davar/device/analysis"
	"davar/device/phrasebook"
	"davar/rules"
	"davar/rules/referee"
	"davar/rules/transcript"
)

// sample is a match of two games with everything a sheet shows.
func sample(t testing.TB) *transcript.Transcript {
	t.Helper()
	light, dark, illegal := rules.Light, rules.Dark, false
	pos := rules.Start(rules.Standard)
	var events []referee.Event
	game := 1
	say := func(e referee.Event) {
		e.Seq, e.Match, e.Game, e.TMS = int64(len(events)+1), "m", game, int64(len(events))*7300
		e.At = "2026-03-21T18:00:00.000Z"
		events = append(events, e)
	}
	roll := func(side rules.Side, a, b int, notation string) {
		steps, err := rules.ParseNotation(notation)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = rules.Apply(&pos, side, steps); err != nil {
			t.Fatal(err)
		}
		legal := true
		say(referee.Event{Type: referee.Roll, Side: &side, Dice: []int{a, b}})
		say(referee.Event{Type: referee.PlayMade, Side: &side, Dice: []int{a, b}, Notation: notation, Position: pos.ID(side), Legal: &legal})
	}
	say(referee.Event{Type: referee.GameStarted, Side: &light, Score: &referee.Score{}})
	roll(light, 3, 1, "8/5 6/5")
	say(referee.Event{Type: referee.RulingMade, Side: &dark, Ruling: &referee.RulingBody{
		Code: "D12", Rules: []string{"OPEN-5"}, Params: map[string]string{"player": "dark"}, Audience: "table", ID: 4}})
	roll(dark, 6, 5, "24/13")
	say(referee.Event{Type: referee.CubeOffered, Side: &light, Cube: 2})
	say(referee.Event{Type: referee.CubeTaken, Side: &dark, Cube: 2})
	say(referee.Event{Type: referee.Roll, Side: &light, Dice: []int{4, 4}})
	pos.Checkers[rules.Light][13]--
	pos.Checkers[rules.Light][8]++
	say(referee.Event{Type: referee.RulingMade, Side: &light, Ruling: &referee.RulingBody{
		Code: "M13", Rules: []string{"IRREG-6"}, Audience: "director", ID: 11}})
	say(referee.Event{Type: referee.PlayMade, Side: &light, Dice: []int{4, 4}, Position: pos.ID(light), Legal: &illegal})
	say(referee.Event{Type: referee.DecisionMade, What: referee.DecideStand, Side: &light, By: "director"})
	say(referee.Event{Type: referee.GameEnded, Side: &dark, Points: 4, How: "gammon", Cube: 2, Score: &referee.Score{Dark: 4}})
	game, pos = 2, rules.Start(rules.Standard)
	say(referee.Event{Type: referee.GameStarted, Side: &dark, Score: &referee.Score{Dark: 4}})
	roll(dark, 2, 1, "13/11 6/5")
	say(referee.Event{Type: referee.GameEnded, Side: &dark, Points: 1, How: "resign", Cube: 1, Score: &referee.Score{Dark: 5}})
	say(referee.Event{Type: referee.MatchEnded, Side: &dark, How: "resign", Score: &referee.Score{Dark: 5}})
	s := referee.DefaultSettings()
	return transcript.Of(transcript.Facts{ID: "m", Players: [2]string{"Ann <Lee>", "داریوش"}, Length: 5, Event: "Open", Settings: &s}, events)
}

func book(t testing.TB) *phrasebook.Book {
	t.Helper()
	b, err := phrasebook.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// text returns what a reader sees of an HTML file: names escaped once, tags gone.
func text(t *testing.T, html []byte) string {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var b strings.Builder
	skip := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return strings.Join(strings.Fields(b.String()), " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "style" {
				skip++
			}
		case xml.EndElement:
			if e.Name.Local == "style" {
				skip--
			}
			b.WriteByte(' ')
		case xml.CharData:
			if skip == 0 {
				b.Write(e)
			}
		}
	}
}

func TestASheetHoldsPerGameWhatPlayersWrite(t *testing.T) {
	t.Log("SCORE-8: score before, who doubled and to what, result kind, cube, points, score after")
	s := Of(sample(t), book(t), Options{Lang: "en"})
	g := s.Games[0]
	if g.Before != "0–0" || g.Doubled != "Ann <Lee> to 2" || g.Kind != "gammon" || g.Cube != "2" || g.Points != "4" || g.After != "0–4" {
		t.Errorf("game 1: %+v", g)
	}
	if s.Games[1].Crawford != true || s.Games[1].After != "0–5" || s.Games[1].Doubled != "nobody" {
		t.Errorf("game 2: %+v", s.Games[1])
	}
	html, err := s.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Ann <Lee> – داریوش", "Open", "2026-03-21 18:00", "5-point match", "داریوش won · 0–5", "31: 8/5 6/5", "doubles to 2", "takes",
		"داریوش wins 4: gammon", "OPEN-5", "Signatures", "Median turn",
	} {
		if !strings.Contains(text(t, html), want) {
			t.Errorf("the sheet does not say %q:\n%s", want, text(t, html))
		}
	}
}

func TestWhatOnlyTheDirectorMayKnowIsOnHisSheetAlone(t *testing.T) {
	for _, lang := range []string{"en", "fa"} {
		public, err := Of(sample(t), book(t), Options{Lang: lang}).HTML()
		if err != nil {
			t.Fatal(err)
		}
		private, err := Of(sample(t), book(t), Options{Lang: lang, Private: true}).HTML()
		if err != nil {
			t.Fatal(err)
		}
		stood := book(t).Text(lang, "sheet.stood", nil)
		for _, secret := range []string{stood, "IRREG-6", "M13"} {
			if strings.Contains(text(t, public), secret) {
				t.Errorf("%s: everybody reads %q", lang, secret)
			}
			if !strings.Contains(text(t, private), secret) {
				t.Errorf("%s: the director does not read %q", lang, secret)
			}
		}
	}
}

func TestAPersianSheetRunsFromRightToLeftInItsOwnDigits(t *testing.T) {
	html, err := Of(sample(t), book(t), Options{Lang: "fa"}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`dir="rtl"`, `lang="fa"`, "برگهٔ امتیاز", "۰–۴", `<bdi dir="ltr"><b class="dice">31:</b> 8/5 6/5</bdi>`} {
		if !strings.Contains(string(html), want) {
			t.Errorf("%q is missing", want)
		}
	}
	keep(t, "sheet.fa.html", html)
	english, err := Of(sample(t), book(t), Options{Lang: "en"}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	keep(t, "sheet.en.html", english)
}

// keep writes a sheet into the folder DAVAR_SHOTS, for people to look at.
func keep(t *testing.T, name string, html []byte) {
	if folder := os.Getenv("DAVAR_SHOTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name), html, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnAnalysisStandsBesideThePlaysAndInTheStatistics(t *testing.T) {
	m := sample(t)
	light, dark := m.Games[0].Turns[0].Seq, m.Games[0].Turns[1].Seq
	a := &analysis.Analysis{Done: 1, Of: 2, Plies: 2, Plays: []analysis.Play{
		{Seq: light, Side: rules.Light, Error: 0.011, Luck: 0.2, Equity: 0.31},
		{Seq: dark, Side: rules.Dark, Error: 0.125, Luck: -0.3, Equity: 0.52},
	}, Cubes: []analysis.Cube{
		{Seq: dark, Side: rules.Dark, Action: analysis.NoDouble, NoDouble: 0.6, DoubleTake: 0.7, Error: 0.1},
		{Seq: light, Side: rules.Light, Action: analysis.NoDouble, NoDouble: -0.1, DoubleTake: -0.9},
	}}
	html, err := Of(m, book(t), Options{Lang: "en", Analysis: a}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	said := strings.NewReplacer("\u2066", "", "\u2069", "").Replace(text(t, html))
	for _, want := range []string{"65: 24/13", "−0.125", "missed double −0.100", "−0.125 65: 24/13 · −0.100 missed double", "112.5", "11.0", "+0.20", "−0.30", "1 of 2 games"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
	if strings.Contains(said, "−0.011") {
		t.Error("a small error is marked")
	}
	if !strings.Contains(string(html), "Game 1: highest 0.31 at 1, lowest \u2066−0.52\u2069 at 2, at the end \u2066−0.52\u2069.") {
		t.Error("the equity is not told to those who cannot see the plot")
	}
	if open := Of(m, book(t), Options{Lang: "en"}); len(open.Plots) == 0 || strings.Contains(open.Plots[1].Title, "Equity") {
		t.Error("an equity is drawn without an analysis")
	}
}

func TestAMatchWithoutPlaysHasASheet(t *testing.T) {
	for _, tr := range []*transcript.Transcript{{}, {Games: []transcript.Game{{Number: 1}}}} {
		html, err := Of(tr, book(t), Options{Lang: "en"}).HTML()
		if err != nil || len(html) == 0 {
			t.Errorf("%v", err)
		}
	}
}

func TestPlotsAreWellFormedAndEmptyOnesAreLeftOut(t *testing.T) {
	one := chart{lines: []series{{points: []point{{0, 0}}}}, least: 1}
	if svg := one.draw("", func(float64) string { return "" }); svg != "" {
		t.Errorf("one point makes %q", svg)
	}
	for _, p := range Of(sample(t), book(t), Options{Lang: "fa"}).Plots {
		if err := xml.Unmarshal([]byte(p.SVG), new(struct{})); err != nil {
			t.Errorf("%s: %v", p.Title, err)
		}
		if strings.Contains(string(p.SVG), "style") {
			t.Errorf("%s has a style that pages do not allow", p.Title)
		}
		if p.Words == "" || !strings.Contains(string(p.SVG), `aria-label="`+p.Title) {
			t.Errorf("%s says nothing to those who cannot see it: %q", p.Title, p.Words)
		}
	}
}

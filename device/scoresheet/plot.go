package scoresheet

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"davar/rules"
	"davar/rules/transcript"
)

// Plot is a drawing with its title.
type Plot struct {
	Title string
	Words string // what it shows, for those who cannot see it; also in the drawing
	SVG   template.HTML
}

// The drawing's measures, in units of its view box.
const (
	plotWidth, plotHeight = 640, 200
	plotLeft, plotRight   = 44, 12
	plotTop, plotBottom   = 12, 24
)

// point is one value of a plot.
type point struct{ x, y float64 }

// series is one line or one row of bars.
type series struct {
	class  string // light, dark or both
	points []point
	bars   bool
}

// chart is what a plot shows.
type chart struct {
	key   string // of its title
	lines []series
	marks []float64 // places with an upright line
	least float64   // between grid lines
	first float64   // what the place 0 is called
	unit  func(v float64) string
}

// plots draws score, lead in pips, time per turn and, when the match is analysed, equity; what has no values is left out.
func (s *Sheet) plots() []Plot {
	var all []Plot
	for _, c := range s.charts() {
		title := s.T(c.key)
		words := s.describe(&c)
		if svg := c.draw(title+". "+words, func(v float64) string { return s.figure("%g", v) }); svg != "" {
			all = append(all, Plot{title, words, template.HTML(svg)}) //nolint:gosec // numbers, and words that are escaped
		}
	}
	return all
}

// charts collects what the plots show.
func (s *Sheet) charts() []chart {
	whole := func(v float64) string { return s.figure("%.0f", v) }
	score := chart{key: "plot_score", least: 1, unit: whole}
	pips := chart{key: "plot_pips", least: 1, first: 1, unit: whole}
	used := chart{key: "plot_time", least: 1, first: 1, unit: func(v float64) string { return s.duration(int64(1000 * v)) }}
	equity := chart{key: "plot_equity", least: 0.25, first: 1, unit: func(v float64) string { return s.figure("%.2f", v) }}
	for side := rules.Light; side <= rules.Dark; side++ {
		score.lines = append(score.lines, series{class: side.String()})
		used.lines = append(used.lines, series{class: side.String(), bars: true})
	}
	pips.lines = []series{{class: "both"}}
	n := 0.0
	for i := range s.t.Games {
		g := &s.t.Games[i]
		s.scores(score.lines, i)
		if i > 0 {
			pips.marks = append(pips.marks, n)
		}
		game := series{class: "both"} // equity begins anew with each
		for k := range g.Turns {
			t := &g.Turns[k]
			if t.Kind != transcript.Roll {
				continue
			}
			pips.lines[0].points = append(pips.lines[0].points, point{n, float64(t.After.Pips(rules.Dark) - t.After.Pips(rules.Light))})
			used.lines[t.Side].points = append(used.lines[t.Side].points, point{n, float64(t.Used) / 1000})
			if e, ok := s.equity(t); ok {
				game.points = append(game.points, point{n, e})
			}
			n++
		}
		equity.lines = append(equity.lines, game)
	}
	used.marks, equity.marks = pips.marks, pips.marks
	return []chart{score, equity, pips, used}
}

// scores adds the score after game i to the lines of the players.
func (s *Sheet) scores(lines []series, i int) {
	g := &s.t.Games[i]
	for side := range lines {
		if i == 0 {
			lines[side].points = append(lines[side].points, point{0, float64(g.Score[side])})
		}
		if g.Result != nil {
			lines[side].points = append(lines[side].points, point{float64(i + 1), float64(g.Result.Score[side])})
		}
	}
}

// equity returns light's equity after a turn; ok is false when nothing is known of it.
func (s *Sheet) equity(t *transcript.Turn) (e float64, ok bool) {
	if s.options.Analysis == nil {
		return 0, false
	}
	p, ok := s.options.Analysis.Play(t.Seq)
	if p.Side == rules.Dark {
		p.Equity = -p.Equity
	}
	return p.Equity, ok && !p.Danced
}

// describe says in words what a chart shows: the end, the highest and the lowest value and where they are.
func (s *Sheet) describe(c *chart) string {
	place := func(x float64) string { return s.number(fmt.Sprintf("%.0f", x+c.first)) }
	var all []string
	for i := range c.lines {
		l := &c.lines[i]
		if len(l.points) == 0 {
			continue
		}
		high, low := l.points[0], l.points[0]
		for _, p := range l.points {
			if p.y > high.y {
				high = p
			}
			if p.y < low.y {
				low = p
			}
		}
		name := ""
		switch {
		case l.class != "both":
			name = s.Columns[i] + ": "
		case len(c.lines) > 1:
			name = s.text("game_number", "n", fmt.Sprint(s.t.Games[i].Number)) + ": "
		}
		key := "plot_words"
		if l.bars {
			key = "plot_words_bars"
		}
		all = append(all, name+s.text(key, "high", c.unit(high.y), "at", place(high.x), "low", c.unit(low.y), "where", place(low.x),
			"last", c.unit(l.points[len(l.points)-1].y)))
	}
	return strings.Join(all, " ")
}

// figure writes a number in the digits of the language.
func (s *Sheet) figure(format string, v float64) string {
	return s.book.Number(s.Lang, fmt.Sprintf(format, v))
}

// draw returns an SVG of the series on common axes, "" when there is nothing to draw. All of it are attributes: pages
// allow no style in the text.
func (c *chart) draw(words string, number func(float64) string) string {
	low, high, right := 0.0, 0.0, 0.0
	count, margin := 0, 0.0
	for _, l := range c.lines {
		if l.bars {
			margin = 0.5 // a bar stands about its place
		}
		count = max(count, len(l.points))
		for _, p := range l.points {
			low, high, right = min(low, p.y), max(high, p.y), max(right, p.x)
		}
	}
	if count < 2 || high == low {
		return ""
	}
	step := niceStep(high-low, c.least)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	x := func(v float64) float64 {
		return plotLeft + (plotWidth-plotLeft-plotRight)*(v+margin)/(max(right, 1)+2*margin)
	}
	y := func(v float64) float64 { return plotTop + (plotHeight-plotTop-plotBottom)*(high-v)/(high-low) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %d %d" role="img" direction="ltr" aria-label="%s">`, plotWidth, plotHeight, template.HTMLEscapeString(words))
	for v := low; v <= high+step/2; v += step {
		class := "grid"
		if math.Abs(v) < step/2 {
			class = "zero"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>`, class, plotLeft, plotWidth-plotRight, y(v), y(v))
		fmt.Fprintf(&b, `<text class="axis" x="%d" y="%.1f" text-anchor="end">%s</text>`, plotLeft-6, y(v)+4, number(math.Abs(v)))
	}
	for _, m := range c.marks {
		fmt.Fprintf(&b, `<line class="mark" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>`, x(m-0.5), x(m-0.5), plotTop, plotHeight-plotBottom)
	}
	for _, l := range c.lines {
		if l.bars {
			drawBars(&b, l, x, y)
		} else {
			drawLine(&b, l, x, y)
		}
	}
	fmt.Fprintf(&b, `<text class="axis" x="%d" y="%d" text-anchor="end">%s</text></svg>`, plotWidth-plotRight, plotHeight-6, number(right+c.first))
	return b.String()
}

func drawLine(b *strings.Builder, l series, x, y func(float64) float64) {
	if len(l.points) == 0 {
		return
	}
	fmt.Fprintf(b, `<polyline class="line %s" points="`, l.class)
	for _, p := range l.points {
		fmt.Fprintf(b, "%.1f,%.1f ", x(p.x), y(p.y))
	}
	b.WriteString(`"/>`)
}

func drawBars(b *strings.Builder, l series, x, y func(float64) float64) {
	width := max(1, min(12, x(0.8)-x(0)))
	for _, p := range l.points {
		if p.y > 0 {
			fmt.Fprintf(b, `<rect class="bar %s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, l.class, x(p.x)-width/2, y(p.y), width, y(0)-y(p.y))
		}
	}
}

// niceStep returns a round distance of grid lines, least or more, three to seven of them over a span.
func niceStep(span, least float64) float64 {
	base := math.Pow(10, math.Floor(math.Log10(span)))
	for _, f := range []float64{0.25, 0.5, 1} {
		if step := base * f; span/step <= 6 && step >= least && (least < 1 || step == math.Trunc(step)) {
			return step
		}
	}
	return max(2*base, least)
}

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
	class  string // light or dark
	points []point
	bars   bool
}

// plots draws score, lead in pips and time per turn; what has no values is left out.
func (s *Sheet) plots() []Plot {
	var all []Plot
	add := func(key string, marks []float64, lines ...series) {
		if svg := draw(lines, marks, s.number); svg != "" {
			all = append(all, Plot{s.T(key), template.HTML(svg)}) //nolint:gosec // made of numbers alone
		}
	}
	score, pips, used, games := s.values()
	add("plot_score", nil, score[0], score[1])
	add("plot_pips", games, pips)
	add("plot_time", games, used[0], used[1])
	return all
}

// values collects what the plots show; games are the places at which new ones begin.
func (s *Sheet) values() (score [2]series, pips series, used [2]series, games []float64) {
	pips.class = "both"
	for side := range score {
		name := rules.Side(side).String()
		score[side].class, used[side].class, used[side].bars = name, name, true
	}
	n := 0.0
	for i := range s.t.Games {
		g := &s.t.Games[i]
		for side := range score {
			if i == 0 {
				score[side].points = append(score[side].points, point{0, float64(g.Score[side])})
			}
			if g.Result != nil {
				score[side].points = append(score[side].points, point{float64(i + 1), float64(g.Result.Score[side])})
			}
		}
		if i > 0 {
			games = append(games, n)
		}
		for k := range g.Turns {
			t := &g.Turns[k]
			if t.Kind != transcript.Roll {
				continue
			}
			pips.points = append(pips.points, point{n, float64(t.After.Pips(rules.Dark) - t.After.Pips(rules.Light))})
			used[t.Side].points = append(used[t.Side].points, point{n, float64(t.Used) / 1000})
			n++
		}
	}
	return score, pips, used, games
}

// draw returns an SVG of the series on common axes, "" when there is nothing to draw. All of it are attributes: pages
// allow no style in the text. Marks are places with an upright line.
func draw(lines []series, marks []float64, number func(any) string) string {
	low, high, right := 0.0, 0.0, 0.0
	count := 0
	for _, l := range lines {
		count = max(count, len(l.points))
		for _, p := range l.points {
			low, high, right = min(low, p.y), max(high, p.y), max(right, p.x)
		}
	}
	if count < 2 || high == low {
		return ""
	}
	step := niceStep(high - low)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	x := func(v float64) float64 { return plotLeft + (plotWidth-plotLeft-plotRight)*v/max(right, 1) }
	y := func(v float64) float64 { return plotTop + (plotHeight-plotTop-plotBottom)*(high-v)/(high-low) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %d %d" role="img" direction="ltr">`, plotWidth, plotHeight)
	for v := low; v <= high+step/2; v += step {
		class := "grid"
		if math.Abs(v) < step/2 {
			class = "zero"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>`, class, plotLeft, plotWidth-plotRight, y(v), y(v))
		fmt.Fprintf(&b, `<text class="axis" x="%d" y="%.1f" text-anchor="end">%s</text>`, plotLeft-6, y(v)+4, number(fmt.Sprintf("%g", math.Abs(v))))
	}
	for _, m := range marks {
		fmt.Fprintf(&b, `<line class="mark" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>`, x(m-0.5), x(m-0.5), plotTop, plotHeight-plotBottom)
	}
	for _, l := range lines {
		if l.bars {
			drawBars(&b, l, x, y)
		} else {
			drawLine(&b, l, x, y)
		}
	}
	fmt.Fprintf(&b, `<text class="axis" x="%d" y="%d" text-anchor="end">%s</text></svg>`, plotWidth-plotRight, plotHeight-6, number(fmt.Sprintf("%g", right)))
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

// niceStep returns a round distance of grid lines, three to seven of them over a span.
func niceStep(span float64) float64 {
	base := math.Pow(10, math.Floor(math.Log10(span)))
	for _, f := range []float64{0.2, 0.5, 1} {
		if span/(base*f) <= 6 {
			return max(base*f, 1)
		}
	}
	return max(2*base, 1)
}

package vision

import (
	"math"

	"davar/rules"
	"davar/rules/sighting"
)

// Priors of what is not seen, from how boards are met. A side bears off only when all it has left stands in one quarter
// (OFF-1), so one that stands in two is whole, unless checkers have been put away; one in a single quarter is not.
const (
	priorWhole    = 0.9  // all fifteen of a side stand on points and bar, where they stand in several quarters
	priorWholeOff = 0.3  // the same where all stand in one
	priorFewer    = 0.8  // with each checker fewer on the board, a total is this many times as likely
	priorTooMany  = 1e-4 // more than fifteen: never, save where one was misread
	priorEmpty    = 0.5  // a point nobody can see is empty, else of either side, each checker more half as likely
	priorTaller   = 0.5  // each checker over five on a point is this many times as likely in play as in training
	priorHit      = 0.65 // and each checker on the bar: of 69 piles there on stills 11 are of two and 7 of three, of 742 in training 140 and 107
	leastPossible = 1e-7 // nothing a point may show is less probable than this
)

// most is the largest total kept apart; what is more is kept together with it.
const most = sighting.MaxCount + 1

// spread is one point or bar's pile in the sum over the whole board: the possible additions to each side's total.
type spread struct {
	options []option
}

type option struct {
	light, dark int
	p           float64
	index       int // in the distribution it comes from; mixed: both colours
}

// mixed is the index of what no distribution of counts holds: checkers of both colours on one point (IRREG-11).
const mixed = -1

// leastMixed is the probability from which both colours are thought of.
const leastMixed = 0.01

type totals [most + 1][most + 1]float64

// conserve sharpens what was read of each point and pile by what is known of them all together: a side has fifteen
// checkers, on points, bar or off (SETUP-1). It is the exact posterior of each place under independent readings and
// the prior of a side's total and what is seen in the trays, by the forward-backward algorithm over both sides' running
// totals. The trays' piles are filled with what follows for them.
func conserve(r *Reading, off *trays) {
	var places [26]spread
	for i := range 12 {
		places[i] = pointPlace(&r.Top[i])
		places[12+i] = pointPlace(&r.Bottom[i])
	}
	places[24] = pilePlace(&r.Bar[rules.Light], rules.Light)
	places[25] = pilePlace(&r.Bar[rules.Dark], rules.Dark)

	var before [27]totals
	before[0][0][0] = 1
	for i := range places {
		places[i].forward(&before[i], &before[i+1])
	}
	after := new(totals)
	whole := [2]float64{priorOfWhole(r, rules.Light), priorOfWhole(r, rules.Dark)}
	for l := range after {
		for d := range after[l] {
			after[l][d] = priorTotal(l, whole[rules.Light]) * priorTotal(d, whole[rules.Dark]) *
				off[max(sighting.MaxCount-l, 0)][max(sighting.MaxCount-d, 0)]
		}
	}
	inferOff(r, &before[26], after)
	for i := len(places) - 1; i >= 0; i-- {
		earlier := new(totals)
		weights := places[i].backward(&before[i], after, earlier)
		switch {
		case i < 12:
			setCounts(&r.Top[i], &places[i], weights)
		case i < 24:
			setCounts(&r.Bottom[i-12], &places[i], weights)
		default:
			setPile(&r.Bar[i-24], &places[i], weights)
		}
		after = earlier
	}
}

// priorTotal returns the probability of a total of n, whole that of all fifteen.
func priorTotal(n int, whole float64) float64 {
	switch n {
	case sighting.MaxCount:
		return whole
	case most:
		return priorTooMany
	}
	return (1 - whole) * (1 - priorFewer) * math.Pow(priorFewer, float64(sighting.MaxCount-1-n))
}

// priorOfWhole returns how likely all fifteen of a side are on the board, by whether it stands in more than one quarter
// or on the bar.
func priorOfWhole(r *Reading, side rules.Side) float64 {
	nowhere, once := 1.0, 0.0 // probabilities that none and that one of the places seen so far holds the side
	add := func(empty float64) {
		nowhere, once = nowhere*empty, once*empty+nowhere*(1-empty)
	}
	for _, row := range [2]*[12]sighting.Point{&r.Top, &r.Bottom} {
		for half := range 2 {
			empty := 1.0
			for _, p := range row[6*half : 6*half+6] {
				if !p.Hidden {
					empty *= 1 - held(&p, side)
				}
			}
			add(empty)
		}
	}
	add(float64(r.Bar[side].P[0]))
	several := 1 - nowhere - once
	return several*priorWhole + (1-several)*priorWholeOff
}

// held returns the probability that a side has a checker on the point.
func held(p *sighting.Point, side rules.Side) float64 {
	if side == rules.Light {
		return sum(p.Counts[sighting.MaxCount+1:])
	}
	return sum(p.Counts[:sighting.MaxCount])
}

func sum(ps []float32) (s float64) {
	for _, p := range ps {
		s += float64(p)
	}
	return min(1, s)
}

// rarer returns how much rarer a stack of n, of either sign, is in play than where the network has learnt.
func rarer(n int) float64 {
	return math.Pow(priorTaller, float64(max(0, max(n, -n)-5)))
}

func pointPlace(p *sighting.Point) (pl spread) {
	pure := 1.0
	if p.Mixed >= leastMixed && !p.Hidden {
		pure = 1 - float64(p.Mixed)
		pl.mix(p)
	}
	for i, q := range p.Counts {
		n := i - sighting.MaxCount
		w := float64(q) * pure
		if p.Hidden {
			w = (1 - priorEmpty) * math.Pow(0.5, float64(max(n, -n)+1))
			if n == 0 {
				w = priorEmpty
			}
		}
		if w = max(w*rarer(n), leastPossible); w > 1e-5 || n == 0 {
			pl.options = append(pl.options, option{max(n, 0), max(-n, 0), w, i})
		}
	}
	return pl
}

// How a point with checkers of both colours is read: mostly as so many as there are of one colour, as in training (train/drawn.py), the
// other colour having put one or two on it; now and then as all of them together.
var readAsOne = [...]float64{1: 0.6, 2: 0.2}

const readAsAll = 0.2

// mix adds the ways in which the point may hold checkers of both colours.
func (pl *spread) mix(p *sighting.Point) {
	var ways [sighting.MaxCount + 1][sighting.MaxCount + 1]float64 // by light and dark checkers
	for n := 1; n <= sighting.MaxCount; n++ {
		light, dark := float64(p.Mixed*p.Counts.P(n)), float64(p.Mixed*p.Counts.P(-n))
		for m := 1; m < len(readAsOne); m++ {
			ways[n][m] += light * readAsOne[m]
			ways[m][n] += dark * readAsOne[m]
		}
		for l := 1; l < n; l++ {
			ways[l][n-l] += (light + dark) * readAsAll / float64(n-1)
		}
	}
	for l := range ways {
		for d, w := range ways[l] {
			if w > 1e-5 {
				pl.options = append(pl.options, option{l, d, w, mixed})
			}
		}
	}
}

func pilePlace(p *sighting.Pile, side rules.Side) (pl spread) {
	for n, q := range p.P {
		o := option{p: max(float64(q)*math.Pow(priorHit, float64(n)), leastPossible), index: n}
		if side == rules.Light {
			o.light = n
		} else {
			o.dark = n
		}
		if o.p > 1e-5 || n == 0 {
			pl.options = append(pl.options, o)
		}
	}
	return pl
}

func (pl *spread) forward(from, to *totals) {
	var sum float64
	for l := range from {
		for d, q := range from[l] {
			if q == 0 {
				continue
			}
			for _, o := range pl.options {
				w := q * o.p
				to[min(l+o.light, most)][min(d+o.dark, most)] += w
				sum += w
			}
		}
	}
	for l := range to { // keep the numbers in range; only their proportions matter
		for d := range to[l] {
			to[l][d] /= sum
		}
	}
}

// backward returns the posterior weight of each option and fills earlier with the message to the place before.
func (pl *spread) backward(before, after, earlier *totals) []float64 {
	weights := make([]float64, len(pl.options))
	var sum float64
	for l := range before {
		for d := range before[l] {
			for k, o := range pl.options {
				a := after[min(l+o.light, most)][min(d+o.dark, most)] * o.p
				earlier[l][d] += a
				weights[k] += a * before[l][d]
			}
			sum += earlier[l][d]
		}
	}
	for l := range earlier {
		for d := range earlier[l] {
			earlier[l][d] /= sum
		}
	}
	return weights
}

func setCounts(p *sighting.Point, pl *spread, weights []float64) {
	p.Counts = sighting.Counts{}
	var both float64
	for k, w := range normalised(weights) {
		if pl.options[k].index == mixed {
			both += w
			weights[k] = 0
		}
	}
	if both > 0 {
		p.Mixed = float32(both)
	}
	for k, w := range normalised(weights) {
		if pl.options[k].index != mixed {
			p.Counts[pl.options[k].index] = float32(w)
		}
	}
}

func setPile(p *sighting.Pile, pl *spread, weights []float64) {
	p.P = [sighting.MaxCount + 1]float32{}
	for k, w := range normalised(weights) {
		p.P[pl.options[k].index] = float32(w)
	}
}

// inferOff fills the trays with what the board leaves for them and they show; whether they are visible is not said here.
func inferOff(r *Reading, board, prior *totals) {
	var off [2][sighting.MaxCount + 1]float64
	for l := range board {
		for d, q := range board[l] {
			q *= prior[l][d]
			off[rules.Light][max(sighting.MaxCount-l, 0)] += q
			off[rules.Dark][max(sighting.MaxCount-d, 0)] += q
		}
	}
	for side := range off {
		for n, w := range normalised(off[side][:]) {
			r.Off[side].P[n] = float32(w)
		}
	}
}

func normalised(weights []float64) []float64 {
	var sum float64
	for _, w := range weights {
		sum += w
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

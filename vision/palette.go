package vision

import (
	"math"
	"slices"
)

// Tone is one of the colours in which the checkers of a side are seen, and how much of them it makes up.
type Tone struct {
	BGR   [3]float32 `json:"bgr"`
	Share float32    `json:"share"`
}

// mostTones bounds the tones of a side.
const mostTones = 24

// palette collects colours, those that are nearly alike together.
type palette map[[3]uint8]*paint

type paint struct {
	sum colour
	n   int
}

func (p palette) add(c colour) {
	key := [3]uint8{uint8(c[0]) >> 4, uint8(c[1]) >> 4, uint8(c[2]) >> 4}
	t := p[key]
	if t == nil {
		t = new(paint)
		p[key] = t
	}
	for i, v := range c {
		t.sum[i] += v
	}
	t.n++
}

// tones returns the commonest colours, the commonest first.
func (p palette) tones() []Tone {
	keys := make([][3]uint8, 0, len(p))
	for k := range p {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [3]uint8) int {
		if d := p[b].n - p[a].n; d != 0 {
			return d
		}
		return slices.Compare(a[:], b[:])
	})
	keys = keys[:min(mostTones, len(keys))]
	total := 0
	for _, k := range keys {
		total += p[k].n
	}
	tones := make([]Tone, 0, len(keys))
	for _, k := range keys {
		t := Tone{Share: float32(p[k].n) / float32(total)}
		for i, v := range p[k].sum {
			t.BGR[i] = v / float32(p[k].n)
		}
		tones = append(tones, t)
	}
	return tones
}

// Widths of the distributions of colours, in grey levels.
const (
	toneSpread  = 13 // of a checker's, round each of its tones
	boardSpread = 12 // of the empty board's, place by place
)

// Shadows darken the empty board and lamps brighten it by no more than this.
const (
	darkestShade  = 0.7
	brightestGlow = 1.12
)

// density is a table of the logarithms of the probability density of colours, by steps of eight grey levels in each
// channel.
type density [1 << 15]float32

// unknown is the logarithm of the density of what is neither board nor checker: any colour is about as likely.
var unknown = float32(math.Log(1e-7))

func newDensity(tones []Tone) *density {
	d := new(density)
	for _, t := range tones {
		var axes [3][32]float32
		for c := range axes {
			for i := range axes[c] {
				e := float64(8*i+4) - float64(t.BGR[c])
				axes[c][i] = float32(math.Exp(-e * e / (2 * toneSpread * toneSpread)))
			}
		}
		k := t.Share * float32(math.Exp(float64(peak(toneSpread))))
		for b, pb := range axes[0] {
			for g, pg := range axes[1] {
				for r, pr := range axes[2] {
					d[b<<10|g<<5|r] += k * pb * pg * pr
				}
			}
		}
	}
	for i, v := range d {
		d[i] = max(unknown, float32(math.Log(float64(v)+1e-12)))
	}
	return d
}

func (d *density) at(c colour) float32 { return d[step(c[0])<<10|step(c[1])<<5|step(c[2])] }

func step(v float32) int { return int(max(0, min(255, v))) >> 3 }

// peak is the logarithm of the density of a normal distribution of three independent channels at its middle.
func peak(spread float64) float32 { return float32(-1.5 * math.Log(2*math.Pi*spread*spread)) }

var boardPeak = peak(boardSpread)

// boardDensity is the logarithm of the density of colour c where the empty board shows ref, in whatever light.
func boardDensity(c, ref colour) float32 {
	dot, norm := float32(0), float32(1e-3)
	for i := range c {
		dot += c[i] * ref[i]
		norm += ref[i] * ref[i]
	}
	shade := max(darkestShade, min(brightestGlow, dot/norm))
	var d float32
	for i := range c {
		e := c[i] - shade*ref[i]
		d += e * e
	}
	return max(unknown, boardPeak-d/(2*boardSpread*boardSpread))
}

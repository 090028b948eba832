package statistics

import "math"

// Dice is what some dice have shown.
type Dice struct {
	Rolls   int    // pairs thrown
	Faces   [6]int // how often each number was shown
	Doubles int
	Pips    int // a double counts four times its number
}

// Add counts one roll.
func (d *Dice) Add(a, b uint8) {
	if a < 1 || a > 6 || b < 1 || b > 6 {
		return
	}
	d.Rolls++
	d.Faces[a-1]++
	d.Faces[b-1]++
	d.Pips += int(a) + int(b)
	if a == b {
		d.Doubles++
		d.Pips += 2 * int(a)
	}
}

// Merge counts what other dice have shown as well.
func (d *Dice) Merge(o Dice) {
	d.Rolls += o.Rolls
	d.Doubles += o.Doubles
	d.Pips += o.Pips
	for i := range d.Faces {
		d.Faces[i] += o.Faces[i]
	}
}

// Test is a statistical test of the hypothesis that the dice are fair and the throws independent.
type Test struct {
	ChiSquared float64
	Freedom    int // degrees of freedom
	// P is the probability that fair dice deviate at least as much. A small one is no proof: of twenty fair sets of dice
	// one is expected below 0.05.
	P float64
	// Enough is false when fewer than five of each outcome are to be expected: P then means little (Cochran, Biometrics
	// 10, 1954).
	Enough bool
}

// FaceTest is Pearson's chi-squared test that all six numbers are equally likely.
func (d *Dice) FaceTest() Test {
	shown := float64(2 * d.Rolls)
	t := Test{Freedom: 5, P: 1, Enough: shown/6 >= 5}
	if d.Rolls == 0 {
		return t
	}
	for _, n := range d.Faces {
		diff := float64(n) - shown/6
		t.ChiSquared += diff * diff / (shown / 6)
	}
	t.P = chiSquaredTail(t.ChiSquared, t.Freedom)
	return t
}

// DoublesTest is Pearson's chi-squared test that one roll in six is a double.
func (d *Dice) DoublesTest() Test {
	n := float64(d.Rolls)
	t := Test{Freedom: 1, P: 1, Enough: n/6 >= 5}
	if d.Rolls == 0 {
		return t
	}
	diff := float64(d.Doubles) - n/6
	t.ChiSquared = diff*diff/(n/6) + diff*diff/(n*5/6)
	t.P = chiSquaredTail(t.ChiSquared, t.Freedom)
	return t
}

// MeanPips returns how many pips a roll gave on average, doubles played four times; fair dice give 8 1/6.
func (d *Dice) MeanPips() float64 {
	if d.Rolls == 0 {
		return 0
	}
	return float64(d.Pips) / float64(d.Rolls)
}

// chiSquaredTail returns the probability that a chi-squared variable of k degrees of freedom is at least x: the
// regularised upper incomplete gamma function Q(k/2, x/2), by its series below and its continued fraction above.
func chiSquaredTail(x float64, k int) float64 {
	if x <= 0 {
		return 1
	}
	a, y := float64(k)/2, x/2
	logGamma, _ := math.Lgamma(a)
	scale := math.Exp(a*math.Log(y) - y - logGamma)
	if y < a+1 {
		term := 1 / a
		sum := term
		for n := 1; n < 500 && term > sum*1e-15; n++ {
			term *= y / (a + float64(n))
			sum += term
		}
		return max(0, 1-scale*sum)
	}
	const tiny = 1e-300
	b := y + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for n := 1; n < 500; n++ {
		an := -float64(n) * (float64(n) - a)
		b += 2
		d = 1 / nonzero(an*d+b, tiny)
		c = nonzero(b+an/c, tiny)
		h *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return min(1, scale*h)
}

func nonzero(v, tiny float64) float64 {
	if math.Abs(v) < tiny {
		return tiny
	}
	return v
}

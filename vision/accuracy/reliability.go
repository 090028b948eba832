package accuracy

import (
	"math"
	"slices"
)

// Reliability says whether confidences mean what they say.
type Reliability struct {
	Points Calibrated `json:"points"` // the count and colour of each point
	Dice   Calibrated `json:"dice"`   // the value of each die found
	Cocked Calibrated `json:"cocked"` // whether it is flat or cocked
}

// Calibrated sets what was said with each confidence beside the truth.
type Calibrated struct {
	N    int      `json:"n"`
	ECE  *float64 `json:"ece"` // expected calibration error: the mean difference of confidence and share right; null of nothing
	Bins []Bin    `json:"bins"`
}

// Bin is a row of a reliability table: what was said with a confidence from From up, how often, with what mean
// confidence, and which share of it was right. The two shares agree when the confidences mean what they say.
type Bin struct {
	From       float64 `json:"from"`
	N          int     `json:"n"`
	Confidence float64 `json:"confidence"`
	Right      float64 `json:"right"`
}

// bins are the lower ends of the table's confidences.
var bins = [...]float64{0, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999}

// reliability counts how often what was said with a confidence was right.
type reliability struct {
	n, right [len(bins)]int
	sum      [len(bins)]float64
}

// diceReliability is reliability of what is said of dice.
type diceReliability struct{ values, cocked reliability }

func (r *reliability) add(confidence float64, right bool) {
	i, found := slices.BinarySearch(bins[:], confidence)
	if !found {
		i--
	}
	i = max(0, i)
	r.n[i]++
	r.sum[i] += confidence
	if right {
		r.right[i]++
	}
}

// report returns the table and its expected calibration error (Naeini et al., "Obtaining Well Calibrated Probabilities
// Using Bayesian Binning", AAAI 2015).
func (r *reliability) report() Calibrated {
	c := Calibrated{Bins: []Bin{}}
	var off float64
	for i, n := range r.n {
		if n == 0 {
			continue
		}
		said, right := r.sum[i]/float64(n), float64(r.right[i])/float64(n)
		c.N += n
		off += float64(n) * math.Abs(said-right)
		c.Bins = append(c.Bins, Bin{bins[i], n, round(said), round(right)})
	}
	if c.N > 0 {
		ece := round(off / float64(c.N))
		c.ECE = &ece
	}
	return c
}

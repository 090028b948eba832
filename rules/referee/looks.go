package referee

import (
	"math"
	"time"
)

// surest is the least probability that is believed of any number: an eye may err in ways of which it knows nothing.
const surest = 1e-4

// looks is what several looks at one die add up to. All pictures between two movements make one look, as the same
// light falls on the die and it is misread the same way; a hand about it changes that.
type looks struct {
	Past   [7]logit      `json:"past"`   // summed means of the looks that are over
	Before int           `json:"before"` // their number
	Now    [7]logit      `json:"now"`    // sum over the pictures of the present look
	N      int           `json:"n"`
	Busy   bool          `json:"busy"` // the present look is one with a hand or movement about
	Spell  time.Duration `json:"spell"`
	// Sure holds the numbers that a still picture read beyond doubt, bit v for v: more than one of them when the pictures
	// contradict each other, however sure each is of itself.
	Sure uint8 `json:"sure,omitempty"`
}

// sureReading is how probable a number must be for one picture to have read it beyond doubt.
const sureReading = 0.9

// add takes the reading of one more picture; 0 is the probability that the number cannot be told.
func (l *looks) add(values *[7]float32, busy bool, spell time.Duration) {
	if l.N > 0 && (busy != l.Busy || spell != l.Spell) {
		for v := range l.Past {
			l.Past[v] += l.Now[v] / logit(l.N)
		}
		l.Before++
		l.Now, l.N = [7]logit{}, 0
	}
	l.Busy, l.Spell = busy, spell
	l.N++
	for v, p := range values {
		l.Now[v] += logit(math.Log(float64(max(p, surest))))
		if p >= sureReading && v > 0 && !busy {
			l.Sure |= 1 << v
		}
	}
}

// read tells whether a picture read v beyond doubt.
func (l *looks) read(v int) bool { return l.Sure&(1<<v) != 0 }

// contested tells whether pictures read several numbers beyond doubt.
func (l *looks) contested() bool { return l.Sure&(l.Sure-1) != 0 }

// mean returns the mean logarithm of the probability of v over the looks.
func (l *looks) mean(v int) float64 {
	if l.N == 0 {
		return 0
	}
	return float64(l.Past[v]+l.Now[v]/logit(l.N)) / float64(l.Before+1)
}

// odds returns the log-likelihood of v, relative to the most likely number: that of one look, however often the die was
// looked at. The readings of one die that lies there hardly differ (cmd/davar/noise.go), so the second look at it tells
// next to nothing, and what the eye doubts is doubtful.
func (l *looks) odds(v int) float64 {
	top, _ := l.value()
	return l.mean(v) - l.mean(top)
}

// alike returns how probable it is that both show one number.
func (l *looks) alike(m *looks) float64 {
	p, q := l.probabilities(), m.probabilities()
	sum := 0.0
	for v := 1; v <= 6; v++ {
		sum += p[v] * q[v]
	}
	return sum
}

// probabilities returns that of each number, 1 to 6.
func (l *looks) probabilities() (p [7]float64) {
	sum := 0.0
	for v := 1; v <= 6; v++ {
		p[v] = math.Exp(l.mean(v))
		sum += p[v]
	}
	for v := range p {
		p[v] /= sum
	}
	return p
}

// value returns the most likely number, 1 to 6, and its probability.
func (l *looks) value() (v int, p float64) {
	v = 1
	for i := 2; i <= 6; i++ {
		if l.mean(i) > l.mean(v) {
			v = i
		}
	}
	sum := 0.0
	for i := range l.Now {
		sum += math.Exp(l.mean(i) - l.mean(v))
	}
	return v, 1 / sum
}

package referee

import (
	"math"

	"davar/rules"
	"davar/rules/sighting"
)

// outlook is what the pictures at the end of a turn showed, kept small enough to keep it of every turn: for each
// place on the board (in the order of places) the likeliest number, the next one, and by how much that and all others
// are less likely. Four bytes a place; in JSON it is one short string.
type outlook []byte

const (
	outlookPlaces = 28
	// fineness is how many steps of an outlook make one unit of log-likelihood.
	fineness = 10
	// outlookWrong is by how much, as a logarithm of probability, another number must be likelier to contradict one.
	outlookWrong = 1.75
)

// outlook returns what these pictures show in short.
func (e *evidence) outlook() outlook {
	o := make(outlook, 0, 4*outlookPlaces)
	for i := range e.Points {
		l := &e.Points[i]
		n := l.N
		if l.Mixed > l.Pure {
			n = 0 // which of two colours is how many cannot be told
		}
		o = o.add(l.Count[:], -sighting.MaxCount, n)
	}
	for side := range e.Bar {
		o = o.add(e.Bar[side].Count[:], 0, e.Bar[side].N)
	}
	for side := range e.Off {
		o = o.add(e.Off[side].Count[:], 0, e.Off[side].N)
	}
	return o
}

// add appends one place, seen in n pictures, whose numbers begin with first.
func (o outlook) add(logs []logit, first, n int) outlook {
	best, next, third := -1, -1, logit(math.Inf(-1))
	for i, l := range logs {
		switch {
		case best < 0 || l > logs[best]:
			if next >= 0 {
				third = max(third, logs[next])
			}
			best, next = i, best
		case next < 0 || l > logs[next]:
			if next >= 0 {
				third = max(third, logs[next])
			}
			next = i
		default:
			third = max(third, l)
		}
	}
	step := func(l logit) byte {
		return byte(min(float64(logs[best]-l)*weight(n)*fineness, math.MaxUint8))
	}
	return append(o, byte(int8(best+first)), byte(int8(next+first)), step(logs[next]), step(third))
}

// best returns the likeliest number in a place, and whether anything speaks for it.
func (o outlook) best(place int) (n int, seen bool) {
	cell := o[4*place : 4*place+4]
	return int(int8(cell[0])), cell[3] > 0
}

// against returns what speaks against a number in a place, 0 or less.
func (o outlook) against(place, n int) float64 {
	cell := o[4*place : 4*place+4]
	switch int8(n) {
	case int8(cell[0]):
		return 0
	case int8(cell[1]):
		return -float64(cell[2]) / fineness
	}
	return -float64(cell[3]) / fineness
}

// in returns how many checkers the position has in each place: light's positive on a point.
func in(pos *rules.Position) (n [outlookPlaces]int) {
	light, dark := &pos.Checkers[rules.Light], &pos.Checkers[rules.Dark]
	for p := 1; p <= 24; p++ {
		n[p-1] = int(light[p]) - int(dark[25-p])
	}
	n[24], n[25] = int(light[rules.Bar]), int(dark[rules.Bar])
	n[26], n[27] = int(light[rules.Off]), int(dark[rules.Off])
	return n
}

// differing returns the places in which the two positions differ.
func differing(a, b *rules.Position) (p places) {
	m, n := in(a), in(b)
	for place := range m {
		if m[place] != n[place] {
			p |= 1 << place
		}
	}
	return p
}

// same returns the places in which both outlooks show the same number.
func (o outlook) same(other outlook) (p places) {
	if len(o) < 4*outlookPlaces || len(other) < 4*outlookPlaces {
		return 0
	}
	for place := range outlookPlaces {
		a, seenA := o.best(place)
		b, seenB := other.best(place)
		if a == b && seenA && seenB {
			p |= 1 << place
		}
	}
	return p
}

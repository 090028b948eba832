package vision

import (
	"cmp"
	"math"
	"slices"
)

// numerals are what the reader can tell on a thing with a numeral on it, in the order of its outputs; the first one
// says that the numeral cannot be told. The doubling cube has the next six, the last four are only on dice that
// have figures instead of pips.
var numerals = [...]int{0, 2, 4, 8, 16, 32, 64, 1, 3, 5, 6}

const cubeNumerals = 7 // numerals from here on no cube has

// sortNumbered tells the doubling cube from dice with figures instead of pips among the things with a numeral: the
// cube has one of its numerals, and of several it is the one that is surest, and that the finding network too takes
// rather for a cube than for a die. Dice get their number from the figure.
func sortNumbered(things []look) (dice []look, cube *look) {
	slices.SortStableFunc(things, func(a, b look) int { return cmp.Compare(b.asCube(), a.asCube()) })
	for i := range things {
		l := &things[i]
		if i == 0 && l.isCube() {
			cube = l
			continue
		}
		l.value = [7]float32{l.numeral[0]}
		for k, n := range numerals {
			if n >= 1 && n <= 6 {
				l.value[n] = l.numeral[k]
			} else {
				l.value[0] += l.numeral[k]
			}
		}
		dice = append(dice, *l)
	}
	return dice, cube
}

// cubeHeatWeight is how much the finding network's opinion, a difference of logits, counts in telling a cube from dice.
const cubeHeatWeight = 2

// asCube ranks things with a numeral by how likely each is the cube.
func (l *look) asCube() float32 {
	return l.real * l.onCube() * logistic(float32(cubeHeatWeight*l.cubeHeat))
}

// isCube tells whether it is rather the cube than a die with a figure: by its numeral, and by what the finding network takes it for.
func (l *look) isCube() bool { return logOdds(l.onCube())+l.cubeHeat >= 0 }

// cubeHeat returns by how much, in logits, the finding network takes what lies within reach of at rather for a cube than
// for a die.
func cubeHeat(spots []spot, at Pixel, reach float64) float64 {
	die, cube := float64(enoughHeat), float64(enoughHeat)
	for _, p := range spots {
		if math.Hypot(p.at.X-at.X, p.at.Y-at.Y) > reach {
			continue
		}
		if p.cube {
			cube = max(cube, p.heat)
		} else {
			die = max(die, p.heat)
		}
	}
	return cube - die
}

// onCube returns the probability that the numeral is one of the doubling cube's.
func (l *look) onCube() float32 {
	var p float32
	for i := range cubeNumerals {
		p += l.numeral[i]
	}
	return p
}

// cubeOf puts what the reader saw into the words of the contract; nil stays nil.
func cubeOf(l *look, g *Geometry) *Cube {
	if l == nil {
		return nil
	}
	c := &Cube{Center: l.at, Real: l.real, Values: make(map[int]float32, cubeNumerals-1)}
	for i, n := range numerals[1:cubeNumerals] {
		c.Values[n] = l.numeral[i+1]
	}
	c.U, c.V = g.ToBoard(Pixel{l.at.X - l.up.X, l.at.Y - l.up.Y})
	return c
}

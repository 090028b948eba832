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

// sortNumbered tells the doubling cube from dice with figures instead of pips among the things with a numeral, and among the faint ones of
// these: the cube has one of its numerals, and of several it is the one that is surest, and that the finding network too takes
// rather for a cube than for a die. Dice get their number from the figure. Faint ones are thought of where there surely are dice with figures.
func sortNumbered(things, faint []look) (dice, faintDice []look, cube *look) {
	figures := 0
	for i := range things {
		if things[i].onCube() < 0.5 {
			figures++
		}
	}
	among := figures >= someFigures
	if among {
		things = distinct(slices.Concat(things, faint))
	}
	slices.SortStableFunc(things, func(a, b look) int { return cmp.Compare(b.asCube(), a.asCube()) })
	for i := range things {
		l := &things[i]
		switch {
		case cube == nil && (i == 0 || among) && l.isCube(among):
			cube = l
		case l.real < enoughReal:
			faintDice = append(faintDice, l.byFigure())
		default:
			dice = append(dice, l.byFigure())
		}
	}
	if cube != nil {
		ofCube := func(l look) bool { return distance(l.at, cube.at) < cubeFaces*cube.size }
		dice, faintDice = slices.DeleteFunc(dice, ofCube), slices.DeleteFunc(faintDice, ofCube)
	}
	return dice, faintDice, cube
}

// cubeFaces is how far from the cube's middle, in its edges, a numeral may lie that is on one of its sides; no die lies as near.
const cubeFaces = 0.8

// byFigure returns it as a die whose number is its figure.
func (l *look) byFigure() look {
	die := *l
	die.value = [7]float32{l.numeral[0]}
	for k, n := range numerals {
		if n >= 1 && n <= 6 {
			die.value[n] = l.numeral[k]
		} else {
			die.value[0] += l.numeral[k]
		}
	}
	return die
}

// Of dice with figures each third shows one that cubes have, too.
const (
	someFigures = 2   // so many things with a figure that no cube has: there are dice with figures
	figuresTell = 0.4 // then a cube's numeral makes a cube likelier by no more than this, a logit
)

// cubeHeatWeight is how much the finding network's opinion, a difference of logits, counts in telling a cube from dice.
const cubeHeatWeight = 2

// asCube ranks things with a numeral by how likely each is the cube.
func (l *look) asCube() float32 {
	return l.real * l.onCube() * logistic(float32(cubeHeatWeight*l.cubeHeat))
}

// isCube tells whether it is rather the cube than a die with a figure: by its numeral, and by what the finding network takes it for;
// among tells whether there are dice with figures.
func (l *look) isCube(among bool) bool {
	told := logOdds(l.onCube())
	if among {
		told = min(told, figuresTell)
	}
	return told+l.cubeHeat >= 0
}

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

package refereetest

import (
	"davar/rules"
	"davar/rules/sighting"
)

// dieReading is how a die is read as long as it lies.
type dieReading struct {
	missed bool
	number int
	next   int     // what it may show instead
	sure   float64 // probability that the number claims; 0: beyond doubt
	rest   float64 // share of the rest that next has
	tilt   float64 // probability of leaning
	real   float64 // probability of being a die
}

// Where a noise does not say what is read of dice, it is this.
const (
	surelyReal  = 0.98
	surelyFlat  = 0.02
	surelyLeans = 0.98
)

// readDie returns how a die is read.
func (e *Eye) readDie(d Die) dieReading {
	n := &e.noise.Dice
	r := dieReading{missed: e.chance(n.Missed), number: d.Value, real: e.draw(n.Real, surelyReal)}
	switch {
	case e.chance(n.Value):
		r.number, r.next, r.sure, r.rest = e.otherNumber(d.Value), d.Value, e.draw(n.ValueSure, 0), n.Truth
	case e.chance(n.Unsure):
		r.next, r.sure, r.rest = e.otherNumber(d.Value), e.draw(n.UnsureP, 0), most
	default:
		r.next, r.sure, r.rest = e.otherNumber(d.Value), e.draw(n.Certain, 0), most
	}
	wrong := e.chance(n.leans(d.Cocked))
	otherwise := surelyFlat
	if d.Cocked != wrong {
		otherwise = surelyLeans
	}
	r.tilt = e.draw(n.tilts(d.Cocked, wrong), otherwise)
	return r
}

func (e *Eye) seeDice(b *Board, s *sighting.Sighting) {
	n := &e.noise.Dice
	for _, d := range b.Dice {
		if d.Covered {
			s.DiceHidden = true
			continue
		}
		r := e.stuckDie(d)
		if e.afresh(n.Persist) {
			r = e.readDie(d)
		}
		if !r.missed {
			s.Dice = append(s.Dice, e.die(&r, d))
		}
	}
	ghost := e.ghost
	if ghost == nil && e.chance(n.False*(1-n.Persist)) {
		ghost = e.falseDie()
	}
	if ghost != nil {
		r := dieReading{number: ghost.Value, tilt: e.draw(n.Flat, surelyFlat), real: e.draw(n.FalseReal, 0)}
		s.Dice = append(s.Dice, e.die(&r, *ghost))
	}
}

// stuckDie returns how the die is read as long as it lies there.
func (e *Eye) stuckDie(d Die) dieReading {
	d.Covered = false
	r, known := e.dice[d]
	if known {
		return r
	}
	if len(e.dice) > 64 {
		clear(e.dice)
	}
	r = e.readDie(d)
	e.dice[d] = r
	return r
}

// otherNumber returns what a die that shows n is taken for.
func (e *Eye) otherNumber(n int) int {
	if len(e.noise.Dice.Confused) == 6 {
		row, sum := e.noise.Dice.Confused[n-1], 0.0
		for i, w := range row {
			if i != n-1 {
				sum += w
			}
		}
		for i, at := range row {
			if i == n-1 {
				continue
			}
			if sum > 0 && e.rng.Float64() < at/sum {
				return i + 1
			}
			sum -= at
		}
	}
	return 1 + (n+e.rng.IntN(5))%6
}

// falseDie returns a die that is not there.
func (e *Eye) falseDie() *Die {
	half := sighting.Place(e.rng.IntN(2))
	u := float32(0.1+0.3*e.rng.Float64()) + 0.5*float32(half)
	return &Die{Value: 1 + e.rng.IntN(6), Place: half, Half: half, U: u, V: float32(0.1 + 0.8*e.rng.Float64())}
}

// die returns what a picture shows of a die that is read so.
func (e *Eye) die(r *dieReading, d Die) sighting.Die {
	seen := sighting.Die{
		Place: d.Place, Half: d.Half, Real: float32(r.real), U: d.U, V: d.V, Light: 0.95, Cocked: float32(r.tilt),
	}
	if d.Owner == rules.Dark {
		seen.Light = 0.05
	}
	if r.sure > 0 {
		admit(seen.Values[:], r.number, r.next, r.sure, r.rest)
		return seen
	}
	doubt := float32(e.noise.Dice.Doubt)
	for v := range seen.Values {
		seen.Values[v] = doubt / 7
	}
	seen.Values[r.number] += 1 - doubt
	return seen
}

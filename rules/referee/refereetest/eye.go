package refereetest

import (
	"math/rand/v2"
	"time"

	"davar/rules"
	"davar/rules/sighting"
)

// Eye is a model camera: it looks at boards and gives sightings. Equal seeds and boards give equal sightings.
type Eye struct {
	noise Noise
	rng   *rand.Rand
	last  Board
	stuck [25]int            // what each of light's points is taken for as long as it stays as it is
	wrong [25]bool           // whether that is a misreading
	dim   [25]bool           // whether it is in doubt
	dice  map[Die]misreadDie // how dice are read as long as they lie
	ghost *Die               // a thing beside the dice that is taken for one all the time
	seen  bool
}

// misreadDie is what goes wrong with a die as long as it lies.
type misreadDie struct {
	number  int // 0: read right
	missed  bool
	leaning bool // the other way than it is
}

// NewEye returns an eye of that noise.
func NewEye(noise Noise, seed uint64) *Eye {
	e := &Eye{noise: noise, rng: rand.New(rand.NewPCG(seed, 0x5eed)), dice: map[Die]misreadDie{}}
	if e.chance(noise.Dice.False * noise.Dice.Persist) {
		e.ghost = e.falseDie()
	}
	return e
}

// Look returns what the eye sees of the board in the picture taken at t; false when the picture is lost.
func (e *Eye) Look(b *Board, t time.Duration, frame int) (sighting.Sighting, bool) {
	moved := e.seen && !sameBoard(&e.last, b)
	if moved || !e.seen {
		e.stick(b)
	}
	e.last, e.seen = *b, true
	if b.Scene != sighting.SceneClear {
		return sighting.Sighting{T: t, Frame: frame, Scene: b.Scene, DiceHidden: true}, true
	}
	if e.chance(e.noise.Drop) {
		return sighting.Sighting{}, false
	}
	s := sighting.Sighting{T: t, Frame: frame, DiceHidden: b.Air}
	s.Still = !b.Hand && !b.Air && !moved
	if b.Hand || b.Air {
		s.Hand = 1
	}
	if b.Hand && b.Reaching != nil {
		s.Reach[*b.Reaching] = 0.97
	}
	e.points(b, &s)
	for side := rules.Light; side <= rules.Dark; side++ {
		s.Bar[side] = e.pile(int(b.Position.Checkers[side][rules.Bar]), true)
		s.Off[side] = e.pile(int(b.Position.Checkers[side][rules.Off]), !e.noise.NoTray)
	}
	e.seeDice(b, &s)
	if b.Cube != nil {
		cube := *b.Cube
		s.Cube = &cube
	}
	return s, true
}

func (e *Eye) chance(share float64) bool { return share > 0 && e.rng.Float64() < share }

// stick draws anew what is misread until the board changes again.
func (e *Eye) stick(b *Board) {
	n := &e.noise.Points
	for p := 1; p <= 24; p++ {
		if e.seen && e.last.count(p) == b.count(p) && e.last.mixed(p) == b.mixed(p) {
			continue
		}
		truth := b.count(p)
		e.stuck[p], e.wrong[p] = truth, false
		if e.chance(n.of(truth) * n.Persist) {
			e.stuck[p], e.wrong[p] = e.misread(truth), true
		}
		e.dim[p] = e.chance(n.Unsure)
	}
}

func (e *Eye) points(b *Board, s *sighting.Sighting) {
	from, to := 25, 0
	if s.Hand > 0 && e.noise.Hidden > 0 {
		width := 1 + int(24*e.noise.Hidden*2*e.rng.Float64())
		from = 1 + e.rng.IntN(24)
		to = from + width - 1
	}
	n := &e.noise.Points
	for p := 1; p <= 24; p++ {
		view := &s.Points[p-1]
		if p >= from && p <= to {
			view.Hidden = true
			view.Counts = evenCounts()
			continue
		}
		truth, read, wrong := b.count(p), e.stuck[p], e.wrong[p]
		if e.chance(n.of(truth) * (1 - n.Persist)) {
			read, wrong = e.misread(truth), true
		}
		view.Counts = e.counts(read)
		switch {
		case wrong && n.Sure > 0:
			admit(view.Counts[:], sighting.MaxCount+read, sighting.MaxCount+truth, n.Sure)
		case e.dim[p] && n.UnsureP > 0:
			next := e.neighbour(read)
			admit(view.Counts[:], sighting.MaxCount+read, sighting.MaxCount+next, n.UnsureP)
		}
		if b.mixed(p) && !e.noise.NoMixed {
			view.Mixed = 0.99
		} else {
			view.Mixed = 0.001
		}
	}
}

// admit leaves what is read only so much probability and gives most of the rest to another reading.
func admit(p []float32, read, other int, sure float64) {
	take := p[read] * float32(1-sure)
	p[read] -= take
	p[other] += 0.8 * take
	for i := range p {
		p[i] += 0.2 * take / float32(len(p))
	}
}

// misread returns what a point with n checkers is taken for.
func (e *Eye) misread(n int) int {
	if n != 0 && e.chance(e.noise.Points.Colour) {
		return -n
	}
	wrong := e.neighbour(n)
	if n != 0 && e.chance(e.noise.Points.Far) {
		if far := 2*wrong - n; abs(float64(far)) <= sighting.MaxCount && far*n >= 0 {
			wrong = far
		}
	}
	return wrong
}

// neighbour returns n with one checker more or less; an empty point shows a checker of either colour.
func (e *Eye) neighbour(n int) int {
	by := 1 - 2*e.rng.IntN(2)
	switch {
	case n == 0:
		return by
	case n == sighting.MaxCount, n == -sighting.MaxCount:
		return n - sign(n)
	}
	return n + by*sign(n)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func evenCounts() (c sighting.Counts) {
	for i := range c {
		c[i] = 1.0 / float32(len(c))
	}
	return c
}

// counts spreads the doubt over the neighbours of n, a little of it over all.
func (e *Eye) counts(n int) (c sighting.Counts) {
	doubt := float32(e.noise.Points.Doubt) * (0.5 + e.rng.Float32())
	crumb := doubt * 0.2 / float32(len(c))
	for i := range c {
		c[i] = crumb
	}
	rest := 1 - crumb*float32(len(c))
	side := doubt * 0.4
	for _, m := range [2]int{n - 1, n + 1} {
		if i := sighting.MaxCount + m; i >= 0 && i < len(c) {
			c[i] += side
			rest -= side
		}
	}
	c[sighting.MaxCount+n] += rest
	return c
}

func (e *Eye) pile(n int, visible bool) (p sighting.Pile) {
	p.Visible = visible
	doubt := float32(e.noise.Points.Doubt)
	for i := range p.P {
		p.P[i] = doubt / float32(len(p.P))
	}
	p.P[min(n, sighting.MaxCount)] += 1 - doubt
	return p
}

func (e *Eye) seeDice(b *Board, s *sighting.Sighting) {
	n := &e.noise.Dice
	for _, d := range b.Dice {
		if d.Covered {
			s.DiceHidden = true
			continue
		}
		m := e.stuckDie(d)
		fleeting := 1 - n.Persist
		if m.missed || e.chance(n.Missed*fleeting) {
			continue
		}
		value, cocked := d.Value, d.Cocked != m.leaning
		if m.number != 0 {
			value = m.number
		} else if e.chance(n.Value * fleeting) {
			value = e.otherNumber(d.Value)
		}
		if e.chance(n.leans(d.Cocked) * fleeting) {
			cocked = !d.Cocked
		}
		seen := e.die(value, cocked, d)
		if cocked != d.Cocked {
			seen.Cocked = n.tilt(d.Cocked)
		}
		if value != d.Value && n.ValueSure > 0 {
			admit(seen.Values[:], value, d.Value, n.ValueSure)
		}
		s.Dice = append(s.Dice, seen)
	}
	ghost := e.ghost
	if ghost == nil && e.chance(n.False*(1-n.Persist)) {
		ghost = e.falseDie()
	}
	if ghost != nil {
		seen := e.die(ghost.Value, false, *ghost)
		seen.Real = float32(n.FalseReal)
		s.Dice = append(s.Dice, seen)
	}
}

// leans returns the share of dice that lean, or lie flat, and are taken for the other.
func (n *DiceNoise) leans(cocked bool) float64 {
	if cocked {
		return n.LeaningFlat
	}
	return n.FlatLeans
}

// tilt returns the probability of leaning that such an error claims.
func (n *DiceNoise) tilt(cocked bool) float32 {
	if cocked {
		return float32(n.LeaningTilt)
	}
	return float32(n.FlatTilt)
}

// stuckDie returns how the die is misread as long as it lies there.
func (e *Eye) stuckDie(d Die) misreadDie {
	d.Covered = false
	m, known := e.dice[d]
	if known {
		return m
	}
	if len(e.dice) > 64 {
		clear(e.dice)
	}
	n := &e.noise.Dice
	m.missed = e.chance(n.Missed * n.Persist)
	m.leaning = e.chance(n.leans(d.Cocked) * n.Persist)
	if e.chance(n.Value * n.Persist) {
		m.number = e.otherNumber(d.Value)
	}
	e.dice[d] = m
	return m
}

func (e *Eye) otherNumber(n int) int { return 1 + (n+e.rng.IntN(5))%6 }

// falseDie returns a die that is not there.
func (e *Eye) falseDie() *Die {
	half := sighting.Place(e.rng.IntN(2))
	u := float32(0.1+0.3*e.rng.Float64()) + 0.5*float32(half)
	return &Die{Value: 1 + e.rng.IntN(6), Place: half, Half: half, U: u, V: float32(0.1 + 0.8*e.rng.Float64())}
}

func (e *Eye) die(value int, cocked bool, d Die) sighting.Die {
	seen := sighting.Die{Place: d.Place, Half: d.Half, Real: 0.98, U: d.U, V: d.V, Light: 0.95, Cocked: 0.02}
	if cocked {
		seen.Cocked = 0.98
	}
	if d.Owner == rules.Dark {
		seen.Light = 0.05
	}
	doubt := float32(e.noise.Points.Doubt)
	for v := range seen.Values {
		seen.Values[v] = doubt / 7
	}
	seen.Values[value] += 1 - doubt
	return seen
}

func sameBoard(a, b *Board) bool {
	if a.Position != b.Position || a.Scene != b.Scene || a.Hand != b.Hand || a.Air != b.Air || len(a.Dice) != len(b.Dice) {
		return false
	}
	for i := range a.Dice {
		if a.Dice[i] != b.Dice[i] {
			return false
		}
	}
	if a.Cube == nil || b.Cube == nil {
		return a.Cube == b.Cube
	}
	return *a.Cube == *b.Cube
}

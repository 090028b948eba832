package refereetest

import (
	"math/rand/v2"
	"time"

	"davar/rules"
	"davar/rules/sighting"
)

// Noise says how badly the model camera sees. The zero value sees perfectly. All shares are 0...1.
type Noise struct {
	// Misread is the share of points read one checker wrong in one picture, Sticky the share that stays
	// misread as long as nothing moves: the same stack in the same light is misread the same way each time.
	Misread float64 `json:"misread"`
	Sticky  float64 `json:"sticky"`
	// Doubt is the share of probability a reading gives away to its neighbours.
	Doubt float64 `json:"doubt"`
	// Hidden is the share of points that a hand over the board hides, one or more of them next to each other.
	Hidden float64 `json:"hidden"`
	// MissDie, FalseDie and DieValue are the shares of pictures in which a die is not seen, one too many is seen,
	// a die is read with a wrong number.
	MissDie  float64 `json:"miss_die"`
	FalseDie float64 `json:"false_die"`
	DieValue float64 `json:"die_value"`
	// Cocked is the share of flat dice taken for leaning and of leaning ones taken for flat, in one picture.
	Cocked float64 `json:"cocked"`
	// NoMixed hides from the eye that both colours stand on a point, NoTray what was borne off.
	NoMixed bool `json:"no_mixed"`
	NoTray  bool `json:"no_tray"`
	// Drop is the share of pictures that are lost.
	Drop float64 `json:"drop"`
}

// MeasuredNoise is about what a usual camera over a usual board gives.
func MeasuredNoise() Noise {
	return Noise{
		Misread: 0.004, Sticky: 0.001, Doubt: 0.02, Hidden: 0.2, MissDie: 0.01, FalseDie: 0.003,
		DieValue: 0.01, Cocked: 0.01, Drop: 0.01,
	}
}

// Times returns the noise with all shares k times as high.
func (n Noise) Times(k float64) Noise {
	for _, share := range []*float64{
		&n.Misread, &n.Sticky, &n.Doubt, &n.Hidden, &n.MissDie, &n.FalseDie, &n.DieValue, &n.Cocked, &n.Drop,
	} {
		*share = min(*share*k, 0.9)
	}
	return n
}

// Eye is a model camera: it looks at boards and gives sightings. Equal seeds and boards give equal sightings.
type Eye struct {
	noise Noise
	rng   *rand.Rand
	last  Board
	stuck [25]int // sticky misreading of each of light's points, in checkers
	seen  bool
}

// NewEye returns an eye of that noise.
func NewEye(noise Noise, seed uint64) *Eye {
	return &Eye{noise: noise, rng: rand.New(rand.NewPCG(seed, 0x5eed))}
}

// Look returns what the eye sees of the board in the picture taken at t; false when the picture is lost.
func (e *Eye) Look(b *Board, t time.Duration, frame int) (sighting.Sighting, bool) {
	moved := e.seen && !sameBoard(&e.last, b)
	if moved || !e.seen {
		e.stick(b)
	}
	e.last, e.seen = *b, true
	if e.chance(e.noise.Drop) {
		return sighting.Sighting{}, false
	}
	s := sighting.Sighting{T: t, Frame: frame, DiceHidden: b.Air}
	s.Still = !b.Hand && !b.Air && !moved
	if b.Hand || b.Air {
		s.Hand = 1
	}
	e.points(b, &s)
	for side := rules.Light; side <= rules.Dark; side++ {
		s.Bar[side] = e.pile(int(b.Position.Checkers[side][rules.Bar]), true)
		s.Off[side] = e.pile(int(b.Position.Checkers[side][rules.Off]), !e.noise.NoTray)
	}
	e.dice(b, &s)
	if b.Cube != nil {
		cube := *b.Cube
		s.Cube = &cube
	}
	return s, true
}

func (e *Eye) chance(share float64) bool { return share > 0 && e.rng.Float64() < share }

// stick draws anew which points are misread until the board changes again.
func (e *Eye) stick(b *Board) {
	for p := 1; p <= 24; p++ {
		if e.seen && e.last.count(p) == b.count(p) && e.last.mixed(p) == b.mixed(p) {
			continue
		}
		e.stuck[p] = 0
		if e.chance(e.noise.Sticky) {
			e.stuck[p] = 1 - 2*e.rng.IntN(2)
		}
	}
}

func (e *Eye) points(b *Board, s *sighting.Sighting) {
	from, to := 25, 0
	if s.Hand > 0 && e.noise.Hidden > 0 {
		width := 1 + int(24*e.noise.Hidden*2*e.rng.Float64())
		from = 1 + e.rng.IntN(24)
		to = from + width - 1
	}
	for p := 1; p <= 24; p++ {
		view := &s.Points[p-1]
		if p >= from && p <= to {
			view.Hidden = true
			view.Counts = evenCounts()
			continue
		}
		n, wrong := b.count(p), e.stuck[p]
		if e.chance(e.noise.Misread) {
			wrong += 1 - 2*e.rng.IntN(2)
		}
		if wrong != 0 {
			n = misread(n, wrong)
		}
		view.Counts = e.counts(n)
		if b.mixed(p) && !e.noise.NoMixed {
			view.Mixed = 0.99
		} else {
			view.Mixed = 0.001
		}
	}
}

// misread is n with one checker more or less; an empty point shows a checker of either colour.
func misread(n, by int) int {
	switch {
	case n == 0:
		return by
	case n > 0:
		return min(n+by, sighting.MaxCount)
	default:
		return max(n-by, -sighting.MaxCount)
	}
}

func evenCounts() (c sighting.Counts) {
	for i := range c {
		c[i] = 1.0 / float32(len(c))
	}
	return c
}

// counts spreads the doubt over the neighbours of n, a little of it over all.
func (e *Eye) counts(n int) (c sighting.Counts) {
	doubt := float32(e.noise.Doubt) * (0.5 + e.rng.Float32())
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
	doubt := float32(e.noise.Doubt)
	for i := range p.P {
		p.P[i] = doubt / float32(len(p.P))
	}
	p.P[min(n, sighting.MaxCount)] += 1 - doubt
	return p
}

func (e *Eye) dice(b *Board, s *sighting.Sighting) {
	for _, d := range b.Dice {
		if d.Covered {
			s.DiceHidden = true
			continue
		}
		if e.chance(e.noise.MissDie) {
			continue
		}
		value := d.Value
		if e.chance(e.noise.DieValue) {
			value = 1 + (value+e.rng.IntN(5))%6
		}
		cocked := d.Cocked != e.chance(e.noise.Cocked)
		s.Dice = append(s.Dice, e.die(value, cocked, d))
	}
	if e.chance(e.noise.FalseDie) {
		half := sighting.Place(e.rng.IntN(2))
		u := float32(0.1+0.3*e.rng.Float64()) + 0.5*float32(half)
		ghost := Die{Place: half, Half: half, U: u, V: float32(0.1 + 0.8*e.rng.Float64())}
		s.Dice = append(s.Dice, e.die(1+e.rng.IntN(6), false, ghost))
	}
}

func (e *Eye) die(value int, cocked bool, d Die) sighting.Die {
	seen := sighting.Die{Place: d.Place, Half: d.Half, Real: 0.98, U: d.U, V: d.V, Light: 0.95, Cocked: 0.02}
	if cocked {
		seen.Cocked = 0.98
	}
	if d.Owner == rules.Dark {
		seen.Light = 0.05
	}
	doubt := float32(e.noise.Doubt)
	for v := range seen.Values {
		seen.Values[v] = doubt / 7
	}
	seen.Values[value] += 1 - doubt
	return seen
}

func sameBoard(a, b *Board) bool {
	if a.Position != b.Position || a.Hand != b.Hand || a.Air != b.Air || len(a.Dice) != len(b.Dice) {
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

package refereetest

import (
	"encoding/json"
	"fmt"
	"io"
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
	// Sure is the probability a misreading claims for itself, the most of the rest going to the truth; 0: as sure as
	// of what it reads right.
	Sure float64 `json:"sure"`
	// Doubt is the share of probability a reading gives away to its neighbours.
	Doubt float64 `json:"doubt"`
	// Hidden is the share of points that a hand over the board hides, one or more of them next to each other.
	Hidden float64 `json:"hidden"`
	// MissDie, FalseDie and DieValue are the shares of pictures in which a die is not seen, one too many is seen,
	// a die is read with a wrong number; DieSticky that of dice misread the same way as long as they lie.
	MissDie   float64 `json:"miss_die"`
	FalseDie  float64 `json:"false_die"`
	DieValue  float64 `json:"die_value"`
	DieSticky float64 `json:"die_sticky"`
	// Cocked is the share of flat dice taken for leaning and of leaning ones taken for flat, in one picture.
	Cocked float64 `json:"cocked"`
	// NoMixed hides from the eye that both colours stand on a point, NoTray what was borne off.
	NoMixed bool `json:"no_mixed"`
	NoTray  bool `json:"no_tray"`
	// Drop is the share of pictures that are lost.
	Drop float64 `json:"drop"`
}

// ReadNoise reads a noise file: one JSON object; an unknown name or a share outside 0...1 is an error.
func ReadNoise(file io.Reader) (Noise, error) {
	var n Noise
	d := json.NewDecoder(file)
	d.DisallowUnknownFields()
	if err := d.Decode(&n); err != nil {
		return Noise{}, fmt.Errorf("refereetest: read noise: %w", err)
	}
	for _, share := range n.shares() {
		if *share < 0 || *share > 1 {
			return Noise{}, fmt.Errorf("refereetest: read noise: %v is no share, want 0 to 1", *share)
		}
	}
	if n.Sure < 0 || n.Sure > 1 {
		return Noise{}, fmt.Errorf("refereetest: read noise: sure %v is no probability, want 0 to 1", n.Sure)
	}
	return n, nil
}

// MeasuredNoise is about what a usual camera over a usual board gives.
func MeasuredNoise() Noise {
	return Noise{
		Misread: 0.004, Sticky: 0.001, Sure: 0.8, Doubt: 0.02, Hidden: 0.2, MissDie: 0.01, FalseDie: 0.003,
		DieValue: 0.01, DieSticky: 0.003, Cocked: 0.01, Drop: 0.01,
	}
}

// Times returns the noise with all shares k times as high.
func (n Noise) Times(k float64) Noise {
	for _, share := range n.shares() {
		*share = min(*share*k, 0.9)
	}
	return n
}

func (n *Noise) shares() []*float64 {
	return []*float64{
		&n.Misread, &n.Sticky, &n.Doubt, &n.Hidden, &n.MissDie, &n.FalseDie, &n.DieValue, &n.DieSticky, &n.Cocked,
		&n.Drop,
	}
}

// Eye is a model camera: it looks at boards and gives sightings. Equal seeds and boards give equal sightings.
type Eye struct {
	noise Noise
	rng   *rand.Rand
	last  Board
	stuck [25]int     // sticky misreading of each of light's points, in checkers
	wrong map[Die]int // dice that are misread as long as they lie: 0 read right
	seen  bool
}

// NewEye returns an eye of that noise.
func NewEye(noise Noise, seed uint64) *Eye {
	return &Eye{noise: noise, rng: rand.New(rand.NewPCG(seed, 0x5eed)), wrong: map[Die]int{}}
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
		truth, wrong := b.count(p), e.stuck[p]
		if e.chance(e.noise.Misread) {
			wrong += 1 - 2*e.rng.IntN(2)
		}
		n := truth
		if wrong != 0 {
			n = misread(n, wrong)
		}
		view.Counts = e.counts(n)
		if n != truth && e.noise.Sure > 0 {
			admit(view.Counts[:], sighting.MaxCount+n, sighting.MaxCount+truth, e.noise.Sure)
		}
		if b.mixed(p) && !e.noise.NoMixed {
			view.Mixed = 0.99
		} else {
			view.Mixed = 0.001
		}
	}
}

// admit leaves a misreading only so much probability and gives most of the rest to the truth.
func admit(p []float32, wrong, truth int, sure float64) {
	if take := p[wrong] * float32(1-sure); truth >= 0 && truth < len(p) {
		p[wrong] -= take
		p[truth] += 0.8 * take
		for i := range p {
			p[i] += 0.2 * take / float32(len(p))
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
		value := e.number(d)
		cocked := d.Cocked != e.chance(e.noise.Cocked)
		seen := e.die(value, cocked, d)
		if value != d.Value && e.noise.Sure > 0 {
			admit(seen.Values[:], value, d.Value, e.noise.Sure)
		}
		s.Dice = append(s.Dice, seen)
	}
	if e.chance(e.noise.FalseDie) {
		half := sighting.Place(e.rng.IntN(2))
		u := float32(0.1+0.3*e.rng.Float64()) + 0.5*float32(half)
		ghost := Die{Place: half, Half: half, U: u, V: float32(0.1 + 0.8*e.rng.Float64())}
		s.Dice = append(s.Dice, e.die(1+e.rng.IntN(6), false, ghost))
	}
}

// number returns what the eye reads on a die now.
func (e *Eye) number(d Die) int {
	d.Covered = false
	wrong, known := e.wrong[d]
	if !known {
		if len(e.wrong) > 64 {
			clear(e.wrong)
		}
		if e.chance(e.noise.DieSticky) {
			wrong = 1 + (d.Value+e.rng.IntN(5))%6
		}
		e.wrong[d] = wrong
	}
	switch {
	case wrong != 0:
		return wrong
	case e.chance(e.noise.DieValue):
		return 1 + (d.Value+e.rng.IntN(5))%6
	}
	return d.Value
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

package refereetest

import (
	"math"
	"math/rand/v2"
	"time"

	"davar/rules/sighting"
)

// Eye is a model camera that looks at one table. Equal seeds and boards give equal sightings.
type Eye struct {
	noise  Noise // at this table
	rng    *rand.Rand
	last   Board
	points [25]pointReading   // how each of light's points is read as long as it stays as it is
	dice   map[Die]dieReading // how dice are read as long as they lie
	palm   [2]int             // the points that a hand hides which lies there
	ghost  *Die               // a thing beside the dice that is taken for one all the time
	seen   bool
}

// NewEye returns an eye of that noise at a table of its own, which is as hard to read as the seed has it.
func NewEye(noise Noise, seed uint64) *Eye {
	e := &Eye{rng: rand.New(rand.NewPCG(seed, 0x5eed)), dice: map[Die]dieReading{}}
	e.noise = noise.At(e.difficulty(noise.Points.Spread), e.difficulty(noise.Dice.Spread))
	if d := &e.noise.Dice; e.chance(d.False * d.Persist) {
		e.ghost = e.falseDie()
	}
	return e
}

// difficulty returns how hard a table is to read: log-normal with mean 1 and that variance.
func (e *Eye) difficulty(variance float64) float64 {
	if variance <= 0 {
		return 1
	}
	v := math.Log1p(variance)
	return math.Exp(math.Sqrt(v)*e.rng.NormFloat64() - v/2)
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
	e.seePoints(b, &s)
	e.piles(b, &s)
	e.seeDice(b, &s)
	if b.Cube != nil {
		cube := *b.Cube
		s.Cube = &cube
	}
	return s, true
}

func (e *Eye) chance(share float64) bool { return share > 0 && e.rng.Float64() < share }

// draw returns one of the probabilities, each as likely as another; otherwise where there is none.
func (e *Eye) draw(list []float64, otherwise float64) float64 {
	if len(list) == 0 {
		return otherwise
	}
	return list[e.rng.IntN(len(list))]
}

// afresh tells whether a thing is read otherwise in this picture than as it came to lie.
func (e *Eye) afresh(persist float64) bool { return e.chance(1 - persist) }

// admit leaves what is read the probability p and gives most of the rest to another reading.
func admit(probs []float32, read, other int, p, share float64) {
	rest := 1 - p
	for i := range probs {
		probs[i] = float32(rest * (1 - share) / float64(len(probs)))
	}
	probs[other] += float32(rest * share)
	probs[read] += float32(p)
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

package refereetest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// Table is a played table before a model camera: what is done at it becomes sightings, presses and decisions, which
// go to the referee as they happen. All times are of the table's own clock, which begins at 0.
type Table struct {
	Referee *referee.Referee
	Board   Board
	Events  []referee.Event // all the referee said
	Said    []time.Duration // when each of them was said
	Inputs  []referee.Input // all he was given

	glances []glance // how right each still picture was

	eye    *Eye
	late   time.Duration   // for how long a picture is on its way
	onWay  []referee.Input // pictures taken and not yet there
	rng    *rand.Rand
	bottom rules.Side
	now    time.Duration
	frame  int
}

// NewTable returns a table with the starting position set up, the cube in the middle and nobody at it.
// It fails when the settings are not usable.
func NewTable(s referee.Settings, noise Noise, seed uint64) (*Table, error) {
	r, err := referee.New(s)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Referee: r, eye: NewEye(noise, seed), late: time.Duration(noise.DelayMS) * time.Millisecond,
		rng:   rand.New(rand.NewPCG(seed, 0x7ab1e)),
		Board: Board{Position: rules.Start(s.Options.Rules.Variant)},
	}
	if s.Layout.Bottom == rules.Dark.String() {
		t.bottom = rules.Dark
	}
	if s.Cube {
		t.PutCube(sighting.CubeMiddle, 64)
	}
	return t, nil
}

// Now returns the table's time.
func (t *Table) Now() time.Duration { return t.now }

func (t *Table) handle(in referee.Input) {
	t.Inputs = append(t.Inputs, in)
	t.Events = append(t.Events, t.Referee.Handle(in)...)
	for len(t.Said) < len(t.Events) {
		t.Said = append(t.Said, t.now)
	}
}

// deliver hands over the pictures that have arrived by now.
func (t *Table) deliver() {
	for len(t.onWay) > 0 && t.onWay[0].T+t.late <= t.now {
		t.handle(t.onWay[0])
		t.onWay = t.onWay[1:]
	}
}

// Idle lets d pass in which nobody looks: only the clock goes on.
func (t *Table) Idle(d time.Duration) {
	for end := t.now + d; t.now < end; t.now += time.Second / FrameRate {
		t.deliver()
		t.handle(referee.Input{T: t.now})
	}
}

// Wait lets d pass with the board as it lies.
func (t *Table) Wait(d time.Duration) {
	for end := t.now + d; t.now < end; {
		if s, ok := t.eye.Look(&t.Board, t.now, t.frame); ok {
			t.onWay = append(t.onWay, referee.Input{T: t.now, Sighting: &s})
			if s.Still {
				t.glances = append(t.glances, compare(&t.Board, &s))
			}
		}
		t.deliver()
		t.frame++
		t.now += time.Second / FrameRate
	}
}

// hand has a hand over the board for d while do is done at its beginning.
func (t *Table) hand(d time.Duration, do func()) {
	t.Board.Hand = true
	do()
	t.Wait(d)
	t.Board.Hand = false
}

// Reach has a hand over the board for d, without anything being changed.
func (t *Table) Reach(d time.Duration) { t.hand(d, func() {}) }

// Press has side press his clock.
func (t *Table) Press(side rules.Side) {
	t.handle(referee.Input{T: t.now - 10*time.Millisecond, Press: &referee.Press{Side: side}})
}

// Decide has somebody say the word.
func (t *Table) Decide(d referee.Decision) {
	t.handle(referee.Input{T: t.now - 10*time.Millisecond, Decision: &d})
}

// RightHalf returns the half of the picture that is side's right half.
func (t *Table) RightHalf(side rules.Side) sighting.Place {
	if side == t.bottom {
		return sighting.RightHalf
	}
	return sighting.LeftHalf
}

// Flat returns dice of side lying well in his right half, showing these numbers.
func (t *Table) Flat(side rules.Side, numbers ...int) []Die {
	dice := make([]Die, len(numbers))
	for i, n := range numbers {
		half := t.RightHalf(side)
		dice[i] = Die{Value: n, Place: half, Half: half, Owner: side}
		t.place(&dice[i], dice[:i])
	}
	return dice
}

// place finds a free spot in the die's half.
func (t *Table) place(d *Die, others []Die) {
	for range 100 {
		d.U = 0.06 + 0.36*t.rng.Float32()
		if d.Half == sighting.RightHalf {
			d.U += 0.52
		}
		d.V = 0.3 + 0.4*t.rng.Float32()
		if free(d, others) && free(d, t.Board.Dice) {
			return
		}
	}
}

// free tells whether the die lies apart from the others.
func free(d *Die, others []Die) bool {
	for i := range others {
		if du, dv := d.U-others[i].U, d.V-others[i].V; du*du+dv*dv < 0.06*0.06 {
			return false
		}
	}
	return true
}

// Throw has the dice thrown: in the air for a moment, then at rest for two seconds.
func (t *Table) Throw(dice ...Die) {
	t.Board.Air = true
	t.Wait(600 * time.Millisecond)
	t.Board.Air = false
	t.Board.Dice = append(append([]Die{}, t.Board.Dice...), dice...)
	t.Wait(2 * time.Second)
}

// Lift has the dice of side picked up.
func (t *Table) Lift(side rules.Side) {
	t.LiftBy(func(d *Die) bool { return d.Owner == side })
}

// LiftAll has all dice picked up.
func (t *Table) LiftAll() { t.LiftBy(func(*Die) bool { return true }) }

// LiftBy has the dice that match picked up.
func (t *Table) LiftBy(match func(*Die) bool) {
	t.takeUp(match)
	t.Wait(1200 * time.Millisecond)
}

// takeUp has a hand take the dice that match.
func (t *Table) takeUp(match func(*Die) bool) {
	t.Reach(500 * time.Millisecond)
	var left []Die
	for i := range t.Board.Dice {
		if !match(&t.Board.Dice[i]) {
			left = append(left, t.Board.Dice[i])
		}
	}
	t.Board.Dice = left
}

// Move has side make the moves by hand, legal or not, one checker after the other, written as players do.
func (t *Table) Move(side rules.Side, notation string) error {
	steps, err := rules.ParseNotation(notation)
	if err != nil {
		return err
	}
	for i := range steps {
		after, err := rules.Apply(&t.Board.Position, side, steps[i:i+1])
		if err != nil {
			return fmt.Errorf("refereetest: move %s: %w", notation, err)
		}
		t.hand(700*time.Millisecond, func() { t.Board.Position = after })
	}
	t.Wait(1500 * time.Millisecond)
	return nil
}

// Put has the checkers put as given.
func (t *Table) Put(p rules.Position) {
	t.hand(1500*time.Millisecond, func() { t.Board.Position = p })
	t.Wait(1500 * time.Millisecond)
}

// PutCube has the cube put there, that numeral up.
func (t *Table) PutCube(place sighting.CubePlace, value int) {
	t.Board.Cube = &sighting.Cube{Value: value, PValue: 0.97, Place: place, PPlace: 0.98}
}

// MoveCube has a hand put the cube there, that numeral up, and two seconds pass.
func (t *Table) MoveCube(place sighting.CubePlace, value int) {
	t.hand(700*time.Millisecond, func() { t.PutCube(place, value) })
	t.Wait(2 * time.Second)
}

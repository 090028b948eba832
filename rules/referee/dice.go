package referee

import (
	"cmp"
	"math"
	"slices"
	"time"

	"davar/rules"
	"davar/rules/sighting"
)

const (
	// sameDie is how far apart, as a share of the board, the centres of one resting die may be read.
	sameDie = 0.025
	// restPictures is in how many still pictures a die must lie in one place before it counts as at rest.
	restPictures = 3
	// goneAfter is in how many still pictures a die must be missing before it counts as lifted.
	goneAfter = 3
	// hiddenFor is for how long a die may be out of sight and, should it lie where it lay with the same number up, be
	// the same still: a hand was over it.
	hiddenFor = 2500 * time.Millisecond
)

// die is one die followed from picture to picture for as long as it rests in one place.
type die struct {
	ID      int           `json:"id"`
	U       float32       `json:"u"`
	V       float32       `json:"v"`
	First   time.Duration `json:"first"`
	Last    time.Duration `json:"last"`
	Rest    int           `json:"rest"`   // still pictures it was seen in
	Still   time.Duration `json:"still"`  // time of the first of them
	Spell   time.Duration `json:"spell"`  // beginning of the calm spell it was seen in last
	Spells  int           `json:"spells"` // how many calm spells it was seen in
	Hand    int           `json:"hand"`   // pictures it was seen in with a hand about
	Missed  int           `json:"missed"` // still pictures in a row in which it was not seen
	Looks   looks         `json:"looks"`  // what it shows
	Places  [5]int        `json:"places"`
	Halves  [2]int        `json:"halves"`
	Leaning int           `json:"leaning"` // still pictures in which it leaned
	Flat    int           `json:"flat"`    // of late in a row in which it lay flat
	Lean    time.Duration `json:"lean"`    // longest time it leaned without moving
	LeanAt  time.Duration `json:"lean_at"` // since when it leans, or 0
	Light   float32       `json:"light"`   // summed over the still pictures
	Real    float32       `json:"real"`    // summed over the still pictures
	Tilt    float32       `json:"tilt"`    // summed probability of leaning
	Spent   bool          `json:"spent"`   // belongs to a turn or throw that is over
	// Alone counts the still pictures that showed it and surely no other die of its throw, AloneTo is the last of them.
	Alone   int           `json:"alone,omitempty"`
	AloneTo time.Duration `json:"alone_to,omitempty"`
}

// tray follows all dice in view.
type dice struct {
	Next   int   `json:"next"`
	Seen   []die `json:"seen"`
	Lifted []die `json:"lifted,omitempty"` // gone lately, to know them again when they were only overlooked
}

// see takes the dice of one picture.
func (d *dice) see(s *sighting.Sighting, spell time.Duration) {
	taken := make([]bool, len(s.Dice))
	kept := d.Seen[:0]
	for _, x := range d.Seen {
		if i := nearest(&x, s.Dice, taken); i >= 0 {
			taken[i] = true
			x.see(s, &s.Dice[i], spell)
		} else if calm(s) && !s.DiceHidden {
			x.Missed++
		}
		if x.Missed < goneAfter {
			kept = append(kept, x)
		} else if x.Rest >= restPictures || x.Spent {
			d.Lifted = append(d.Lifted, x)
		}
	}
	d.Seen = kept
	ghosts, thrown := 0, d.thrown(s, taken)
	for i := range s.Dice {
		switch {
		case taken[i]:
		case s.Dice[i].Real >= 0.5:
			d.appear(s, &s.Dice[i], spell, thrown)
		case s.Dice[i].Real >= ghostly:
			ghosts++
		}
	}
	if calm(s) && !s.DiceHidden && ghosts == 0 {
		d.alone(s.T)
	}
	d.Lifted = slices.DeleteFunc(d.Lifted, func(x die) bool { return s.T-x.Last > hiddenFor })
}

// ghostly is how probable a thing must be to be a die for another one not to lie alone for sure.
const ghostly = 0.15

// alone notes a die that a picture shows without another one of its throw.
func (d *dice) alone(t time.Duration) {
	only := -1
	for i := range d.Seen {
		switch x := &d.Seen[i]; {
		case x.Spent:
		case only >= 0 || x.Missed > 0:
			return
		default:
			only = i
		}
	}
	if only >= 0 {
		d.Seen[only].Alone++
		d.Seen[only].AloneTo = t
	}
}

// thrown tells whether the dice that have come into view were thrown: two of them at once, not both where dice lay before.
func (d *dice) thrown(s *sighting.Sighting, taken []bool) bool {
	come, again := 0, 0
	for i := range s.Dice {
		if !taken[i] && s.Dice[i].Real >= 0.5 {
			come++
			if d.overlooked(&s.Dice[i]) >= 0 {
				again++
			}
		}
	}
	return come == 2 && again == 1
}

// overlooked returns which of the dice that are gone lately this may be, lying where it lay with the same number up; -1
// for none.
func (d *dice) overlooked(seen *sighting.Die) int {
	again, _ := seen.Best()
	for i := range d.Lifted {
		x := &d.Lifted[i]
		if value, _ := x.value(); x.distance(seen) < sameDie && again == value {
			return i
		}
	}
	return -1
}

// appear begins to follow a die, or goes on with one that was overlooked for a moment. A die thrown with another one is
// not that, even if it has come to lie where one lay before.
func (d *dice) appear(s *sighting.Sighting, seen *sighting.Die, spell time.Duration, thrown bool) {
	if i := d.overlooked(seen); i >= 0 && !thrown {
		x := d.Lifted[i]
		x.Missed = 0
		x.see(s, seen, spell)
		d.Seen = append(d.Seen, x)
		d.Lifted = slices.Delete(d.Lifted, i, i+1)
		return
	}
	d.Next++
	x := die{ID: d.Next, First: s.T}
	x.see(s, seen, spell)
	d.Seen = append(d.Seen, x)
}

func nearest(x *die, seen []sighting.Die, taken []bool) int {
	best, at := float32(sameDie), -1
	for i := range seen {
		if far := x.distance(&seen[i]); !taken[i] && far < best && !x.fellFrom(far, &seen[i]) {
			best, at = far, i
		}
	}
	return at
}

// A die on its way down may seem to hang still for a moment, and then lie near where it hung.
const (
	hangs  = 800 * time.Millisecond // for how long, at most
	landed = 0.01                   // how far from there it lies at least, as a share of the board
	surely = 0.9                    // probability of either number from which the two are told apart
)

// fellFrom tells whether what is seen so far away is no longer what was followed, a die in the air, but where it fell.
func (x *die) fellFrom(far float32, seen *sighting.Die) bool {
	if far < landed || x.Last-x.First >= hangs || x.Spent {
		return false
	}
	before, p := x.value()
	now, q := seen.Best()
	return before != now && p >= surely && q >= surely
}

func (x *die) distance(seen *sighting.Die) float32 {
	return float32(math.Hypot(float64(x.U-seen.U), float64(x.V-seen.V)))
}

// apartFrom returns how far apart two dice lie, as a share of the board.
func (x *die) apartFrom(d *die) float32 {
	return float32(math.Hypot(float64(x.U-d.U), float64(x.V-d.V)))
}

func (x *die) see(s *sighting.Sighting, seen *sighting.Die, spell time.Duration) {
	x.U, x.V, x.Last, x.Missed = seen.U, seen.V, s.T, 0
	x.Looks.add(&seen.Values, !calm(s), spell)
	if !calm(s) {
		x.Hand++
		return
	}
	if x.Rest == 0 {
		x.Still = s.T
	}
	x.Rest++
	if x.Spells == 0 || x.Spell != spell {
		x.Spell = spell
		x.Spells++
	}
	if x.Rest > 1 && seen.Cocked > 0.75 {
		x.Leaning++
		if x.LeanAt == 0 {
			x.LeanAt = s.T
		}
		x.Lean, x.Flat = max(x.Lean, s.T-x.LeanAt), 0
	} else {
		x.LeanAt = 0
		x.Flat++
	}
	if int(seen.Place) < len(x.Places) {
		x.Places[seen.Place]++
	}
	x.Halves[seen.Half&1]++
	x.Light += seen.Light
	x.Real += seen.Real
	x.Tilt += seen.Cocked
}

// odds returns the log-likelihood of the die showing v, relative to its most likely number.
func (x *die) odds(v int) float64 { return x.Looks.odds(v) }

// alike returns how probable it is that both dice show one number.
func (x *die) alike(d *die) float64 { return x.Looks.alike(&d.Looks) }

// value returns the number the die most likely shows, 1 to 6, and its probability.
func (x *die) value() (v int, p float64) { return x.Looks.value() }

// clear tells whether the eye itself is sure of the number, picture by picture: doubt does not go away by looking often.
func (x *die) clear() bool {
	v, _ := x.value()
	return x.Rest > 0 && x.Looks.mean(v) >= math.Log(clearValue)
}

// clearValue is how probable the number must be in the usual picture to be held against a player.
const clearValue = 0.6

// chance returns what speaks against the die showing v, with its number in doubt if the eye is not sure of it.
func (x *die) chance(v int) float64 {
	if x.clear() {
		return x.odds(v)
	}
	return max(x.odds(v), -unsureValue)
}

// unsureValue is the most that can speak against a number when the eye is not sure of another.
const unsureValue = 4.0

func (x *die) place() sighting.Place {
	top := 0
	for i, n := range x.Places {
		if n > x.Places[top] {
			top = i
		}
	}
	return sighting.Place(top)
}

func (x *die) half() sighting.Place {
	if x.Halves[1] > x.Halves[0] {
		return sighting.RightHalf
	}
	return sighting.LeftHalf
}

// restFor is how long a die must lie still to be at rest beyond doubt: one in the air may seem to stand.
const restFor = 800 * time.Millisecond

// rests tells whether the die is at rest: it lay for a while, or still lies there after something moved.
func (x *die) rests() bool {
	return x.Rest >= restPictures && (x.Last-x.Still >= restFor || x.Spells > 1)
}

// leans tells whether the die leans beyond doubt.
func (x *die) leans() bool { return x.Tilt >= 0.7*float32(x.Rest) }

// flat tells whether it lies flat beyond doubt, from the first or since it fell.
func (x *die) flat() bool { return x.Tilt < 0.3*float32(x.Rest) || x.Flat >= restPictures+1 }

// real returns how probable it is that this is a die at all.
func (x *die) real() float32 { return x.Real / float32(max(x.Rest, 1)) }

// body returns the side whose dice have the colour of this one; ok is false when that cannot be told.
func (x *die) body() (side rules.Side, ok bool) {
	switch light := x.Light / float32(max(x.Rest, 1)); {
	case light > 0.7:
		return rules.Light, true
	case light < 0.3:
		return rules.Dark, true
	}
	return rules.Light, false
}

// likely is how probable it must be that a thing is a die for it to count as one of a throw.
const likely = 0.6

// fresh returns the dice at rest that belong to no throw that is over, the surest first.
func (d *dice) fresh() []*die {
	var all []*die
	for i := range d.Seen {
		if x := &d.Seen[i]; !x.Spent && x.rests() && x.Missed == 0 && x.real() >= likely {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(a, b *die) int { return cmp.Compare(b.real(), a.real()) })
	return all
}

// spend marks the dice that lay on the table before t as belonging to a throw that is over.
func (d *dice) spend(t time.Duration) {
	for _, list := range [2][]die{d.Seen, d.Lifted} {
		for i := range list {
			if list[i].First < t {
				list[i].Spent = true
			}
		}
	}
}

// recall has the dice that lie in a half belong to the turn in progress after all.
func (d *dice) recall(half sighting.Place) {
	for i := range d.Seen {
		if x := &d.Seen[i]; x.half() == half {
			x.Spent = false
		}
	}
}

// another tells whether a die lies beside x that may be of the same throw, though it has not come to rest for sure.
func (d *dice) another(x *die) bool {
	for i := range d.Seen {
		if y := &d.Seen[i]; y.ID != x.ID && !y.Spent && y.real() >= likely {
			return true
		}
	}
	return false
}

// find returns the die of that number, or nil when it is no longer on the table.
func (d *dice) find(id int) *die {
	for i := range d.Seen {
		if d.Seen[i].ID == id {
			return &d.Seen[i]
		}
	}
	return nil
}

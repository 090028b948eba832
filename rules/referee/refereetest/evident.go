package refereetest

import (
	"math"
	"slices"
	"time"

	"davar/rules"
	"davar/rules/sighting"
)

// What an eye does not report no referee can find. An incident is evident when what its ruling rests on was reported as it
// was: of each such thing in at least half of the still pictures that show it, up to two seconds after the last of the
// evidence was there, the likeliest reading is the true one. It rests on
//
//   - the points and bars that are not as they were before the turn, where the code depends on the board (readsBoard): how
//     many checkers stand there, of which colour;
//   - the dice that lie on the table when it begins or meanwhile, over all the time that they lie: that they are there, whether
//     they lean, and their numbers where the code depends on these (readsNumbers). For a play these are all dice thrown in the
//     turn: which throw is the roll, they tell together.
//
// How sure of itself a right reading is does not matter here, nor what else is misread: to cope with that is the referee's
// task. What is heard, or told by a clock or the cube, the model camera does not misread: that is always evident.

// glance is what one still picture reported of a table, compared with what lay there.
type glance struct {
	t     time.Duration
	wrong uint32 // points and bars misread or hidden: bit p-1 for light's point p, 24 and 25 for the bars
	dice  []dieGlance
}

// dieGlance is what it reported of one die.
type dieGlance struct {
	die                  Die
	missed, number, lean bool // what of it was misread
}

// compare returns how right a picture of the board is.
func compare(b *Board, s *sighting.Sighting) glance {
	g := glance{t: s.T}
	for p := 1; p <= 24; p++ {
		view := &s.Points[p-1]
		if n, _ := view.Counts.Best(); view.Hidden || n != b.count(p) || (view.Mixed > 0.5) != b.mixed(p) {
			g.wrong |= 1 << (p - 1)
		}
	}
	for side := range s.Bar {
		if n, _ := s.Bar[side].Best(); n != int(b.Position.Checkers[side][rules.Bar]) {
			g.wrong |= 1 << (24 + side)
		}
	}
	for _, d := range b.Dice {
		if d.Covered {
			continue
		}
		x := dieGlance{die: d, missed: true}
		for i := range s.Dice {
			read := &s.Dice[i]
			if math.Hypot(float64(read.U-d.U), float64(read.V-d.V)) < sameSpot {
				n, _ := read.Best()
				x.missed, x.number, x.lean = read.Real < 0.5, n != d.Value, (read.Cocked > 0.5) != d.Cocked
			}
		}
		g.dice = append(g.dice, x)
	}
	return g
}

// sameSpot is how near a die must be reported to where it lies, as a share of the board; no two lie so near.
const sameSpot = 0.02

// changed returns the points and bars in which two positions differ, as in glance.
func changed(a, b *rules.Position) (places uint32) {
	for side := range a.Checkers {
		for p := 1; p <= 24; p++ {
			if a.Checkers[side][p] != b.Checkers[side][p] {
				light := p
				if rules.Side(side) == rules.Dark {
					light = 25 - p
				}
				places |= 1 << (light - 1)
			}
		}
		if a.Checkers[side][rules.Bar] != b.Checkers[side][rules.Bar] {
			places |= 1 << (24 + side)
		}
	}
	return places
}

// readsNumbers tells whether a ruling with that code depends on what dice show: the plays, and what is done to a roll.
func readsNumbers(code string) bool {
	return code[0] == 'M' || slices.Contains([]string{"D7", "D8", "D9", "D11", "K1", "K3"}, code)
}

// readsBoard tells whether it depends on where the checkers stand.
func readsBoard(code string) bool {
	return code[0] == 'M' || slices.Contains([]string{"D8", "K3", "S1", "S2"}, code)
}

// evident tells of each incident whether it was evident.
func (p *Played) evident() []bool {
	all := make([]bool, len(p.Incidents))
	for i := range p.Incidents {
		in := &p.Incidents[i]
		to := min(in.Until, in.Visible+soon)
		places := in.places
		if !readsBoard(in.Code) {
			places = 0
		}
		from := in.From
		if code := in.Code; code[0] == 'M' || code == "K3" {
			from = in.turn
		}
		all[i] = p.showed(places, in.From, to) && p.showedDice(from, to, readsNumbers(in.Code))
		if in.Code == "M13" && i > 0 {
			all[i] = all[i] && all[i-1] // the play that stands
		}
	}
	return all
}

// showed tells whether these places were reported as they were.
func (p *Played) showed(places uint32, from, to time.Duration) bool {
	var wrong [26]int
	n := 0
	for i := p.since(from); i < len(p.glances) && p.glances[i].t <= to; i++ {
		n++
		for place := range wrong {
			if p.glances[i].wrong&places&(1<<place) != 0 {
				wrong[place]++
			}
		}
	}
	return (n > 0 || places == 0) && 2*slices.Max(wrong[:]) <= n
}

// lain is how long before an incident a picture was taken at most that shows the dice as it found them.
const lain = 150 * time.Millisecond

// showedDice tells whether the dice that lay there in that time were reported as they lay, from when they came to lie.
func (p *Played) showedDice(from, to time.Duration, numbers bool) bool {
	first := p.since(from - lain)
	var lay []Die
	for i := first; i < len(p.glances) && p.glances[i].t <= to; i++ {
		for k := range p.glances[i].dice {
			if d := p.glances[i].dice[k].die; !slices.Contains(lay, d) {
				lay = append(lay, d)
			}
		}
	}
	for _, d := range lay {
		at := first
		for at > 0 && p.glances[at-1].of(d) != nil {
			at--
		}
		var n, missed, number, lean int
		for ; at < len(p.glances) && p.glances[at].t <= to; at++ {
			if x := p.glances[at].of(d); x != nil {
				n, missed, number, lean = n+1, missed+count(x.missed), number+count(x.number), lean+count(x.lean)
			}
		}
		if 2*missed > n || 2*lean > n || numbers && 2*number > n {
			return false
		}
	}
	return true
}

// of returns what was reported of the die, nil when it did not lie there.
func (g *glance) of(d Die) *dieGlance {
	for i := range g.dice {
		if g.dice[i].die == d {
			return &g.dice[i]
		}
	}
	return nil
}

// since returns the first glance at t or later.
func (p *Played) since(t time.Duration) int {
	i, _ := slices.BinarySearchFunc(p.glances, t, func(g glance, t time.Duration) int { return int(g.t - t) })
	return i
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

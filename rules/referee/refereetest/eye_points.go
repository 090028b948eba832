package refereetest

import (
	"davar/rules"
	"davar/rules/sighting"
)

// pointReading is how a point is read as long as it stays as it is.
type pointReading struct {
	read int     // light positive
	next int     // what it may be instead
	sure float64 // probability that the reading claims; 0: beyond doubt
	rest float64 // share of the rest that next has
}

// most is the share of what a doubtful right reading does not claim that its neighbour has.
const most = 0.8

// readPoint returns how a point that truly holds so many is read.
func (e *Eye) readPoint(truth int) pointReading {
	n := &e.noise.Points
	switch {
	case e.chance(n.Of(truth)):
		return pointReading{read: e.misread(truth), next: truth, sure: e.draw(n.Sure, 0), rest: n.Truth}
	case e.chance(n.Unsure):
		return pointReading{read: truth, next: e.neighbour(truth), sure: e.draw(n.UnsureP, 0), rest: most}
	}
	return pointReading{read: truth, next: e.neighbour(truth), sure: e.draw(n.Certain, 0), rest: most}
}

// stick reads anew the points that have changed.
func (e *Eye) stick(b *Board) {
	for p := 1; p <= 24; p++ {
		if !e.seen || e.last.count(p) != b.count(p) || e.last.mixed(p) != b.mixed(p) {
			e.points[p] = e.readPoint(b.count(p))
		}
	}
}

func (e *Eye) seePoints(b *Board, s *sighting.Sighting) {
	from, to := e.covered(s)
	if b.Palm && e.palm != [2]int{} {
		from, to = e.palm[0], e.palm[1]
	}
	if e.palm = [2]int{}; b.Palm {
		e.palm = [2]int{from, min(to, from+3)}
		to = e.palm[1]
	}
	for p := 1; p <= 24; p++ {
		view := &s.Points[p-1]
		if p >= from && p <= to {
			view.Hidden = true
			view.Counts = evenCounts()
			continue
		}
		r := e.points[p]
		if e.afresh(e.noise.Points.Persist) {
			r = e.readPoint(b.count(p))
		}
		view.Counts = e.counts(r.read)
		if r.sure > 0 {
			admit(view.Counts[:], sighting.MaxCount+r.read, sighting.MaxCount+r.next, r.sure, r.rest)
		}
		view.Mixed = 0.001
		if b.mixed(p) && !e.noise.NoMixed {
			view.Mixed = 0.99
		}
	}
}

// covered returns the points that a hand hides, the first and the last; none where the last comes before the first.
func (e *Eye) covered(s *sighting.Sighting) (from, to int) {
	if s.Hand == 0 || e.noise.Hidden == 0 {
		return 25, 0
	}
	width := 1 + int(24*e.noise.Hidden*2*e.rng.Float64())
	from = 1 + e.rng.IntN(24)
	return from, from + width - 1
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

// counts spreads the doubt that there is always over the neighbours of n, a little of it over all.
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

// pile reads the bar or a tray, which is never misread: no set of pictures tells how often one is.
func (e *Eye) pile(n int, visible bool) (p sighting.Pile) {
	p.Visible = visible
	doubt := 1 - float32(e.draw(e.noise.Points.Certain, 1-e.noise.Points.Doubt))
	for i := range p.P {
		p.P[i] = doubt / float32(len(p.P))
	}
	p.P[min(n, sighting.MaxCount)] += 1 - doubt
	return p
}

// piles reads the bars and the trays.
func (e *Eye) piles(b *Board, s *sighting.Sighting) {
	for side := rules.Light; side <= rules.Dark; side++ {
		s.Bar[side] = e.pile(int(b.Position.Checkers[side][rules.Bar]), true)
		s.Off[side] = e.pile(int(b.Position.Checkers[side][rules.Off]), !e.noise.NoTray)
	}
}

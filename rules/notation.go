package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// String writes the play as players do, from the rear to the front: "24/18 13/11", "bar/20", "6/off",
// "13/11(2)", "13/11 13/10"; one checker's moves are joined, with the stops at which it hits: "24/14", "13/11*/7".
// A play without moves gives "".
func (p *Play) String() string {
	trips := p.trips()
	var b strings.Builder
	for i := 0; i < len(trips); {
		n := 1
		for i+n < len(trips) && trips[i+n].samePath(&trips[i]) {
			n++
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		trips[i].write(&b)
		if n > 1 {
			b.WriteString("(" + strconv.Itoa(n) + ")")
		}
		i += n
	}
	return b.String()
}

// trip is the way of one checker in a play: the points it touches, the first being where it starts.
type trip struct {
	points [5]uint8
	hit    [5]bool
	n      int
}

// trips joins the moves to trips of single checkers, those from the rear first.
func (p *Play) trips() []trip {
	moves := slices.Clone(p.Moves[:min(int(p.N), len(p.Moves))])
	slices.SortStableFunc(moves, func(a, b Move) int { return int(b.From) - int(a.From) })
	var trips []trip
	for len(moves) > 0 {
		t := trip{n: 1}
		t.points[0] = moves[0].From
		for i := 0; i >= 0; i = slices.IndexFunc(moves, func(m Move) bool { return m.From == t.points[t.n-1] }) {
			t.points[t.n], t.hit[t.n] = moves[i].To, moves[i].Hit
			t.n++
			moves = slices.Delete(moves, i, i+1)
		}
		trips = append(trips, t)
	}
	slices.SortStableFunc(trips, func(a, b trip) int {
		return cmp.Or(int(b.points[0])-int(a.points[0]), int(b.points[b.n-1])-int(a.points[a.n-1]))
	})
	return trips
}

// samePath reports whether two checkers go the same way; only the first of them can hit.
func (t *trip) samePath(first *trip) bool {
	return t.n == first.n && t.points == first.points
}

func (t *trip) write(b *strings.Builder) {
	b.WriteString(pointName(t.points[0]))
	for i := 1; i < t.n; i++ {
		if i < t.n-1 && !t.hit[i] {
			continue
		}
		b.WriteByte('/')
		b.WriteString(pointName(t.points[i]))
		if t.hit[i] {
			b.WriteByte('*')
		}
	}
}

func pointName(point uint8) string {
	switch point {
	case Bar:
		return "bar"
	case Off:
		return "off"
	}
	return strconv.Itoa(int(point))
}

package referee

import (
	"davar/rules"
	"davar/rules/sighting"
)

// bound returns the score of a position that explains every picture as well as any could, whether or not the
// checkers add up.
func (e *evidence) bound() float64 {
	sum := 0.0
	for i := range e.Points {
		l := &e.Points[i]
		if l.N == 0 {
			continue
		}
		n, mixed := l.best()
		if mixed {
			sum += float64(l.Mixed) * weight(l.N)
		} else {
			sum += float64(l.Count[sighting.MaxCount+n]+l.Pure) * weight(l.N)
		}
	}
	for side := range e.Bar {
		if e.Bar[side].N > 0 {
			sum += e.Bar[side].of(e.Bar[side].best())
		}
		if e.Off[side].N > 0 {
			sum += trayTrust * e.Off[side].of(e.Off[side].best())
		}
	}
	return sum
}

// spared returns the score of the position but for the point or bar that it explains worst: there it is as good as any could
// be.
func (e *evidence) spared(pos *rules.Position) float64 {
	light, dark := &pos.Checkers[rules.Light], &pos.Checkers[rules.Dark]
	worst := 0.0
	for i := range e.Points {
		if l := &e.Points[i]; l.N > 0 && l.Mixed <= l.Pure {
			n, _ := l.best()
			best := float64(l.Count[sighting.MaxCount+n]+l.Pure) * weight(l.N)
			worst = max(worst, best-e.point(i+1, int(light[i+1]), int(dark[24-i])))
		}
	}
	for side := range e.Bar {
		l := &e.Bar[side]
		if l.N > 0 {
			worst = max(worst, l.of(l.best())-l.of(int(pos.Checkers[side][rules.Bar])))
		}
	}
	return e.score(pos) + worst
}

// literal returns the position the pictures show, point by point, and whether it can follow from base in one turn
// of mover: no checker has come or gone but into the mover's tray. What both colours on a point are, base tells.
func (e *evidence) literal(base *rules.Position, mover rules.Side) (pos rules.Position, whole bool) {
	for p := 1; p <= 24; p++ {
		light, dark := base.Checkers[rules.Light][p], base.Checkers[rules.Dark][25-p]
		if l := &e.Points[p-1]; l.N > 0 {
			light, dark = l.split(light, dark, mover)
		}
		pos.Checkers[rules.Light][p], pos.Checkers[rules.Dark][25-p] = light, dark
	}
	for side := range pos.Checkers {
		pos.Checkers[side][rules.Bar] = base.Checkers[side][rules.Bar]
		if e.Bar[side].N > 0 {
			pos.Checkers[side][rules.Bar] = uint8(e.Bar[side].best())
		}
	}
	return pos, complete(&pos, base, mover)
}

// complete puts what is missing from the board into the trays, and tells whether that can be so after one turn of
// mover from base.
func complete(pos, base *rules.Position, mover rules.Side) bool {
	whole := true
	for side := rules.Light; side <= rules.Dark; side++ {
		before := int(base.Checkers[side][rules.Off])
		off := base.Active(side) - pos.InPlay(side)
		pos.Checkers[side][rules.Off] = uint8(max(off, 0))
		most := before
		if side == mover {
			most += 4
		}
		whole = whole && off >= before && off <= most
	}
	return whole
}

// reading is the search for the position that the pictures show.
type readingSearch struct {
	*evidence
	base         *rules.Position
	mover        rules.Side
	seen, pos    rules.Position // literally seen; best so far
	best, second float64
}

// reading returns the position that the pictures show, one or two places taken to be misread: of those in which the
// checkers add up the likeliest, each moved checker counting against it. It reports false when there is none, or no
// one that is clearly better than the others.
func (e *evidence) reading(base *rules.Position, mover rules.Side) (pos rules.Position, ok bool) {
	seen, _ := e.literal(base, mover)
	s := readingSearch{evidence: e, base: base, mover: mover, seen: seen, best: -1e9, second: -1e9}
	s.try(seen)
	for p := 1; p <= 24; p++ {
		if e.Points[p-1].N > 0 {
			s.pointMisread(p)
			s.bothColours(p)
			s.severalOn(p)
		}
	}
	s.barMisread()
	return s.pos, s.best-s.second >= perMoved/3 && s.best > -1e9
}

// try weighs one position.
func (s *readingSearch) try(p rules.Position) {
	if !complete(&p, s.base, s.mover) {
		return
	}
	switch score := s.score(&p) - implausible(s.base, &p, s.mover); {
	case p == s.pos:
		s.best = max(s.best, score)
	case score > s.best:
		s.second, s.best, s.pos = s.best, score, p
	case score > s.second:
		s.second = score
	}
}

// put returns a position with so many checkers of light and dark on light's point p.
func put(pos rules.Position, p int, light, dark uint8) rules.Position {
	pos.Checkers[rules.Light][p], pos.Checkers[rules.Dark][25-p] = light, dark
	return pos
}

// pointMisread tries other numbers on light's point p.
func (s *readingSearch) pointMisread(p int) {
	light, dark := s.seen.Checkers[rules.Light][p], s.seen.Checkers[rules.Dark][25-p]
	was := [2]uint8{s.base.Checkers[rules.Light][p], s.base.Checkers[rules.Dark][25-p]}
	for _, n := range [...][2]uint8{{light + 1, dark}, {light, dark + 1}, {light - 1, dark}, {light, dark - 1}, was} {
		if n[0] <= rules.Checkers && n[1] <= rules.Checkers && (n[0] == 0 || n[1] == 0) {
			s.try(put(s.seen, p, n[0], n[1]))
		}
	}
}

// bothColours tries that the mover has put a checker on the other's on light's point p, which many an eye takes for one
// colour; and with it that another point, which such an eye then reads so that the checkers add up, is as before.
func (s *readingSearch) bothColours(p int) {
	was := [2]uint8{s.base.Checkers[rules.Light][p], s.base.Checkers[rules.Dark][25-p]}
	if was[s.mover.Other()] == 0 || was[s.mover] > 0 {
		return
	}
	was[s.mover] = 1
	mixed := put(s.seen, p, was[rules.Light], was[rules.Dark])
	s.try(mixed)
	for q := 1; q <= 24; q++ {
		if q != p && s.Points[q-1].N > 0 {
			s.try(put(mixed, q, s.base.Checkers[rules.Light][q], s.base.Checkers[rules.Dark][25-q]))
		}
	}
}

// severalOn tries that the mover has put more than one checker on a point on which both colours are seen.
func (s *readingSearch) severalOn(p int) {
	if _, mixed := s.Points[p-1].best(); !mixed {
		return
	}
	n := [2]uint8{s.seen.Checkers[rules.Light][p], s.seen.Checkers[rules.Dark][25-p]}
	for n[s.mover] = 2; n[s.mover] <= 4; n[s.mover]++ {
		s.try(put(s.seen, p, n[rules.Light], n[rules.Dark]))
	}
}

// barMisread tries other numbers on the bars.
func (s *readingSearch) barMisread() {
	for side := range s.seen.Checkers {
		n := s.seen.Checkers[side][rules.Bar]
		for _, m := range [...]uint8{s.base.Checkers[side][rules.Bar], n + 1, n - 1} {
			if m <= rules.Checkers && m != n {
				p := s.seen
				p.Checkers[side][rules.Bar] = m
				s.try(p)
			}
		}
	}
}

// perMoved counts against a position for each checker that must have been moved to reach it, perStolen for each of
// the other player's that went anywhere but to the bar.
const (
	perMoved  = 3.0
	perStolen = 12.0
)

// implausible returns what counts against after as the result of a turn of mover from before.
func implausible(before, after *rules.Position, mover rules.Side) float64 {
	left := [2]int{}
	for side := range before.Checkers {
		for p, n := range before.Checkers[side] {
			left[side] += max(int(n)-int(after.Checkers[side][p]), 0)
		}
	}
	other := mover.Other()
	hit := max(int(after.Checkers[other][rules.Bar])-int(before.Checkers[other][rules.Bar]), 0)
	return perMoved*float64(left[mover]) + perStolen*float64(max(left[other]-hit, 0))
}

// split returns how many checkers of each colour the point most likely holds.
func (l *pointLog) split(lightBefore, darkBefore uint8, mover rules.Side) (light, dark uint8) {
	n, mixed := l.best()
	switch {
	case !mixed && n >= 0:
		return uint8(n), 0
	case !mixed:
		return 0, uint8(-n)
	case mover == rules.Light:
		return 1, max(darkBefore, 1)
	default:
		return max(lightBefore, 1), 1
	}
}

package referee

import (
	"math"
	"math/bits"
	"time"

	"davar/rules"
	"davar/rules/sighting"
)

const (
	// floorP keeps one misread point in one picture from ruling a position out.
	floorP = 1e-3
	// independent is how many independent looks at a point many pictures of one unmoving board are worth at most: what
	// is misread once is misread again as long as nothing moves.
	independent = 2.5
	// memory is the number of pictures after which older ones begin to fade, so that slow changes of light are
	// followed.
	memory = 32
)

// evidence is what the still pictures of one unmoving board add up to, as summed logarithms of probability.
type evidence struct {
	Pictures  int           `json:"pictures"` // still pictures it rests on
	From      time.Duration `json:"from"`     // time of the first
	To        time.Duration `json:"to"`       // time of the last
	Step      time.Duration `json:"step"`     // between the last two
	FromFrame int           `json:"from_frame"`
	ToFrame   int           `json:"to_frame"`
	Points    [24]pointLog  `json:"points"`
	Bar       [2]pileLog    `json:"bar"`
	Off       [2]pileLog    `json:"off"`
}

type pointLog struct {
	N     int                            `json:"n"` // pictures in which the point was visible
	Count [2*sighting.MaxCount + 1]logit `json:"count"`
	Mixed logit                          `json:"mixed"`
	Pure  logit                          `json:"pure"`
}

type pileLog struct {
	N     int                          `json:"n"`
	Count [sighting.MaxCount + 1]logit `json:"count"`
}

// logit is a sum of logarithms; float32 keeps checkpoints small.
type logit = float32

func logFloor(p float32) logit { return logit(math.Log(float64(max(p, floorP)))) }

// add takes one more picture of the same board.
func (e *evidence) add(s *sighting.Sighting) {
	if e.Pictures == 0 {
		e.From, e.FromFrame = s.T, s.Frame
	}
	e.Step = max(s.T-e.To, 0)
	e.To, e.ToFrame = s.T, s.Frame
	e.Pictures++
	for i := range e.Points {
		e.Points[i].add(&s.Points[i])
	}
	for side := range e.Bar {
		e.Bar[side].add(&s.Bar[side])
		e.Off[side].add(&s.Off[side])
	}
}

func (l *pointLog) add(p *sighting.Point) {
	if p.Hidden {
		return
	}
	if l.N >= memory {
		l.N /= 2
		for i := range l.Count {
			l.Count[i] /= 2
		}
		l.Mixed, l.Pure = l.Mixed/2, l.Pure/2
	}
	l.N++
	lowest := logFloor(0)
	for i, q := range p.Counts {
		if q <= floorP {
			l.Count[i] += lowest
		} else {
			l.Count[i] += logFloor(q)
		}
	}
	l.Mixed += logFloor(p.Mixed)
	l.Pure += logFloor(1 - p.Mixed)
}

func (l *pileLog) add(p *sighting.Pile) {
	if !p.Visible {
		return
	}
	if l.N >= memory {
		l.N /= 2
		for i := range l.Count {
			l.Count[i] /= 2
		}
	}
	l.N++
	for i, q := range p.P {
		l.Count[i] += logFloor(q)
	}
}

// weight turns the sum over n pictures into the weight of so many independent looks.
func weight(n int) float64 {
	if n == 0 {
		return 0
	}
	return min(float64(n), independent) / float64(n)
}

// point returns the log-likelihood of light and dark checkers standing on light's point p.
func (e *evidence) point(p, light, dark int) float64 {
	l := &e.Points[p-1]
	if l.N == 0 {
		return 0
	}
	if light > 0 && dark > 0 {
		return max(float64(l.Mixed), float64(l.either(light, dark))-unmixed*float64(l.N)) * weight(l.N)
	}
	return float64(l.Count[sighting.MaxCount+light-dark]+l.Pure) * weight(l.N)
}

// unmixed counts against an eye that sees checkers of one colour only where both stand.
const unmixed = 1.5

// either returns the best of the readings that an eye may have of both colours on one point when it does not see
// that they are two.
func (l *pointLog) either(light, dark int) logit {
	all := min(light+dark, sighting.MaxCount)
	const empty = sighting.MaxCount
	return max(l.Count[empty+light], l.Count[empty-dark], l.Count[empty+all], l.Count[empty-all])
}

func (l *pileLog) of(n int) float64 {
	return float64(l.Count[min(n, sighting.MaxCount)]) * weight(l.N)
}

// score returns the log-likelihood of the position: how well it explains the pictures.
func (e *evidence) score(pos *rules.Position) float64 {
	light, dark := &pos.Checkers[rules.Light], &pos.Checkers[rules.Dark]
	sum := 0.0
	for p := 1; p <= 24; p++ {
		sum += e.point(p, int(light[p]), int(dark[25-p]))
	}
	for side := range e.Bar {
		sum += e.Bar[side].of(int(pos.Checkers[side][rules.Bar]))
		sum += trayTrust * e.Off[side].of(int(pos.Checkers[side][rules.Off]))
	}
	return sum
}

// trayTrust is how far the tray is believed: its checkers lie on their edges or in heaps and may be taken away.
const trayTrust = 0.3

// places is a set of places on the board: bit p-1 for light's point p, bits 24 and 25 for the bars of light and dark,
// 26 and 27 for their trays.
type places uint32

func (p places) count() int { return bits.OnesCount32(uint32(p)) }

// against is by how much, as a mean logarithm of probability, something else must be likelier for the pictures to
// contradict what is supposed to be in a place.
const against = 0.7

// misfits returns the visible points, bars and trays where the pictures rather show something else than the position,
// and the points that were never visible.
func (e *evidence) misfits(pos *rules.Position) (wrong, unseen places) {
	for p := 1; p <= 24; p++ {
		l := &e.Points[p-1]
		if l.N == 0 {
			unseen |= 1 << (p - 1)
			continue
		}
		light, dark := int(pos.Checkers[rules.Light][p]), int(pos.Checkers[rules.Dark][25-p])
		if l.contradicts(light, dark) {
			wrong |= 1 << (p - 1)
		}
	}
	for side := range e.Bar {
		if e.Bar[side].contradicts(int(pos.Checkers[side][rules.Bar])) {
			wrong |= 1 << (24 + side)
		}
		if e.Off[side].contradicts(int(pos.Checkers[side][rules.Off])) {
			wrong |= 1 << (26 + side)
		}
	}
	return wrong, unseen
}

// sharply is by how much, as a mean logarithm of probability, what is read in a place must be likelier than anything else for
// what was done there to be beyond doubt.
const sharply = 1.5

// sharp tells whether what the pictures show in each of these points and bars is beyond doubt.
func (e *evidence) sharp(where places) bool {
	for i := range e.Points {
		if l := &e.Points[i]; where&(1<<i) != 0 && l.N > 0 && (l.Mixed < l.Pure) && !lead(l.Count[:], l.N) {
			return false
		}
	}
	for side := range e.Bar {
		if l := &e.Bar[side]; where&(1<<(24+side)) != 0 && l.N > 0 && !lead(l.Count[:], l.N) {
			return false
		}
	}
	return true
}

// lead tells whether one number stands out in the sums over n pictures.
func lead(logs []logit, n int) bool {
	best, next := logit(math.Inf(-1)), logit(math.Inf(-1))
	for _, l := range logs {
		best, next = max(best, l), max(min(best, l), next)
	}
	return best-next >= sharply*logit(n)
}

func (l *pointLog) contradicts(light, dark int) bool {
	n, mixed := l.best()
	limit := logit(against) * logit(l.N)
	switch {
	case light > 0 && dark > 0:
		return !mixed && l.Count[sighting.MaxCount+n] > l.either(light, dark)+limit
	case mixed && l.Mixed > l.Pure+limit:
		return true
	}
	return l.Count[sighting.MaxCount+n] > l.Count[sighting.MaxCount+light-dark]+limit
}

func (l *pileLog) contradicts(n int) bool {
	return l.N > 0 && l.Count[l.best()] > l.Count[min(n, sighting.MaxCount)]+logit(against)*logit(l.N)
}

// wrong returns in how many places the pictures contradict the position.
func (e *evidence) wrong(pos *rules.Position) int {
	wrong, _ := e.misfits(pos)
	return wrong.count()
}

// best returns the most likely signed count on light's point p, and whether both colours rather stand there.
func (l *pointLog) best() (n int, mixed bool) {
	top := 0
	for i := range l.Count {
		if l.Count[i] > l.Count[top] {
			top = i
		}
	}
	return top - sighting.MaxCount, l.Mixed > l.Pure
}

func (l *pileLog) best() int {
	top := 0
	for i := range l.Count {
		if l.Count[i] > l.Count[top] {
			top = i
		}
	}
	return top
}

package vision

import "gocv.io/x/gocv"

// looks keeps what a watched board looks like, and learns it whenever the board is seen in the starting position: at
// the start of every game.
type looks struct {
	known   *Appearance // nil: not yet
	atStart bool        // a starting position is on the board and was learned from
	small   gocv.Mat
	thumb   thumb
}

func newLooks(s *WatcherSettings) looks {
	return looks{known: s.Looks, small: gocv.NewMat()}
}

func (l *looks) close() { l.small.Close() }

// weigh adds to what was read of the points what the board's looks say; view is the rectified view.
func (l *looks) weigh(view gocv.Mat, r *Reading) error {
	if l.known == nil {
		return nil
	}
	if err := l.thumb.take(view, &l.small); err != nil {
		return err
	}
	l.known.weigh(&l.thumb, r)
	return nil
}

// recheck learns the looks anew when the reading shows a starting position and did not before; when nothing is known
// yet, from any position that is read without doubt. A board from whose picture nothing can be learned keeps the looks
// it had.
func (l *looks) recheck(view gocv.Mat, r *Reading) error {
	counts, _, p := findStart(r)
	begins := p >= startSure
	fresh := begins && !l.atStart
	l.atStart = begins
	if !fresh && l.known == nil {
		counts, p = r.counts()
		fresh = p >= positionSure
	}
	if !fresh {
		return nil
	}
	if err := l.thumb.take(view, &l.small); err != nil {
		return err
	}
	if a, err := learnAppearance(&l.thumb, &counts); err == nil {
		l.known = a
	}
	return nil
}

// positionSure is the probability from which a position that is none to start from is learned from.
const positionSure = 0.9

// counts returns the likeliest position of the points and its probability; 0 when a point is hidden.
func (r *Reading) counts() (counts [2][12]int, p float64) {
	p = 1
	for _, t := range triangles {
		point := r.point(t)
		if point.Hidden {
			return counts, 0
		}
		n, q := point.Counts.Best()
		counts[t.row][t.column] = n
		p *= float64(q * (1 - point.Mixed))
	}
	return counts, p
}

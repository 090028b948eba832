package vision

import (
	"davar/rules"

	"gocv.io/x/gocv"
)

// looks keeps what a watched board looks like, and learns it whenever the board is seen in the starting position: at
// the start of every game.
type looks struct {
	start   rules.Position
	known   *Appearance // nil: not yet
	atStart bool        // the starting position is on the board and was learned from
	layout  Layout      // under which it was seen
	small   gocv.Mat
	thumb   thumb
}

func newLooks(s *WatcherSettings) looks {
	l := looks{start: rules.Start(rules.Standard), known: s.Looks, layout: s.Layout, small: gocv.NewMat()}
	if s.Start != nil {
		l.start = *s.Start
	}
	return l
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

// recheck learns the looks anew when the reading shows the starting position and did not before. A board from whose
// picture nothing can be learned keeps the looks it had.
func (l *looks) recheck(view gocv.Mat, r *Reading) error {
	layout, p := findLayout(r, &l.start)
	if p < startSure {
		l.atStart = false
		return nil
	}
	if l.atStart && layout == l.layout {
		return nil
	}
	if err := l.thumb.take(view, &l.small); err != nil {
		return err
	}
	l.atStart, l.layout = true, layout
	counts := layout.counts(&l.start)
	if a, err := learnAppearance(&l.thumb, &counts); err == nil {
		l.known = a
	}
	return nil
}

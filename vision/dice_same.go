package vision

import (
	"cmp"
	"slices"
)

// Shares of a die's edge by which two dice are told from one seen twice. Dice that touch are seen no nearer to each other than
// foreshortening allows, and as large as each other; the side of a die, which shows a number too, is smaller, and what several
// dice together are taken for is larger.
const (
	sameDie   = 0.6
	partReach = 0.85
	partSize  = 0.88

	sameMiddle = 0.3 // of one thing's middle, seen twice
	unitedEdge = 1.1 // a die's edge over the larger of the two of its faces that passed for dice
)

// saw tells whether the spot is the middle of what was read already, and surely is a die or a cube.
func (f *Finder) saw(p spot) bool {
	is := func(l look) bool {
		return l.real > sureReal && distance(l.at, p.at) < sameMiddle*l.size
	}
	return slices.ContainsFunc(f.looks, is) || slices.ContainsFunc(f.numbered, is)
}

// unite looks again, at the middle of both, where two dice were read that cannot both be there: seen from low down, a die's upper
// face and the one below it in the picture pass for a die each.
func (f *Finder) unite(s *scene) error {
	if s.stance == nil {
		return nil
	}
	for i := range f.looks {
		for j := range i {
			a, b := &f.looks[i], &f.looks[j]
			if !near(a.size, b.size, alikeFactor) || !a.isPartOf(b) || distance(a.at, b.at) < sameMiddle*a.size {
				continue
			}
			l, err := f.glance(s, Pixel{(a.at.X + b.at.X) / 2, (a.at.Y + b.at.Y) / 2}, unitedEdge*max(a.size, b.size), 0)
			if err != nil {
				return err
			}
			if l.kind[1] < sureReal {
				continue
			}
			if err := f.lookAgain(s, &l); err != nil {
				return err
			}
			l.real = max(a.real, b.real, l.kind[1])
			*a, *b = l, l
		}
	}
	return nil
}

// distinct sorts the dice by how sure they are and drops those that are part of a surer one.
func distinct(dice []look) []look {
	slices.SortFunc(dice, func(a, b look) int { return cmp.Compare(b.real, a.real) })
	kept := dice[:0]
	for _, d := range dice {
		if !d.isPartOfAny(kept) {
			kept = append(kept, d)
		}
	}
	return kept
}

// isPartOf tells whether l is what a surer look saw already: the same die, a side of it, or it and others together.
func (l *look) isPartOf(o *look) bool {
	d := distance(o.at, l.at)
	small, large := min(o.size, l.size), max(o.size, l.size)
	return d < sameDie*small || d < partReach*large && small < partSize*large
}

// isPartOfAny tells whether l is what one of the surer looks saw already.
func (l *look) isPartOfAny(surer []look) bool {
	return slices.ContainsFunc(surer, func(o look) bool { return l.isPartOf(&o) })
}

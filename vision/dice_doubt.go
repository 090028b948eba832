package vision

// A thing may be of another size, or lie a little beside, than the finding network says, and the reading one knows only what fills its view as in
// training. So what neither surely is nor surely is not a die is looked at as a larger and a smaller thing too, each time from another
// side, and all looks together tell. Fitted on 750 places of stills/dev, real, 60 new stills and 81 boards of data/train that no network learned from: of 473
// dice 432 are more likely than not, and 14 other places; by the first look alone it would be 416 and 40. What then has a numeral on it
// counts as before: dice with figures are hardly ever tiny.
const (
	dieInDoubt  = 0.005 // probability above which, and below the opposite of which, a place is looked at in other sizes
	firstWeight = 0.36  // of the look at the size it seems to have, a logit,
	sizesWeight = 0.86  // of the mean of those at the other sizes,
	sizesHeat   = 2.0   // and of the finding network's logit
	sizesBias   = -0.91
	leastTold   = 1e-4 // no look is surer than this

	foundSmaller = 0.9 // that it is a die: what is so sure at another size is of that size
	lostAt       = 0.7 // if it is less than this at the size it seemed to have
)

// otherSizes are what the size of a thing in doubt is multiplied by.
var otherSizes = [3]float64{1.2, 0.85, 0.61}

// isDoubtful tells whether it neither surely is real nor surely is not.
func (l *look) isDoubtful() bool { return l.real > dieInDoubt && l.real < 1-dieInDoubt }

// resolve looks at the spot in other sizes, puts in place of l what is surely a die at one of these, and returns the mean of what they say, a logit.
func (f *Finder) resolve(s *scene, p spot, l *look) (mean float64, err error) {
	var best look
	for i, k := range otherSizes {
		other, err := f.glance(s, p.at, p.size*k, i+1)
		if err != nil {
			return 0, err
		}
		mean += other.told() / float64(len(otherSizes))
		if other.kind[1] > best.kind[1] {
			best = other
		}
	}
	if best.kind[1] > foundSmaller && l.kind[1] < lostAt {
		*l, err = f.glance(s, best.at, best.size, 0)
	}
	return mean, err
}

// told returns how likely the look makes it that there is a die or a cube, a logit.
func (l *look) told() float64 { return oddsWithin(l.kind[1]+l.kind[2], leastTold) }

// weighSizes sets how likely the thing is real by the looks at it and by those at other sizes.
func (l *look) weighSizes(sizes, heat float64) {
	l.real = logistic(float32(firstWeight*l.told() + sizesWeight*sizes + sizesHeat*heat + sizesBias))
}

package vision

import (
	"math"
	"slices"
)

// How likely a thing is a die tells, beside its own looks, whether it has a die's size and what else lies on the board: dice come in pairs of
// one make. Fitted on 886 places of stills/dev, real, 60 new stills and 270 training boards, weights in logits; what each look at a place said before
// counts companyTrust.
const (
	companyTrust = 0.9
	companyBias  = 0.1
	unusualSize  = -0.8 // each square of how much, in logarithms, its edge differs from the usual one of the board,
	tooLarge     = -2.4 // and as much again where it is larger
	partnered    = 2.5  // where it makes an odd number of dice even: times how much it is like one of them
	oneTooMany   = -1.0 // where it makes an even number odd

	patternFrom = 4    // so many more things as large and as unsure are a pattern, such as inlays of checkers: nobody throws five dice
	patternSize = 1.25 // as large: at most by this factor

	likeSize   = 0.15 // logarithm of two edges,
	likeBright = 0.2  // and difference of brightness, by which dice of a pair differ at most
	faintReal  = 0.05 // company does not help what is less likely than this
)

// inCompany returns which of the looks and of the faint ones are dice, by all of them together: first each of what passed for one beside the
// others, then, one after the other, the faint ones that are likeliest beside those. edge is the board's usual edge of a die, cube what
// was taken for the cube, nil when nothing was.
func inCompany(looks, faint []look, cube *look, edge float64) []look {
	faint = slices.DeleteFunc(slices.Clone(faint), func(l look) bool {
		return l.isPartOfAny(looks) || cube != nil && l.isPartOf(cube)
	})
	faint = distinct(faint)
	looks, faint = withoutPatterns(looks, faint)
	dice := make([]look, 0, len(looks)+len(faint))
	for i, l := range looks {
		l.real = l.inCompanyOf(slices.Concat(looks[:i], looks[i+1:]), edge)
		dice = append(dice, l)
	}
	dice = slices.DeleteFunc(dice, func(l look) bool { return l.real < enoughReal })
	for len(faint) > 0 {
		best, real := 0, float32(0)
		for i := range faint {
			if p := faint[i].inCompanyOf(dice, edge); p > real {
				best, real = i, p
			}
		}
		if real < enoughReal {
			break
		}
		l := faint[best]
		l.real = real
		dice, faint = append(dice, l), slices.Delete(faint, best, best+1)
	}
	return dice
}

// withoutPatterns returns the looks and faint ones without those of which there are too many alike.
func withoutPatterns(looks, faint []look) (rest, faintRest []look) {
	every := slices.Concat(looks, faint)
	repeated := func(l look) bool {
		alike := 0
		for i := range every {
			if o := &every[i]; o.real < sureReal && near(o.size, l.size, patternSize) {
				alike++
			}
		}
		return l.real < sureReal && alike > patternFrom // it is one of them itself
	}
	return slices.DeleteFunc(slices.Clone(looks), repeated), slices.DeleteFunc(faint, repeated)
}

// inCompanyOf returns how likely l is a die beside the others, which are dice.
func (l *look) inCompanyOf(others []look, edge float64) float32 {
	x := companyTrust*logOdds(l.real) + companyBias
	if !l.isNumbered() { // of these the reader never learned the size
		e := math.Log(l.size / edge)
		x += unusualSize*e*e + tooLarge*max(e, 0)*max(e, 0)
	}
	if len(others)%2 == 1 {
		alike := 0.0
		for i := range others {
			alike = max(alike, l.likeness(&others[i]))
		}
		x += partnered * alike
	} else if len(others) > 0 {
		x += oneTooMany
	}
	return logistic(float32(x))
}

// likeness is 1 for things of one size and brightness and less, down to 0, for others. The size of things with figures is not known.
func (l *look) likeness(o *look) float64 {
	size, bright := math.Log(l.size/o.size)/likeSize, (l.bright-o.bright)/likeBright
	if l.isNumbered() && o.isNumbered() {
		size = 0
	}
	return math.Exp(-size*size - bright*bright)
}

package referee

import (
	"slices"
	"time"
)

// realBeside is how probable it is that x is a die when other came to rest with it. A throw has two dice: where one is
// seen beyond doubt, what came with it is ten times as likely the second as something else taken for a die.
func (x *die) realBeside(other *die) float32 {
	if other == nil || other.real() < certain || !x.together(other) {
		return x.real()
	}
	return x.realAsSecond()
}

// realAsSecond is how probable it is that x is a die, where one of a throw must lie.
func (x *die) realAsSecond() float32 {
	p := x.real()
	return 10 * p / (10*p + 1 - p)
}

// certainOnes returns those of the things that are dice beyond doubt, by themselves or as the second of a throw.
func certainOnes(all []*die) []*die {
	return slices.DeleteFunc(slices.Clone(all), func(x *die) bool {
		return x.real() < certain && !slices.ContainsFunc(all, func(y *die) bool { return x.realBeside(y) >= certain })
	})
}

// pairCertain tells whether both are dice beyond doubt, as two of one throw.
func pairCertain(a, b *die) bool { return min(a.realBeside(b), b.realBeside(a)) >= certain }

// together tells whether both dice came to rest as those of one throw do.
func (x *die) together(other *die) bool {
	return max(x.First-other.First, other.First-x.First) <= togetherWithin
}

// togetherWithin is how far apart in time two dice of one throw come to rest at most.
const togetherWithin = 500 * time.Millisecond

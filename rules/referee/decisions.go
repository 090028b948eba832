package referee

import (
	"maps"
	"slices"
)

// Decisions returns the names of all decisions in the order of the alphabet.
func Decisions() []string { return slices.Sorted(maps.Keys(aboutSide)) }

package vision

import (
	"testing"

	"davar/rules/sighting"
)

func TestADieLiesOnACheckerOnlyWhereOneStandsAndBesideItOnlyWhereNoneDoes(t *testing.T) {
	g, err := NewGeometry([4]Pixel{{0, 0}, {1100, 0}, {1100, 1000}, {0, 1000}}, 0.48, 0.52)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		u, v    float32 // of the die; two checkers stand on the first point from the left above, to v = 0.176
		checker float32 // by its looks
		on      bool
	}{
		{"on the second checker, by its looks perhaps", 0.04, 0.13, 0.2, true},
		{"on the second checker, by its looks hardly", 0.04, 0.13, 0.02, true},
		{"beside the stack, by its looks perhaps", 0.13, 0.13, 0.6, false},
		{"far from any checker, by its looks on one", 0.75, 0.5, 0.9, false},
		{"on the rim of the second checker, by its looks on it", 0.07, 0.14, 0.6, true},
	} {
		r := Reading{Geometry: g}
		for i := range 12 {
			r.Top[i].Counts[sighting.MaxCount], r.Bottom[i].Counts[sighting.MaxCount] = 1, 1
		}
		r.Top[0].Counts = sighting.Counts{}
		r.Top[0].Counts[sighting.MaxCount+2] = 1
		die := Die{Die: sighting.Die{U: c.u, V: c.v, Place: sighting.LeftHalf, Cocked: 0.7}, Size: 30}
		die.ground = ground{place: sighting.LeftHalf, raised: [2]float64{float64(c.u), float64(c.v)}, checker: c.checker, cocked: 0.1, known: true}
		r.Dice = []Die{die}
		weighGround(&r)
		if got := r.Dice[0]; (got.Place == sighting.OnChecker) != c.on || (got.Cocked < 0.5) != c.on {
			t.Errorf("%s: lies %v, leaning with %.1f", c.name, got.Place, got.Cocked)
		}
	}
}

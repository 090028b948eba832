package vision

import (
	"testing"

	"davar/rules/sighting"
)

func TestADieLeansOnlyWhereThereIsSomethingToLeanAgainst(t *testing.T) {
	g, err := NewGeometry([4]Pixel{{0, 0}, {1100, 0}, {1100, 1000}, {0, 1000}}, 0.48, 0.52)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		u, v    float32
		other   [2]float32 // where another die lies
		support bool
	}{
		{"in the open", 0.75, 0.5, [2]float32{0.2, 0.5}, false},
		{"against the rail", 0.985, 0.5, [2]float32{0.2, 0.5}, true},
		{"against the bar", 0.535, 0.5, [2]float32{0.2, 0.5}, true},
		{"against the near rail", 0.75, 0.98, [2]float32{0.2, 0.5}, true},
		{"against the other die", 0.75, 0.5, [2]float32{0.775, 0.5}, true},
		{"against the last checker of a stack of two on the first point from the left above", 0.04, 0.19, [2]float32{0.2, 0.5}, true},
		{"above a stack of two, out of its reach", 0.04, 0.26, [2]float32{0.2, 0.5}, false},
	} {
		r := Reading{Geometry: g, Dice: make([]Die, 2)}
		for i := range 12 {
			r.Top[i].Counts[sighting.MaxCount] = 1
			r.Bottom[i].Counts[sighting.MaxCount] = 1
		}
		r.Top[0].Counts = sighting.Counts{}
		r.Top[0].Counts[sighting.MaxCount+2] = 1
		r.Dice[0] = Die{Die: sighting.Die{U: c.u, V: c.v, Cocked: 0.5}, Size: 30}
		r.Dice[1] = Die{Die: sighting.Die{U: c.other[0], V: c.other[1], Cocked: 0.5}, Size: 30}
		weighLean(&r)
		if got := r.Dice[0].Cocked >= 0.5; got != c.support {
			t.Errorf("%s: leaning with probability %.2f", c.name, r.Dice[0].Cocked)
		}
	}
}

func TestALeaningDieShowsTheNumberOfTheFaceThatLooksUp(t *testing.T) {
	g, err := NewGeometry([4]Pixel{{0, 0}, {1100, 0}, {1100, 1000}, {0, 1000}}, 0.48, 0.52)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		u       float32
		place   sighting.Place
		leaning [6]float32
		number  int
	}{
		{"against the rail the leaner's number counts", 0.985, sighting.RightHalf, [6]float32{1: 0.9, 3: 0.1}, 2},
		{"in the open it lies flat, and the reader's counts", 0.75, sighting.RightHalf, [6]float32{1: 0.9, 3: 0.1}, 4},
		{"on a checker, where the leaner has learned nothing, the reader's counts", 0.985, sighting.OnChecker, [6]float32{1: 0.9, 3: 0.1}, 4},
		{"where it was not looked at as one that leans, the reader's counts", 0.985, sighting.RightHalf, [6]float32{}, 4},
	} {
		r := Reading{Geometry: g, Dice: make([]Die, 1)}
		d := &r.Dice[0]
		*d = Die{Die: sighting.Die{U: c.u, V: 0.5, Cocked: 0.7, Place: c.place}, Size: 30, leaning: c.leaning}
		d.Values = [7]float32{0: 0.1, 4: 0.8, 2: 0.1}
		weighLean(&r)
		n, _ := d.Best()
		var sum float32
		for _, p := range d.Values {
			sum += p
		}
		if n != c.number || sum < 0.999 || sum > 1.001 {
			t.Errorf("%s: %d, not %d: %v", c.name, n, c.number, d.Values)
		}
	}
}

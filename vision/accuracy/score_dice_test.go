package accuracy

import (
	"testing"

	"davar/vision"
)

func TestDiceOfWhichOnlyTheValuesAreKnownAreComparedByTheirValues(t *testing.T) {
	three, five := 3, 5
	truth := &Truth{Image: "dice.jpg", Dice: []Die{{Value: &five}, {Value: &three}}}
	read := func(values ...int) *vision.Reading {
		r := &vision.Reading{}
		for i, v := range values {
			d := vision.Die{Center: vision.Pixel{X: float64(100 * i), Y: 50}}
			d.Values[v] = 1
			r.Dice = append(r.Dice, d)
		}
		return r
	}
	for name, c := range map[string]struct {
		read *vision.Reading
		want float64
	}{
		"all right, in another order": {read(3, 5), 1},
		"one wrong":                   {read(3, 6), 0},
		"one too many":                {read(3, 5, 5), 0},
		"one missed":                  {read(5), 0},
	} {
		t.Run(name, func(t *testing.T) {
			var s Score
			s.Add(truth, c.read, nil, 0)
			r := s.Report()
			is(t, "pictures_exact", r.Dice.PicturesExact, c.want)
			if r.Dice.Recall != nil || r.Dice.False != 0 {
				t.Errorf("recall %v and %d false of dice without a place", r.Dice.Recall, r.Dice.False)
			}
		})
	}
}

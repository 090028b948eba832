package vision

import (
	"testing"

	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// The pictures are of boards that no network has learned from.
func TestDiceOfAStrangeBoardLeanOrLieAsTheyDo(t *testing.T) {
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	type die struct {
		number int
		place  sighting.Place
		leans  bool
	}
	for _, c := range []struct {
		picture string
		corners [4]Pixel
		dice    []die
	}{
		{"leaning.jpg", [4]Pixel{{305.3, 63.6}, {1029.9, 61.7}, {1042, 606.5}, {327.9, 650.3}}, []die{
			{2, sighting.RightHalf, false},
			{4, sighting.RightHalf, true}, // against the bar
		}},
		{"on_checker.jpg", [4]Pixel{{244.7, 167.7}, {903.2, 92.2}, {1029.8, 562.6}, {172.3, 639.9}}, []die{
			{2, sighting.LeftHalf, false},
			{1, sighting.OnChecker, false}, // of its own colour
		}},
	} {
		img := gocv.IMRead("testdata/"+c.picture, gocv.IMReadColor)
		defer img.Close()
		reading, err := r.ReadAt(img, c.corners)
		if err != nil {
			t.Fatal(err)
		}
		if len(reading.Dice) != len(c.dice) {
			t.Errorf("%s: %d dice, want %d", c.picture, len(reading.Dice), len(c.dice))
		}
		for _, want := range c.dice {
			found := false
			for i := range reading.Dice {
				d := &reading.Dice[i]
				n, _ := d.Best()
				found = found || n == want.number && d.Place == want.place && (d.Cocked > 0.7) == want.leans && (d.Cocked < 0.3) != want.leans
			}
			if !found {
				t.Errorf("%s: no die shows %d, lies %v and leans: %v, among %+v", c.picture, want.number, want.place, want.leans, reading.Dice)
			}
		}
	}
}

package vision

import "testing"

func TestCornersFoundInAMirrorImageAreGivenBackInThePicturesOwnOrder(t *testing.T) {
	const cols, rows = 640, 480
	want := [4]Pixel{{100, 80}, {500, 90}, {560, 400}, {60, 380}}
	for _, m := range everyWay {
		seen := want // as the mirror shows them, clockwise
		for i := range seen {
			if m.sides {
				seen[i].X = cols - seen[i].X
			}
			if m.rows {
				seen[i].Y = rows - seen[i].Y
			}
		}
		if m.sides != m.rows {
			seen = [4]Pixel{seen[3], seen[2], seen[1], seen[0]}
		}
		if got := turnedLike(m.back(seen, cols, rows), want); got != want {
			t.Errorf("mirrored %+v: %v, want %v", m, got, want)
		}
	}
}

func TestTheMedianOfCornersDoesNotFollowTheOneThatStrays(t *testing.T) {
	square := func(by float64) [4]Pixel { return [4]Pixel{{by, by}, {10 + by, by}, {10 + by, 10 + by}, {by, 10 + by}} }
	if got := medians([][4]Pixel{square(0), square(1)}); got != square(0.5) {
		t.Errorf("of two it is %v, want their mean", got)
	}
	if got := medians([][4]Pixel{square(0), square(50), square(1)}); got != square(1) {
		t.Errorf("of three it is %v, want the middle one", got)
	}
	if got := apart(square(0), square(3)); got < 4.2 || got > 4.3 {
		t.Errorf("the squares are %.2f apart, want 3√2", got)
	}
}

package vision

import "testing"

func TestADieKeepsItsColourWhereTheLightIsPoor(t *testing.T) {
	for name, c := range map[string]struct {
		bright float64
		light  bool
	}{"a white die": {0.9, true}, "a bone die": {0.78, true}, "a red die": {0.4, false}, "a black die": {0.12, false}} {
		for _, dimmed := range []float64{0.3, 0.45, 0.7, 1, 1.1} {
			board := make([]uint8, 10000)
			for i := range board {
				board[i] = uint8(120 * dimmed)
				if i%20 == 0 { // checkers
					board[i] = uint8(min(255, 225*dimmed))
				}
			}
			var l light
			l.see(board)
			got := lightness(min(1, c.bright*dimmed) * l.factor())
			if c.light && got < 0.7 || !c.light && got > 0.3 {
				t.Errorf("%s in %.0f %% of the light is light with %.2f", name, 100*dimmed, got)
			}
		}
	}
}

func TestALightThatIsNotKnownYetChangesNothing(t *testing.T) {
	var l light
	if f := l.factor(); f != 1 {
		t.Errorf("factor %g, want 1", f)
	}
}

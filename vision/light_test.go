package vision

import "testing"

func TestADieKeepsItsColourWhenTheLightComesAndGoes(t *testing.T) {
	for name, c := range map[string]struct {
		bright float64
		light  bool
	}{"a white die": {0.85, true}, "a bone die": {0.75, true}, "a red die": {0.4, false}, "a black die": {0.12, false}} {
		var l light
		for range 2000 {
			l.see(100)
		}
		for _, dimmed := range []float64{0.45, 0.7, 1, 1.15} {
			l.see(100 * dimmed)
			got := relit(lightness(c.bright*dimmed), l.factor())
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
	l.see(40)
	if f := l.factor(); f != 1 {
		t.Errorf("factor %g after the first picture, want 1", f)
	}
}

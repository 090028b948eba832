package vision

import "testing"

func TestWhatOtherSizesSayDecidesInDoubt(t *testing.T) {
	for name, c := range map[string]struct {
		die         float32 // by the look at the size it seems to have
		sizes, heat float64
		real        bool
	}{
		"a die at every size is one":                          {0.8, 3, 0, true},
		"a die at the seeming size alone is none":             {0.8, -4, 0, false},
		"what is none at the seeming size may be one":         {0.2, 3, 0, true},
		"what the finding network doubts needs more":          {0.8, 1, -1, false},
		"what the finding network is sure of needs less":      {0.4, 0, 1, true},
		"no single look outweighs what all the others tell":   {0.9999999, -4, 0, false},
		"nor does it when it shows nothing, if they are sure": {1e-9, 6, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := look{kind: [3]float32{1: c.die}}
			l.weighSizes(c.sizes, c.heat)
			if got := l.real >= enoughReal; got != c.real {
				t.Errorf("it is real with %.3f", l.real)
			}
		})
	}
}

func TestOnlyWhatIsInDoubtIsLookedAtInOtherSizes(t *testing.T) {
	for real, want := range map[float32]bool{0.001: false, 0.02: true, 0.5: true, 0.98: true, 0.999: false} {
		l := look{real: real}
		if l.isDoubtful() != want {
			t.Errorf("%v: %v", real, !want)
		}
	}
}

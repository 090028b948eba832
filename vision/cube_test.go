package vision

import "testing"

// figured is a thing with the numeral at the place of the table of numerals on it.
func figured(x float64, numeral int, real float32, cubeHeat float64) look {
	l := look{at: Pixel{X: x}, size: 20, real: real, cubeHeat: cubeHeat, kind: [3]float32{2: 1}}
	for i, n := range numerals {
		if n == numeral {
			l.numeral[i] = 1
		}
	}
	return l
}

func TestTheCubeIsToldFromDiceWithFigures(t *testing.T) {
	for name, c := range map[string]struct {
		things, faint []look
		cube          float64 // where it lies; -1: none is told
		dice, doubted int
	}{
		"alone it is the cube": {things: []look{figured(0, 64, 0.9, 2)}, cube: 0},
		"beside a die with a figure that no cube has it is the cube": {
			things: []look{figured(0, 5, 0.9, -1), figured(100, 4, 0.9, 1)}, cube: 100, dice: 1,
		},
		"a two among dice with figures that is seen as a die is a die": {
			things: []look{figured(0, 5, 0.9, -1), figured(100, 3, 0.9, -1), figured(200, 2, 0.9, -0.8)}, cube: -1, dice: 3,
		},
		"and the cube may be a faint thing beside it": {
			things: []look{figured(0, 5, 0.9, -1), figured(100, 3, 0.9, -1), figured(200, 2, 0.9, -0.8)},
			faint:  []look{figured(300, 4, 0.4, 0)}, cube: 300, dice: 3,
		},
		"a faint thing with a figure is a die that is doubted": {
			things: []look{figured(0, 5, 0.9, -1), figured(100, 3, 0.9, -1)},
			faint:  []look{figured(300, 6, 0.4, -1)}, cube: -1, dice: 2, doubted: 1,
		},
		"what shows beside the cube's face is on its side": {
			things: []look{figured(0, 64, 0.9, 2), figured(14, 3, 0.8, -1)}, cube: 0,
		},
		"without dice with figures faint things are none": {
			things: []look{figured(0, 64, 0.9, 2)}, faint: []look{figured(300, 6, 0.4, -1)}, cube: 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dice, faint, cube := sortNumbered(c.things, c.faint)
			at := -1.0
			if cube != nil {
				at = cube.at.X
			}
			if at != c.cube || len(dice) != c.dice || len(faint) != c.doubted {
				t.Errorf("the cube at %v, %d dice, %d faint ones; want it at %v, %d and %d", at, len(dice), len(faint), c.cube, c.dice, c.doubted)
			}
			for _, d := range dice {
				if d.value[5]+d.value[3]+d.value[2]+d.value[6] != 1 {
					t.Errorf("a die's numbers are %v, not its figure", d.value)
				}
			}
		})
	}
}

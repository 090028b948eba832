package vision

import "testing"

func TestDiceInCompany(t *testing.T) {
	die := func(x, real float64) look {
		return look{at: Pixel{X: x}, size: 20, bright: 0.8, real: float32(real), kind: [3]float32{1: 1}}
	}
	sized := func(l look, size float64) look { l.size = size; return l }
	dark := func(l look) look { l.bright = 0.1; return l }
	cube := die(300, 0.99)
	for _, c := range []struct {
		name         string
		looks, faint []look
		cube         *look
		dice         int
	}{
		{"two dice stay two", []look{die(0, 0.95), die(100, 0.95)}, nil, nil, 2},
		{"a faint one makes a pair with one of its make", []look{die(0, 0.95)}, []look{die(100, 0.3)}, nil, 2},
		{"a faint one of another make does not", []look{die(0, 0.95)}, []look{dark(sized(die(100, 0.3), 14))}, nil, 1},
		{"of several faint ones the likeliest makes the pair", []look{die(0, 0.95)}, []look{die(100, 0.25), die(200, 0.35)}, nil, 2},
		{"a faint third is none", []look{die(0, 0.95), die(100, 0.95)}, []look{die(200, 0.4)}, nil, 2},
		{"a faint one alone is none", nil, []look{die(100, 0.3)}, nil, 0},
		{"what is twice as large as dice are is none", []look{sized(die(0, 0.8), 40)}, nil, nil, 0},
		{"five unsure ones as large as each other are a pattern", []look{die(0, 0.6), die(40, 0.7), die(80, 0.8)}, []look{die(120, 0.4), die(160, 0.3)}, nil, 0},
		{"beside a pattern what is sure stays", []look{die(0, 0.95), die(40, 0.7), die(80, 0.8), die(200, 0.95)}, []look{die(120, 0.4), die(160, 0.3), die(240, 0.3)}, nil, 2},
		{"four unsure ones are no pattern", []look{die(0, 0.8), die(40, 0.8), die(80, 0.8), die(120, 0.8)}, nil, nil, 4},
		{"a faint one where the cube lies is none", []look{die(0, 0.95)}, []look{die(303, 0.4)}, &cube, 1},
		{"a faint one where a die lies is none", []look{die(0, 0.95)}, []look{die(5, 0.4)}, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := inCompany(c.looks, c.faint, c.cube, 20); len(got) != c.dice {
				t.Errorf("%d dice, not %d: %+v", len(got), c.dice, got)
			}
		})
	}
}

package sighting

import (
	"math"

	"davar/rules"
)

func logP(s *Sighting, pos *rules.Position, floor float32) float64 {
	sum := 0.0
	add := func(p float32) { sum += math.Log(float64(max(p, floor))) }
	for p := 1; p <= 24; p++ {
		view := &s.Points[p-1]
		if view.Hidden {
			continue
		}
		light := int(pos.Checkers[rules.Light][p])
		dark := int(pos.Checkers[rules.Dark][25-p])
		if light > 0 && dark > 0 {
			add(view.Mixed)
			continue
		}
		add(view.Counts.P(light-dark) * (1 - view.Mixed))
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		if bar := &s.Bar[side]; bar.Visible {
			add(bar.P[min(int(pos.Checkers[side][rules.Bar]), MaxCount)])
		}
	}
	return sum
}

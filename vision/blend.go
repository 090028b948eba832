package vision

import "davar/rules/sighting"

// blend makes old the mean of n readings, the newest of which is now.
func blend(old, now *sighting.Point, n int) {
	if n == 1 || old.Hidden != now.Hidden {
		*old = *now
		return
	}
	k := 1 / float32(n)
	for i, p := range now.Counts {
		old.Counts[i] += (p - old.Counts[i]) * k
	}
	old.Mixed += (now.Mixed - old.Mixed) * k
}

func blendPile(old, now *sighting.Pile, n int) {
	if n == 1 || old.Visible != now.Visible {
		*old = *now
		return
	}
	for i, p := range now.P {
		old.P[i] += (p - old.P[i]) / float32(n)
	}
}

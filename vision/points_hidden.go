package vision

import "davar/rules/sighting"

// Where a hand may hide a part of a point, checkers may lie under it beside those that are seen.
const (
	leastHidden = 0.02 // probability from which that is thought of
	moreUnder   = 0.5  // each checker more is this many times as likely
)

// withMoreUnder returns the counts of a point of which a hand hides a part with the given probability, seen being what
// shows of it.
func withMoreUnder(seen *sighting.Counts, hidden float32) (c sighting.Counts) {
	const none = sighting.MaxCount
	for i, p := range seen {
		c[i] += (1 - hidden) * p
		part := hidden * p
		if i == none { // either colour may lie there
			c[i] += part * moreUnder
			for n, q := 1, part*moreUnder*(1-moreUnder)/2; n <= sighting.MaxCount; n, q = n+1, q*moreUnder {
				c[none+n] += q
				c[none-n] += q
			}
			continue
		}
		step := 1
		if i < none {
			step = -1
		}
		for k, q := i, part*(1-moreUnder); k >= 0 && k < len(c); k, q = k+step, q*moreUnder {
			c[k] += q
		}
	}
	return c
}

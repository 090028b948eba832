package vision

// trays is how likely it is to see what is seen beside the board when so many light and so many dark checkers are borne off,
// against none.
type trays [counts][counts]float64

// What the strips may hold, apart from what is seen in them.
const (
	trayElsewhere = 0.7  // a side's checkers that are off lie where nobody looks, as in many photographs
	trayMany      = 14.0 // the network learned from strips of which one in so many held any given number, where they held any
	trayHeld      = 0.23 // share of the strips it learned from that held any
)

// blankTrays say nothing.
func blankTrays() (t *trays) {
	t = new(trays)
	for l := range t {
		for d := range t[l] {
			t[l][d] = 1
		}
	}
	return t
}

// weighTrays returns the likelihoods. A side's checkers lie all in one strip or elsewhere, those of the two sides in two.
func weighTrays(q *[4]quarter) *trays {
	// how much likelier each strip's view is with n checkers of the colour in it than with none
	var more [4][2][counts]float64
	for i := range q {
		for n := range counts {
			for side, share := range [2]float64{float64(q[i].light), 1 - float64(q[i].light)} {
				more[i][side][n] = 1
				if q[i].seen {
					held := float64(q[i].p[n]) * 2 * share * trayMany / trayHeld
					empty := float64(q[i].p[0]) / (1 - trayHeld)
					more[i][side][n] = held / max(empty, 1e-6)
				}
			}
		}
	}
	t := new(trays)
	for l := range counts {
		for d := range counts {
			t[l][d] = ofBothSides(&more, l, d)
		}
	}
	return t
}

// ofBothSides returns how much likelier the four views are with l light and d dark checkers off than with none.
func ofBothSides(more *[4][2][counts]float64, l, d int) (sum float64) {
	const strip = (1 - trayElsewhere) / 4
	places := [2][5]float64{} // of each side: that it lies in strip i, and its factor; 4: nowhere to be seen
	for side, n := range [2]int{l, d} {
		if n == 0 {
			places[side][4] = 1
			continue
		}
		for i := range 4 {
			places[side][i] = strip * more[i][side][n]
		}
		places[side][4] = trayElsewhere
	}
	for i, a := range places[0] {
		for k, b := range places[1] {
			if i != k || i == 4 {
				sum += a * b
			}
		}
	}
	return sum
}

// seenTrays tells whether all that lies beside the board can be seen.
func seenTrays(q *[4]quarter) bool {
	return q[0].seen && q[1].seen && q[2].seen && q[3].seen
}

package accuracy

import (
	"fmt"
	"math"
	"slices"

	"davar/vision"
)

// diceOf compares the dice: each true die with the nearest die read within about one edge. Dice the truth calls
// invisible need not be read, and are not false when they are.
func (c *compared) diceOf(t *Truth, r *vision.Reading, table *diceReliability) {
	var read []vision.Die
	if r != nil {
		read = r.Dice
	}
	if t.unplaced() {
		c.valuesOf(t, read)
		return
	}
	used := make([]bool, len(read))
	good, asked := true, 0
	for i := range t.Dice {
		die := &t.Dice[i]
		visible := die.Visible == nil || *die.Visible
		k := nearest(t, die, read, used)
		if k >= 0 {
			used[k] = true
		}
		if !visible {
			continue
		}
		asked++
		c.diceTrue++
		if k < 0 {
			good = false
			c.wrong.Dice = append(c.wrong.Dice, fmt.Sprintf("missed at %.0f,%.0f", die.Center[0], die.Center[1]))
			continue
		}
		c.diceFound++
		good = c.dieOf(t, die, &read[k], table) && good
	}
	for k := range read {
		if !used[k] {
			good = false
			c.diceFalse++
			c.wrong.Dice = append(c.wrong.Dice, fmt.Sprintf("none at %.0f,%.0f", read[k].Center.X, read[k].Center.Y))
		}
	}
	if asked > 0 {
		c.dicePictures = 1
		if good {
			c.dicePicturesRight = 1
		}
	}
}

// unplaced tells whether the truth knows what the dice show and not where they lie. A place that is null reads as the
// picture's very corner, where no die has its middle.
func (t *Truth) unplaced() bool {
	return slices.ContainsFunc(t.Dice, func(d Die) bool { return d.Center == [2]float64{} })
}

// valuesOf compares the values alone of dice that have no place in the truth: they are all right or not, and count
// neither as found nor as missed.
func (c *compared) valuesOf(t *Truth, read []vision.Die) {
	var balance [7]int // of each value, true ones less those read
	for i := range t.Dice {
		if v := t.Dice[i].Value; v != nil {
			balance[*v]++
		}
	}
	for i := range read {
		v, _ := read[i].Best()
		balance[v]--
	}
	c.dicePictures = 1
	if balance == [7]int{} {
		c.dicePicturesRight = 1
		return
	}
	for v, n := range balance {
		if n != 0 {
			c.wrong.Dice = append(c.wrong.Dice, fmt.Sprintf("%+d of %d", -n, v))
		}
	}
}

// dieOf compares one die found with the truth. Numerals instead of pips, and values nobody can tell, do not count.
func (c *compared) dieOf(t *Truth, die *Die, read *vision.Die, table *diceReliability) bool {
	good := true
	value, confidence := read.Best()
	if die.Value != nil && t.Faces != "numerals" && !die.Ambiguous {
		c.valuesTrue++
		right := value == *die.Value
		table.values.add(float64(confidence), right)
		if right {
			c.valuesRight++
		} else {
			good = false
			c.wrong.Dice = append(c.wrong.Dice, fmt.Sprintf("%s at %.0f,%.0f", difference(*die.Value, value), die.Center[0], die.Center[1]))
		}
	}
	if !die.Ambiguous {
		c.cockedTrue++
		cocked := read.Cocked > 0.5
		if cocked == die.Cocked {
			c.cockedRight++
		}
		table.cocked.add(float64(max(read.Cocked, 1-read.Cocked)), cocked == die.Cocked)
	}
	return good
}

// nearest returns the nearest die read that is not used yet and lies within an edge of the true one, -1 when there is
// none. Where the truth does not tell the edge, the one read counts: truths name the middle of the die or of its
// upper face, which are half an edge apart when seen from the side.
func nearest(t *Truth, die *Die, read []vision.Die, used []bool) int {
	best, least := -1, math.Inf(1)
	for k := range read {
		near := die.Edge
		if near == 0 {
			near = max(read[k].Size, dieNear*math.Hypot(float64(t.Size[0]), float64(t.Size[1])))
		}
		if d := math.Hypot(read[k].Center.X-die.Center[0], read[k].Center.Y-die.Center[1]); d <= near && d < least && !used[k] {
			best, least = k, d
		}
	}
	return best
}

func difference(want, got int) string { return fmt.Sprintf("%d read as %d", want, got) }

package accuracy

import "davar/vision"

// Pair finds, for each die the truth tells of, the die read of it: its place in read, -1 for none. A die read is paired
// at most once.
func (t *Truth) Pair(read []vision.Die) []int {
	used := make([]bool, len(read))
	pairs := make([]int, len(t.Dice))
	for i := range t.Dice {
		k := nearest(t, &t.Dice[i], read, used)
		if k >= 0 {
			used[k] = true
		}
		pairs[i] = k
	}
	return pairs
}

// MixedAt tells whether both colours stand on the point of that row (top or bottom) and column.
func (t *Truth) MixedAt(row string, column int) bool { return t.mixed(row, column) }

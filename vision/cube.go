package vision

// numerals are the faces of the doubling cube in the order of the reader's outputs; the first output says that the
// numeral cannot be told.
var numerals = [...]int{0, 2, 4, 8, 16, 32, 64}

// cubeOf puts what the reader saw into the words of the contract; nil stays nil.
func cubeOf(l *look, g *Geometry) *Cube {
	if l == nil {
		return nil
	}
	c := &Cube{Center: l.at, Real: l.real, Values: make(map[int]float32, len(numerals)-1)}
	for i, n := range numerals[1:] {
		c.Values[n] = l.numeral[i+1]
	}
	c.U, c.V = g.ToBoard(Pixel{l.at.X - l.up.X, l.at.Y - l.up.Y})
	return c
}

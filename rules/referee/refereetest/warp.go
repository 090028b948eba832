package refereetest

// warp maps pixels of a picture to shares of the rectified board: the homography that takes the board's corners
// TL, TR, BR, BL to 0,0 1,0 1,1 0,1.
type warp [8]float64

// newWarp solves the eight linear equations the four corners give, by Gauss-Jordan elimination.
func newWarp(corners [4][2]float64) warp {
	target := [4][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	var m [8][9]float64
	for i, c := range corners {
		x, y, u, v := c[0], c[1], target[i][0], target[i][1]
		m[2*i] = [9]float64{x, y, 1, 0, 0, 0, -u * x, -u * y, u}
		m[2*i+1] = [9]float64{0, 0, 0, x, y, 1, -v * x, -v * y, v}
	}
	for col := range 8 {
		pivot := col
		for row := col + 1; row < 8; row++ {
			if abs(m[row][col]) > abs(m[pivot][col]) {
				pivot = row
			}
		}
		m[col], m[pivot] = m[pivot], m[col]
		if m[col][col] == 0 {
			return warp{} // corners on one line: everything lies in the corner
		}
		for row := range 8 {
			if row == col {
				continue
			}
			f := m[row][col] / m[col][col]
			for k := col; k < 9; k++ {
				m[row][k] -= f * m[col][k]
			}
		}
	}
	var w warp
	for i := range w {
		w[i] = m[i][8] / m[i][i]
	}
	return w
}

// share returns where a pixel lies on the rectified board.
func (w warp) share(p [2]float64) (u, v float64) {
	d := w[6]*p[0] + w[7]*p[1] + 1
	return (w[0]*p[0] + w[1]*p[1] + w[2]) / d, (w[3]*p[0] + w[4]*p[1] + w[5]) / d
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

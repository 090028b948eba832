package vision

import "math"

// motionCount is the number of small motions a plane before a camera has: the generators of the homographies.
const motionCount = 8

// motions returns how far each of the small motions moves the place u, v of the board along u and along v.
func motions(u, v float64) (along [2][motionCount]float64) {
	x, y := u-0.5, v-0.5
	along[0] = [motionCount]float64{0: 1, 1: x, 2: y, 6: x * x, 7: x * y}
	along[1] = [motionCount]float64{3: 1, 4: x, 5: y, 6: x * y, 7: y * y}
	return along
}

// agreement gathers what many places of a view say of how far the board lies from where it was looked for, and
// finds the motion that agrees best with all of them: weighted least squares. The zero value is ready.
type agreement struct {
	normal [motionCount][motionCount]float64
	right  [motionCount]float64
}

// add counts in that the board's place u, v lies off by d along u (axis 0) or v (axis 1).
func (a *agreement) add(u, v float64, axis int, d, weight float64) {
	move := motions(u, v)[axis]
	for i, m := range move {
		a.right[i] += weight * m * d
		for j := range i + 1 {
			a.normal[i][j] += weight * m * move[j]
		}
	}
}

// offsets returns how far the best motion moves the corners. Where nothing was added they stay.
func (a *agreement) offsets() (o offsets) {
	best := a.solve()
	for k, c := range unitSquare {
		for axis, move := range motions(c[0], c[1]) {
			for i, m := range move {
				o[k][axis] += best[i] * m
			}
		}
	}
	return o
}

// solve solves the normal equations by Cholesky's decomposition; a little is added to their diagonal, so that motions
// that nothing tells of are none.
func (a *agreement) solve() (x [motionCount]float64) {
	var trace float64
	for i := range a.normal {
		trace += a.normal[i][i] / motionCount
	}
	if trace <= 0 {
		return x
	}
	l := a.normal
	for i := range l {
		l[i][i] += 1e-5 * trace
		for j := range i + 1 {
			for k := range j {
				l[i][j] -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(l[i][i])
			} else {
				l[i][j] /= l[j][j]
			}
		}
	}
	for i := range x {
		x[i] = a.right[i]
		for j := range i {
			x[i] -= l[i][j] * x[j]
		}
		x[i] /= l[i][i]
	}
	for i := motionCount - 1; i >= 0; i-- {
		for j := i + 1; j < motionCount; j++ {
			x[i] -= l[j][i] * x[j]
		}
		x[i] /= l[i][i]
	}
	return x
}

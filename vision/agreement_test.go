package vision

import (
	"math"
	"testing"
)

func TestAgreementFindsTheCornersFromPlacesOnTheEdges(t *testing.T) {
	var moved [motionCount]float64
	for i := range moved {
		moved[i] = 0.01 * float64(i-3)
	}
	off := func(u, v float64, axis int) (d float64) {
		for i, m := range motions(u, v)[axis] {
			d += moved[i] * m
		}
		return d
	}
	var a agreement
	for s := 0.05; s < 1; s += 0.1 {
		for _, end := range []float64{0, 1} {
			a.add(end, s, 0, off(end, s, 0), 1+s)
			a.add(s, end, 1, off(s, end, 1), 1+s)
		}
	}
	got := a.offsets()
	for k, c := range unitSquare {
		for axis := range 2 {
			if want := off(c[0], c[1], axis); math.Abs(got[k][axis]-want) > 1e-3 {
				t.Errorf("corner %d is said to be off by %.4f along axis %d, want %.4f", k, got[k][axis], axis, want)
			}
		}
	}
}

func TestAgreementWithNothingToGoByLeavesTheCorners(t *testing.T) {
	var a agreement
	if got := a.offsets(); got != (offsets{}) {
		t.Errorf("offsets of no observation: %v", got)
	}
}

func TestAgreementBelievesTheSureMore(t *testing.T) {
	var a agreement
	for _, c := range unitSquare {
		for axis := range 2 {
			a.add(c[0], c[1], axis, 0.02, 100)
			a.add(c[0], c[1], axis, -0.5, 0.01)
		}
	}
	for k, o := range a.offsets() {
		if math.Abs(o[0]-0.02) > 1e-3 || math.Abs(o[1]-0.02) > 1e-3 {
			t.Errorf("corner %d is said to be off by %.4f, want 0.02 both ways", k, o)
		}
	}
}

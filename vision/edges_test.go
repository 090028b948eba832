package vision

import (
	"math"
	"testing"
)

// answerWithEdges is what the network would say of edges that lie off by the given shares of the board.
func answerWithEdges(left, right, upper, lower float64) []float32 {
	out := make([]float32, edgesAnswer)
	for edge, at := range [4]float64{left, 1 + right, upper, 1 + lower} {
		for i := range edgesLines {
			for j := range edgesLines {
				d := (edgesPlace(float64(j)) - at) * edgesLines // about in cells
				k := i*edgesLines + j
				if edge >= 2 {
					k = j*edgesLines + i
				}
				out[edge*edgesMap+k] = float32(-d * d / 4)
			}
		}
	}
	return out
}

func TestEdgesThatLieOffMoveTheCornersWithThem(t *testing.T) {
	seen := edgingOf(answerWithEdges(0.03, -0.02, 0, 0.04))
	want := offsets{{0.03, 0}, {-0.02, 0}, {-0.02, 0.04}, {0.03, 0.04}}
	for i := range want {
		if math.Hypot(seen.offsets[i][0]-want[i][0], seen.offsets[i][1]-want[i][1]) > 2e-3 {
			t.Errorf("corner %d is off by %.4f, want %.4f", i, seen.offsets[i], want[i])
		}
	}
	if seen.lies != 0.5 || seen.nothing != 0 {
		t.Errorf("of logits 0: lies %v, nothing %v, want 0.5 and 0", seen.lies, seen.nothing)
	}
}

func TestEdgesWhereTheyWereLookedForLeaveTheCorners(t *testing.T) {
	if seen := edgingOf(answerWithEdges(0, 0, 0, 0)); seen.offsets.most() > 1e-3 {
		t.Errorf("corners move by %v", seen.offsets)
	}
}

package vision

import (
	"math"
	"testing"
)

func TestGeometryTakesCornersToTheUnitSquareAndBack(t *testing.T) {
	g, err := NewGeometry([4]Pixel{{295, 127}, {924, 89}, {1034, 600}, {194, 616}}, 0.46, 0.54)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [4][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		u, v := g.ToBoard(g.Corners[i])
		if math.Hypot(u-want[0], v-want[1]) > 1e-9 {
			t.Errorf("corner %d lies at %.3f, %.3f of the board, want %v", i, u, v, want)
		}
	}
	p := g.ToPicture(0.3, 0.7)
	if u, v := g.ToBoard(p); math.Hypot(u-0.3, v-0.7) > 1e-9 {
		t.Errorf("0.3, 0.7 comes back as %.4f, %.4f", u, v)
	}
}

func TestCornersOutOfOrderAreRefused(t *testing.T) {
	if _, err := NewGeometry([4]Pixel{{0, 0}, {0, 10}, {10, 10}, {10, 0}}, 0.5, 0.5); err == nil {
		t.Error("counter-clockwise corners were taken")
	}
}

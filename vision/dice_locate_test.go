package vision

import "testing"

func TestWhatIsSeenInAMirrorOfTheCanvasIsPutBackWhereItLies(t *testing.T) {
	const n = gridWidth * gridHeight
	at := Pixel{X: 203.5, Y: 90.25} // of the canvas
	for _, way := range everyWay {
		seen := way.ofCanvas().apply(at)
		x, y := int(seen.X/cellPixels), int(seen.Y/cellPixels)
		out := make([]float32, planes*n)
		cell := y*gridWidth + x
		out[planeDie*n+cell] = 2
		out[planeX*n+cell] = float32(seen.X/cellPixels - float64(x) - 0.5)
		out[planeY*n+cell] = float32(seen.Y/cellPixels - float64(y) - 0.5)

		l := &locator{sum: make([]float32, planes*n)}
		l.join(out, way)
		cx, cy := int(at.X/cellPixels), int(at.Y/cellPixels)
		cell = cy*gridWidth + cx
		got := Pixel{
			X: cellPixels * (float64(cx) + 0.5 + float64(l.sum[planeX*n+cell])),
			Y: cellPixels * (float64(cy) + 0.5 + float64(l.sum[planeY*n+cell])),
		}
		if heat := l.sum[planeDie*n+cell]; heat != 2 || distance(got, at) > 1e-4 {
			t.Errorf("%+v: seen at %v it is put at %v with heat %v, not at %v with 2", way, seen, got, heat, at)
		}
	}
}

package vision

import (
	"cmp"
	_ "embed" // the weights
	"math"
	"slices"

	"gocv.io/x/gocv"
)

//go:embed weights/dice_find.onnx.gz
var diceFindWeights []byte

// Output of the finding network: planes of cells of cellPixels of the canvas (train/dice_find.py).
const (
	cellPixels  = 4
	gridWidth   = canvasWidth / cellPixels
	gridHeight  = canvasHeight / cellPixels
	planeDie    = 0
	planeCube   = 1
	planeSize   = 2 // logarithm of the edge over edgeOfOne
	planeX      = 3
	planeY      = 4
	planes      = 5
	edgeOfOne   = 11.0
	enoughHeat  = -2.2  // logit from which a place is worth a look of the reader
	faintHeat   = -1.0  // logit below which a place is passed over once two dice are found
	mostPlaces  = 14    // looked at in one picture
	dieOfBoard  = 0.031 // usual edge of a die, and of a cube, as shares of the root of the board's area
	cubeOfBoard = 0.058
)

// spot is a place in the picture where a die or a cube may lie.
type spot struct {
	at   Pixel   // in the picture
	size float64 // edge, pixels of the picture
	cube bool
	heat float64 // logit
}

// locator finds the places of a picture that look like dice or a cube.
type locator struct {
	net    *network
	canvas *cutter
	sum    []float32 // of what the network said in all looks
	looks  int
	mean   []float32
	spots  []spot
}

func newLocator() (*locator, error) {
	net, err := newNetwork("dice finding", planes*gridWidth*gridHeight, diceFindWeights)
	if err != nil {
		return nil, err
	}
	return &locator{
		net: net, canvas: newCutter(canvasWidth, canvasHeight, gocv.BorderConstant),
		sum: make([]float32, planes*gridWidth*gridHeight), mean: make([]float32, planes*gridWidth*gridHeight),
	}, nil
}

func (l *locator) close() {
	l.canvas.close()
	l.net.close()
}

// begin forgets what was looked at.
func (l *locator) begin() {
	clear(l.sum)
	l.looks = 0
}

// look looks once at img through the canvas, in the given way.
func (l *locator) look(img gocv.Mat, canvas affine, way mirror) error {
	err := l.net.run(l.canvas.cut(img, way.ofCanvas().after(canvas)), func(out []float32) { l.join(out, way) })
	if err == nil {
		l.looks++
	}
	return err
}

// hottest returns the hottest places of what was looked at through the canvas since begin, by the mean of all looks, hottest first. The
// slice is good until the next call.
func (l *locator) hottest(canvas affine) []spot {
	l.spots = l.spots[:0]
	l.gather(canvas)
	l.trim(mostPlaces)
	return l.spots
}

// gather appends the hot places of what was looked at.
func (l *locator) gather(canvas affine) {
	const n = gridWidth * gridHeight
	k := 1 / float32(max(1, l.looks))
	for i, v := range l.sum {
		l.mean[i] = k * v
	}
	back := canvas.inverse()
	for plane := planeDie; plane <= planeCube; plane++ {
		heat := l.mean[plane*n : (plane+1)*n]
		for y := range gridHeight {
			for x := range gridWidth {
				i := y*gridWidth + x
				if heat[i] < enoughHeat || !isPeak(heat, x, y) {
					continue
				}
				at := Pixel{
					cellPixels * (float64(x) + 0.5 + float64(l.mean[planeX*n+i])),
					cellPixels * (float64(y) + 0.5 + float64(l.mean[planeY*n+i])),
				}
				l.spots = append(l.spots, spot{
					at:   back.apply(at),
					size: edgeOfOne * math.Exp(float64(l.mean[planeSize*n+i])) * back.scale(),
					cube: plane == planeCube, heat: float64(heat[i]),
				})
			}
		}
	}
}

// join adds to the sum what the network says of the canvas seen in a mirror.
func (l *locator) join(out []float32, way mirror) {
	for plane := range planes {
		k := float32(1)
		if plane == planeX && way.sides || plane == planeY && way.rows {
			k = -1
		}
		for y := range gridHeight {
			from := (plane*gridHeight + y) * gridWidth
			row := l.sum[from : from+gridWidth]
			if way.rows {
				from = (plane*gridHeight + gridHeight - 1 - y) * gridWidth
			}
			seen := out[from : from+gridWidth]
			for x := range row {
				if way.sides {
					row[x] += k * seen[gridWidth-1-x]
				} else {
					row[x] += k * seen[x]
				}
			}
		}
	}
}

// ofCanvas returns the map from the canvas to its mirror image, cells onto cells.
func (m mirror) ofCanvas() affine {
	to := affine{a: 1, e: 1}
	if m.sides {
		to.a, to.c = -1, canvasWidth
	}
	if m.rows {
		to.e, to.f = -1, canvasHeight
	}
	return to
}

func (l *locator) trim(most int) {
	slices.SortFunc(l.spots, func(a, b spot) int { return cmp.Compare(b.heat, a.heat) })
	l.spots = l.spots[:min(most, len(l.spots))]
}

// isPeak tells whether no neighbour of cell x, y is hotter; of equals the first one wins.
func isPeak(heat []float32, x, y int) bool {
	h := heat[y*gridWidth+x]
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			nx, ny := x+dx, y+dy
			if nx < 0 || ny < 0 || nx >= gridWidth || ny >= gridHeight || dx == 0 && dy == 0 {
				continue
			}
			o := heat[ny*gridWidth+nx]
			if o > h || o == h && (dy < 0 || dy == 0 && dx < 0) {
				return false
			}
		}
	}
	return true
}

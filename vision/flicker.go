package vision

import (
	"math"
	"slices"

	"gocv.io/x/gocv"
)

// Lamps on mains current flicker faster than a camera's shutter rolls down the picture: bands lie across its rows, brighter
// and darker, and wander. Every row is compared with what it was on average; where bands are found the rows are brought
// back to that, before anything else looks at the picture.
const (
	flickerStep    = 8     // pixels and rows between those compared
	flickerDark    = 12    // grey level below which a pixel tells nothing of the light
	flickerBright  = 245   // and from which it is burnt out
	flickerSettles = 12    // pictures until the average is one
	flickerSlow    = 0.04  // share of the average that is each new picture's
	flickerShows   = 0.02  // mean change of the rows' light from which they count as banded
	flickerLasts   = 0.05  // share that each new picture has in whether they are
	flickerHolds   = 0.4   // share of a row's pixels that must have changed alike
	flickerAlike   = 4     // to so many steps of the ratio
	flickerFades   = 0.002 // by how much the highest gain is forgotten with each picture
	flickerSteps   = 128   // steps of a ratio of 1
)

// flicker takes bands of light out of the pictures of one camera. It belongs to one goroutine.
type flicker struct {
	average    []float32 // green levels of the rows and pixels compared
	cols, rows int       // of the pictures
	seen       int
	banded     float64   // how much the rows' light changes, of late
	gains      []float64 // of the rows compared; 0: not known
	peak       float64   // the highest gain of late
	on         bool      // bands were taken out of the newest picture
	steady     gocv.Mat
}

func newFlicker() *flicker { return &flicker{steady: gocv.NewMat()} }

func (f *flicker) close() { f.steady.Close() }

// take returns bgr, or, where bands are found, a copy without them, which is valid until the next call. began tells that it
// is the first such copy: what was learned from the pictures before is of no use.
func (f *flicker) take(bgr gocv.Mat) (even gocv.Mat, began bool, err error) {
	px, err := bgr.DataPtrUint8()
	if err != nil {
		return bgr, false, nil // a part of another picture: not what a camera gives
	}
	was := f.on
	f.on = false
	if bgr.Cols() != f.cols || bgr.Rows() != f.rows {
		f.forget(bgr.Cols(), bgr.Rows())
	}
	f.compare(px)
	f.learn(px)
	f.seen++
	if f.seen < flickerSettles || f.banded < flickerShows || !f.complete() {
		return bgr, false, nil
	}
	bgr.CopyTo(&f.steady)
	out, err := f.steady.DataPtrUint8()
	if err != nil {
		return bgr, false, err
	}
	f.even(out)
	f.on = true
	return f.steady, !was, nil
}

// forget begins anew, with pictures of that size.
func (f *flicker) forget(cols, rows int) {
	f.cols, f.rows, f.seen, f.banded, f.peak = cols, rows, 0, 0, 1
	f.average = make([]float32, ((cols+flickerStep-1)/flickerStep)*((rows+flickerStep-1)/flickerStep))
	f.gains = make([]float64, (rows+flickerStep-1)/flickerStep)
}

// row calls visit for every pixel compared of a row, with its place in average and its green level.
func (f *flicker) row(px []uint8, row int, visit func(i int, level uint8)) {
	across := (f.cols + flickerStep - 1) / flickerStep
	line := px[row*flickerStep*f.cols*3:]
	for x := range across {
		visit(row*across+x, line[x*flickerStep*3+1])
	}
}

// compare sets the gains: by how much each row is brighter than on average, and notes how banded the picture is.
func (f *flicker) compare(px []uint8) {
	known, sum := 0, 0.0
	for row := range f.gains {
		f.gains[row] = f.gain(px, row)
		if f.gains[row] > 0 {
			known++
		}
	}
	if f.seen == 0 || 2*known < len(f.gains) {
		return
	}
	middle := f.middle()
	for _, g := range f.gains {
		if g > 0 {
			sum += math.Abs(g/middle - 1)
		}
	}
	f.banded += (sum/float64(known) - f.banded) * flickerLasts
}

// middle is the median gain: how much brighter the picture is as a whole.
func (f *flicker) middle() float64 {
	sorted := slices.DeleteFunc(slices.Clone(f.gains), func(g float64) bool { return g == 0 })
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// gain returns by how much a row is brighter than on average: the median over its pixels, which a hand over less than half
// of it does not move; 0 when they do not agree.
func (f *flicker) gain(px []uint8, row int) float64 {
	var ratios [2 * flickerSteps]int
	n := 0
	f.row(px, row, func(i int, level uint8) {
		if was := f.average[i]; was > flickerDark && level > flickerDark && level < flickerBright {
			ratios[min(len(ratios)-1, int(float32(level)/was*flickerSteps+0.5))]++
			n++
		}
	})
	if n < 16 {
		return 0
	}
	median, sum := 0, 0
	for sum += ratios[0]; 2*sum <= n; sum += ratios[median] {
		median++
	}
	agree, weighed := 0, 0.0
	for k := max(0, median-flickerAlike); k <= min(len(ratios)-1, median+flickerAlike); k++ {
		agree += ratios[k]
		weighed += float64(k * ratios[k])
	}
	if float64(agree) < flickerHolds*float64(n) {
		return 0
	}
	return weighed / float64(agree) / flickerSteps
}

// learn takes the picture into the average.
func (f *flicker) learn(px []uint8) {
	share := float32(max(flickerSlow, 1/float64(f.seen+1)))
	for row := range f.gains {
		f.row(px, row, func(i int, level uint8) {
			f.average[i] += (float32(level) - f.average[i]) * share
		})
	}
}

// complete fills rows whose gain is not known from those about them; it tells whether enough are known.
func (f *flicker) complete() bool {
	known, last := 0, 0.0
	for i, g := range f.gains {
		if g > 0 {
			known++
			last = g
		} else {
			f.gains[i] = -last
		}
	}
	next := 0.0
	for i := len(f.gains) - 1; i >= 0; i-- {
		switch g := f.gains[i]; {
		case g > 0:
			next = g
		case g == 0:
			f.gains[i] = next
		case next == 0:
			f.gains[i] = -g
		default:
			f.gains[i] = (next - g) / 2
		}
	}
	return 2*known > len(f.gains)
}

// even divides every row of a picture by its gain. What is burnt out where the light is brightest is made as bright
// everywhere: else it would flicker on.
func (f *flicker) even(px []uint8) {
	f.peak = max(slices.Max(f.gains), f.peak*(1-flickerFades))
	ceiling := 255 / f.peak
	var level [256]uint8
	for y := range f.rows {
		at := (float64(y)) / flickerStep
		i := min(len(f.gains)-1, int(at))
		j := min(len(f.gains)-1, i+1)
		g := f.gains[i] + (f.gains[j]-f.gains[i])*(at-float64(i))
		for v := range level {
			level[v] = uint8(min(ceiling, float64(v)/g) + 0.5)
		}
		line := px[y*f.cols*3 : (y+1)*f.cols*3]
		for x, v := range line {
			line[x] = level[v]
		}
	}
}

package vision

import (
	"bytes"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"
)

// Movement is watched on a small grey copy of the rectified view, made of one of twice its size.
const (
	watchCoarse  = 2
	motionScale  = 4
	motionWidth  = viewWidth / motionScale
	motionHeight = viewHeight / motionScale
	motionStep   = 14   // grey levels that a pixel must change by, beyond what noise does
	regionMoves  = 0.06 // share of a region's pixels that must change for the region to move
	lightStep    = 0.05 // logarithm of the factor by which a lamp switched on or off changes the light at least
)

// regions of the view: the points' slots of the top row, the bar's and those of the bottom row.
const (
	regionBar   = 24
	regionCount = 25
)

// motion compares views. It owns its Mats.
type motion struct {
	rectifier *rectifier
	grey      gocv.Mat
	now       gocv.Mat
	last      snapshot // the newest view
	free      snapshot // the last view with nobody over the board
	identical bool     // the newest view is the one before, to the last bit
	sums      [regionCount]int
	levels    []uint8
	mean      float64 // brightness of the view
	detail    float64 // mean step between neighbouring pixels: what blur takes away
}

// snapshot holds the grey levels of a view, unless it is empty.
type snapshot struct {
	levels [motionWidth * motionHeight]uint8
	taken  bool
}

func newMotion() *motion {
	return &motion{rectifier: newRectifier(watchCoarse), grey: gocv.NewMat(), now: gocv.NewMat()}
}

func (m *motion) close() {
	m.rectifier.close()
	m.grey.Close()
	m.now.Close()
}

// changes holds the share of pixels that changed, by region and over the whole view, and by how much the light did.
type changes struct {
	region [regionCount]float32
	all    float32
	light  float64 // how many times brighter it is
}

// settled tells whether a region that changed by c lies still in a picture that changed by last since the one before.
func (c *changes) settled(last *changes, region int) bool {
	return c.region[region] > changeShows && !last.moves(region)
}

// changed tells whether something in a region did that was read.
func (c *changes) changed() bool { return slices.Max(c.region[:]) > changeShows }

// relit tells whether the light changed at once and nothing else did.
func (c *changes) relit() bool {
	return c.light != 0 && math.Abs(math.Log(c.light)) > lightStep && c.all < changeShows
}

func (c *changes) moves(region int) bool { return c.region[region] > regionMoves }

// spread returns the share of the regions that move.
func (c *changes) spread() float64 {
	n := 0
	for i := range c.region {
		if c.moves(i) {
			n++
		}
	}
	return float64(n) / regionCount
}

func (c *changes) any() bool { return slices.Max(c.region[:]) > regionMoves }

// observe takes a new picture and returns what changed since the one before; nothing at the first.
func (m *motion) observe(img gocv.Mat, g *Geometry) (sinceLast changes, err error) {
	gocv.CvtColor(m.rectifier.rectify(img, g), &m.grey, gocv.ColorBGRToGray)
	m.measureDetail()
	gocv.Resize(m.grey, &m.now, image.Pt(motionWidth, motionHeight), 0, 0, gocv.InterpolationArea)
	if m.levels, err = m.now.DataPtrUint8(); err != nil {
		return sinceLast, err
	}
	sum := 0
	for _, v := range m.levels {
		sum += int(v)
	}
	m.mean = float64(sum) / float64(len(m.levels))
	if m.last.taken {
		sinceLast = m.compare(m.levels, &m.last.levels)
	}
	m.identical = m.last.taken && bytes.Equal(m.levels, m.last.levels[:])
	copy(m.last.levels[:], m.levels)
	m.last.taken = true
	return sinceLast, nil
}

// since returns what changed from the snapshot to the newest view; nothing from an empty one.
func (m *motion) since(s *snapshot) (c changes) {
	if s.taken {
		c = m.compare(m.last.levels[:], &s.levels)
	}
	return c
}

// view returns the newest picture's rectified view; it is valid until the next is observed.
func (m *motion) view() gocv.Mat { return m.rectifier.view }

// keepFree remembers the view just observed as one with nobody over the board.
func (m *motion) keepFree() { m.free = m.last }

func (m *motion) forget() { m.last.taken, m.free.taken = false, false }

// compare counts changed pixels. A change of the light all over the view is taken out first.
func (m *motion) compare(a []uint8, b *[motionWidth * motionHeight]uint8) (c changes) {
	now, before := 1, 1
	for i, v := range a {
		now += int(v)
		before += int(b[i])
	}
	c.light = max(0.5, min(2, float64(now)/float64(before)))
	var lit [256]int // what the levels before would be now
	for v := range lit {
		lit[v] = int(float64(v)*c.light + 0.5)
	}
	m.sums = [regionCount]int{}
	all := 0
	for y := range motionHeight {
		row := a[y*motionWidth:][:motionWidth]
		old := b[y*motionWidth:][:motionWidth]
		for x, v := range row {
			if d := int(v) - lit[old[x]]; d > motionStep || d < -motionStep {
				all++
				m.sums[regionAt(x, y)]++
			}
		}
	}
	const cell = motionWidth * motionHeight / 28.0 // pixels of a slot of one row
	for i := range c.region {
		area := float32(cell)
		if i == regionBar {
			area *= 4
		}
		c.region[i] = float32(m.sums[i]) / area
	}
	c.all = float32(all) / float32(len(a))
	return c
}

// regionOf returns the region of a place on the board, or of the one nearest to it.
func regionOf(u, v float64, g *Geometry) int {
	region := regionBar
	for i := range 12 {
		if left, right := g.PointSpan(i); u >= left && u < right || i == 0 && u < left || i == 11 && u >= right {
			region = i
		}
	}
	if region != regionBar && v >= 0.5 {
		region += 12
	}
	return region
}

// regionAt returns the region of a pixel; the margins belong to the regions beside them.
func regionAt(x, y int) int {
	slot := (x - viewMargin/motionScale) * motionScale / slotWidth
	switch slot = max(0, min(slots-1, slot)); {
	case slot == 6 || slot == 7:
		return regionBar
	case slot > 7:
		slot -= 2
	}
	if y >= motionHeight/2 {
		slot += 12
	}
	return slot
}

// measureDetail estimates sharpness on every second row.
func (m *motion) measureDetail() {
	levels, err := m.grey.DataPtrUint8()
	if err != nil {
		return
	}
	sum, n := 0, 0
	const width, height = viewWidth / watchCoarse, viewHeight / watchCoarse
	for y := 0; y < height; y += 2 {
		row := levels[y*width:][:width]
		for x := 1; x < width; x++ {
			d := int(row[x]) - int(row[x-1])
			sum += d * d
			n++
		}
	}
	m.detail = float64(sum) / float64(n)
}

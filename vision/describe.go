package vision

import (
	"math"

	"davar/rules"
	"davar/rules/sighting"
)

// Description is a reading in the form of the truth files (DESIGN section 7), with confidences: what davar read
// --json prints.
type Description struct {
	Image   string        `json:"image,omitempty"`
	Size    [2]int        `json:"size"` // width, height
	Corners [4][2]float64 `json:"corners"`
	Bar     PileCounts    `json:"bar"`
	Off     PileCounts    `json:"off"` // by what the board leaves and what lies beside it
	Top     [12]int       `json:"top"`
	Bottom  [12]int       `json:"bottom"`
	Dice    []DieShown    `json:"dice"`
	Cube    *CubeShown    `json:"cube"`

	BarEdges   [2]float64  `json:"bar_edges_u"`
	Hidden     RowsOfBool  `json:"hidden"` // points a hand or another thing covers: their counts say nothing
	Mixed      RowsOfFloat `json:"mixed"`  // probability that both colours stand on the point
	Confidence Confidence  `json:"confidence"`
	MS         float64     `json:"ms"`
}

// PileCounts are numbers of checkers by side.
type PileCounts struct {
	Light int `json:"light"`
	Dark  int `json:"dark"`
}

// RowsOfBool and RowsOfFloat hold one value for each point, as Top and Bottom do.
type RowsOfBool struct {
	Top    [12]bool `json:"top"`
	Bottom [12]bool `json:"bottom"`
}

// RowsOfFloat is RowsOfBool for numbers.
type RowsOfFloat struct {
	Top    [12]float64 `json:"top"`
	Bottom [12]float64 `json:"bottom"`
}

// Confidence is the probability, 0...1, that what is said is right.
type Confidence struct {
	RowsOfFloat
	Bar struct {
		Light float64 `json:"light"`
		Dark  float64 `json:"dark"`
	} `json:"bar"`
}

// DieShown is a die of a Description.
type DieShown struct {
	Value      int        `json:"value"` // 0: cannot be told
	Center     [2]float64 `json:"center"`
	On         string     `json:"on"`
	Cocked     bool       `json:"cocked"`
	Confidence float64    `json:"confidence"`
}

// CubeShown is the cube of a Description.
type CubeShown struct {
	Value      int        `json:"value"` // 0: cannot be told
	Center     [2]float64 `json:"center"`
	Where      string     `json:"where"`
	Confidence float64    `json:"confidence"`
}

// Describe puts a reading into words and numbers. Whose the cube is follows from the layout.
func Describe(r *Reading, image string, size [2]int, l Layout) *Description {
	d := &Description{Image: image, Size: size, Dice: []DieShown{}, MS: round(float64(r.Took.Microseconds())/1000, 1)}
	for i, c := range r.Geometry.Corners {
		d.Corners[i] = [2]float64{round(c.X, 1), round(c.Y, 1)}
	}
	d.BarEdges = [2]float64{round(r.Geometry.BarLeft, 4), round(r.Geometry.BarRight, 4)}
	for i := range 12 {
		d.Top[i], d.Confidence.Top[i] = best(&r.Top[i])
		d.Bottom[i], d.Confidence.Bottom[i] = best(&r.Bottom[i])
		d.Hidden.Top[i], d.Hidden.Bottom[i] = r.Top[i].Hidden, r.Bottom[i].Hidden
		d.Mixed.Top[i], d.Mixed.Bottom[i] = prob(r.Top[i].Mixed), prob(r.Bottom[i].Mixed)
	}
	d.Bar.Light, d.Confidence.Bar.Light = bestOfPile(&r.Bar[rules.Light])
	d.Bar.Dark, d.Confidence.Bar.Dark = bestOfPile(&r.Bar[rules.Dark])
	d.Off.Light, _ = r.Off[rules.Light].Best()
	d.Off.Dark, _ = r.Off[rules.Dark].Best()
	for i := range r.Dice {
		die := &r.Dice[i]
		v, p := die.Best()
		d.Dice = append(d.Dice, DieShown{v, [2]float64{round(die.Center.X, 1), round(die.Center.Y, 1)},
			die.Place.String(), die.Cocked > 0.5, prob(p * die.Real)})
	}
	if c := r.Cube; c != nil {
		v, p := c.Best()
		d.Cube = &CubeShown{v, [2]float64{round(c.Center.X, 1), round(c.Center.Y, 1)}, l.cube(c, r.Geometry).String(), prob(p * c.Real)}
	}
	return d
}

// Best returns the most probable numeral on the cube and its probability; 0 when none is seen.
func (c *Cube) Best() (value int, p float32) {
	for _, v := range [...]int{2, 4, 8, 16, 32, 64} {
		if q := c.Values[v]; q > p {
			value, p = v, q
		}
	}
	return value, p
}

func best(p *sighting.Point) (int, float64) {
	n, q := p.Counts.Best()
	return n, prob(q)
}

func bestOfPile(p *sighting.Pile) (int, float64) {
	n, q := p.Best()
	return n, prob(q)
}

func prob(p float32) float64 { return round(float64(p), 4) }

func round(x float64, digits int) float64 {
	k := math.Pow10(digits)
	return math.Round(x*k) / k
}

package vision

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"davar/rules"
	"davar/rules/sighting"
)

// CalibrationVersion is the version of the calibrations that this program writes. Those of version 0 hold corners,
// size and layout alone and are still read.
const CalibrationVersion = 1

// Calibration is what is known of one table's board before a fixed camera: where it lies, how it is set up and, when
// it was seen in the starting position, what it looks like. As JSON it is the file that davar calibrate writes.
type Calibration struct {
	Version int           `json:"version"`
	Corners [4][2]float64 `json:"corners"`     // TL, TR, BR, BL of the rectified view, pixels
	Bar     [2]float64    `json:"bar_edges_u"` // edges of the bar as shares of the rectified width; both 0: found in the picture
	Size    [2]int        `json:"size"`        // width and height of the picture it was made from, pixels
	Layout  struct {
		Bottom string `json:"bottom"`
		Home   string `json:"home"`
	} `json:"layout"`
	Bend  float64     `json:"lens_bend,omitempty"` // how the lens bends the picture (lens); 0: not at all, or not known
	Looks *Appearance `json:"looks,omitempty"`     // nil: not seen in the starting position
}

// ReadCalibration reads a calibration's JSON and refuses one that cannot be used, saying what to do.
func ReadCalibration(text []byte) (*Calibration, error) {
	c := &Calibration{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("vision: read the calibration: %w; write it anew with davar calibrate", err)
	}
	if c.Version < 0 || c.Version > CalibrationVersion {
		return nil, fmt.Errorf("vision: read the calibration: it is of version %d, this program knows %d; write it anew with davar calibrate", c.Version, CalibrationVersion)
	}
	if _, err := c.geometry(c.Size); err != nil {
		return nil, err
	}
	if math.Abs(c.Bend) > strongest {
		return nil, fmt.Errorf("vision: read the calibration: no lens bends by %.2f; write it anew with davar calibrate", c.Bend)
	}
	if c.Looks != nil {
		if err := c.Looks.prepare(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// newCalibration describes the board that g places in a picture of the given size.
func newCalibration(g *Geometry, size [2]int, l Layout, looks *Appearance) *Calibration {
	c := &Calibration{Version: CalibrationVersion, Bar: [2]float64{g.BarLeft, g.BarRight}, Size: size, Bend: g.Bend(), Looks: looks}
	for i, p := range g.Corners {
		c.Corners[i] = [2]float64{p.X, p.Y}
	}
	c.Layout.Bottom, c.Layout.Home = l.Bottom, l.Home
	return c
}

// Pixels returns the corners in a picture of the given size; 0, 0 stands for the size the calibration was made with.
func (c *Calibration) Pixels(size [2]int) [4]Pixel {
	kx, ky := 1.0, 1.0
	if c.Size[0] > 0 && c.Size[1] > 0 && size[0] > 0 && size[1] > 0 {
		kx, ky = float64(size[0])/float64(c.Size[0]), float64(size[1])/float64(c.Size[1])
	}
	var corners [4]Pixel
	for i, at := range c.Corners {
		corners[i] = Pixel{at[0] * kx, at[1] * ky}
	}
	return corners
}

// At returns the calibration with the corners where a person says they are, in a picture of the given size.
func (c *Calibration) At(corners [4]Pixel, size [2]int) *Calibration {
	moved := *c
	moved.Size, moved.Bar = size, [2]float64{}
	for i, p := range corners {
		moved.Corners[i] = [2]float64{p.X, p.Y}
	}
	return &moved
}

// geometry returns where the board lies in a picture of the given size; the bar in the middle when it is not known.
func (c *Calibration) geometry(size [2]int) (*Geometry, error) {
	left, right := c.Bar[0], c.Bar[1]
	if left == 0 && right == 0 {
		left, right = 0.5, 0.5
	}
	g, err := NewGeometry(c.Pixels(size), left, right)
	if err != nil {
		return nil, fmt.Errorf("%w; write the calibration anew with davar calibrate", err)
	}
	return g, nil
}

// ErrNoStart says that a board does not show the starting position, from which its looks are learned.
var ErrNoStart = errors.New("vision: calibrate: the board does not show the starting position; set it up, take the hands off and try again")

// startSure is the probability of the starting position from which it counts as seen.
const startSure = 0.5

// layouts are the four ways in which a board may lie (SETUP-3).
var layouts = [4]Layout{{"light", "right"}, {"light", "left"}, {"dark", "right"}, {"dark", "left"}}

// counts returns what the points of a position hold in the picture's own terms, positive light.
func (l Layout) counts(pos *rules.Position) (counts [2][12]int) {
	for p := 1; p <= 24; p++ {
		top, column := l.place(p)
		row := 1
		if top {
			row = 0
		}
		counts[row][column] = int(pos.Checkers[rules.Light][p]) - int(pos.Checkers[rules.Dark][25-p])
	}
	return counts
}

// starts are the starting positions of the games that are played with fifteen checkers a side, each once (SETUP-2).
var starts = func() (all []rules.Position) {
	for _, v := range []rules.Variant{rules.Standard, rules.Nackgammon} {
		if start := rules.Start(v); !slices.Contains(all, start) {
			all = append(all, start)
		}
	}
	return all
}()

// findStart returns the starting position that the reading shows, in the picture's own terms, its layout, and how
// probable that is; 0 when a point is hidden.
func findStart(r *Reading) (counts [2][12]int, layout Layout, p float64) {
	for i := range starts {
		for _, l := range layouts {
			if q := l.probability(r, &starts[i]); q > p {
				counts, layout, p = l.counts(&starts[i]), l, q
			}
		}
	}
	return counts, layout, p
}

// probability returns how probable it is that the reading shows the position under the layout.
func (l Layout) probability(r *Reading, pos *rules.Position) float64 {
	counts := l.counts(pos)
	var log float64
	for _, p := range triangles {
		point := r.point(p)
		if point.Hidden {
			return 0
		}
		log += math.Log(float64(point.Counts.P(p.of(&counts)) * (1 - point.Mixed)))
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		n := min(int(pos.Checkers[side][rules.Bar]), sighting.MaxCount)
		log += math.Log(float64(r.Bar[side].P[n]))
	}
	return math.Exp(log)
}

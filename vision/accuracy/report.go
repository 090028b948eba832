package accuracy

import (
	"math"
	"slices"
)

// Report is what davar eval stills prints (DESIGN section 7). Shares are 0...1, null where nothing was asked.
type Report struct {
	Images         int          `json:"images"`
	Boards         int          `json:"boards"`          // pictures with a board
	PointsExact    *float64     `json:"points_exact"`    // share of points with colour and count right
	PositionsExact *float64     `json:"positions_exact"` // share of boards with all points and the bar right
	OffExact       *float64     `json:"off_exact"`       // share of the sides whose checkers borne off are counted right
	PointsHidden   int          `json:"points_hidden"`   // points rightly reported hidden, or mixed, and left out
	CornersOK      *float64     `json:"corners_ok"`      // share of boards with every corner within 1.5 % of the diagonal
	Dice           DiceReport   `json:"dice"`
	MS             Milliseconds `json:"ms"`

	Quality     map[string]*Report `json:"quality,omitempty"` // the same by the pictures' quality
	Reliability *Reliability       `json:"reliability,omitempty"`
	Wrong       []Wrong            `json:"wrong,omitempty"`
}

// DiceReport is the part of a Report about dice.
type DiceReport struct {
	Dice           int      `json:"dice"`            // visible dice there are
	Recall         *float64 `json:"recall"`          // share of them found
	ValueAccuracy  *float64 `json:"value_accuracy"`  // share of those found, with pips that can be read, whose value is right
	False          int      `json:"false"`           // dice read where there are none
	CockedAccuracy *float64 `json:"cocked_accuracy"` // share of those found rightly called flat or cocked
	PicturesExact  *float64 `json:"pictures_exact"`  // share of pictures with dice in which all are found and right, and none is false
}

// Milliseconds says how long reading a picture took.
type Milliseconds struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

// Report returns the figures of all pictures added.
func (s *Score) Report() *Report {
	r := s.all.report()
	for name, t := range s.quality {
		if r.Quality == nil {
			r.Quality = map[string]*Report{}
		}
		r.Quality[name] = t.report()
	}
	r.Reliability = &Reliability{s.points.report(), s.dice.values.report(), s.dice.cocked.report()}
	r.Wrong = s.wrong
	return r
}

// tally counts.
type tally struct {
	pictures, boards, cornersRight, positionsRight int
	pointsSeen, pointsRight, pointsHidden          int
	offSides, offRight                             int
	diceTrue, diceFound, diceFalse                 int
	valuesTrue, valuesRight                        int
	cockedTrue, cockedRight                        int
	dicePictures, dicePicturesRight                int
	ms                                             []float64
}

func (t *tally) add(o *tally) {
	t.pictures += o.pictures
	t.boards += o.boards
	t.cornersRight += o.cornersRight
	t.positionsRight += o.positionsRight
	t.pointsSeen += o.pointsSeen
	t.pointsRight += o.pointsRight
	t.pointsHidden += o.pointsHidden
	t.offSides += o.offSides
	t.offRight += o.offRight
	t.diceTrue += o.diceTrue
	t.diceFound += o.diceFound
	t.diceFalse += o.diceFalse
	t.valuesTrue += o.valuesTrue
	t.valuesRight += o.valuesRight
	t.cockedTrue += o.cockedTrue
	t.cockedRight += o.cockedRight
	t.dicePictures += o.dicePictures
	t.dicePicturesRight += o.dicePicturesRight
	t.ms = append(t.ms, o.ms...)
}

func (t *tally) report() *Report {
	r := &Report{
		Images: t.pictures, Boards: t.boards,
		PointsExact: share(t.pointsRight, t.pointsSeen), PositionsExact: share(t.positionsRight, t.boards),
		OffExact: share(t.offRight, t.offSides), PointsHidden: t.pointsHidden, CornersOK: share(t.cornersRight, t.boards),
		Dice: DiceReport{
			Dice: t.diceTrue, Recall: share(t.diceFound, t.diceTrue), ValueAccuracy: share(t.valuesRight, t.valuesTrue),
			False: t.diceFalse, CockedAccuracy: share(t.cockedRight, t.cockedTrue),
			PicturesExact: share(t.dicePicturesRight, t.dicePictures),
		},
	}
	if len(t.ms) > 0 {
		ms := slices.Sorted(slices.Values(t.ms))
		r.MS = Milliseconds{ms[len(ms)/2], ms[min(len(ms)-1, len(ms)*95/100)]}
	}
	return r
}

func share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	x := round(float64(n) / float64(of))
	return &x
}

func round(x float64) float64 { return math.Round(x*1e5) / 1e5 }

package accuracy

import (
	"math"
	"slices"
	"time"

	"davar/rules"
	"davar/rules/sighting"
	"davar/vision"
)

// Limits of what counts as found.
const (
	cornerNear = 0.015 // of the board's diagonal: a corner is right
	dieNear    = 0.02  // of the picture's diagonal: a die is found, where the truth does not tell its size
)

// Score gathers the comparison of many pictures. The zero value is ready.
type Score struct {
	all     tally
	quality map[string]*tally
	wrong   []Wrong
	points  reliability
	dice    diceReliability
}

// Add compares one picture's truth with what was read of it. failed is the reader's error when nothing was read (r
// nil then): everything on the picture counts as wrong. took is what reading took.
func (s *Score) Add(t *Truth, r *vision.Reading, failed error, took time.Duration) {
	one := s.compare(t, r)
	one.ms = []float64{float64(took.Microseconds()) / 1000}
	s.all.add(&one.tally)
	if t.Quality != "" {
		if s.quality == nil {
			s.quality = map[string]*tally{}
		}
		if s.quality[t.Quality] == nil {
			s.quality[t.Quality] = new(tally)
		}
		s.quality[t.Quality].add(&one.tally)
	}
	if failed != nil {
		one.wrong.Error = failed.Error()
	}
	if one.wrong.any() {
		one.wrong.Image = t.Image
		s.wrong = append(s.wrong, one.wrong)
	}
}

// Wrong is a picture that was not read entirely right.
type Wrong struct {
	Image   string       `json:"image"`
	Error   string       `json:"error,omitempty"`
	Points  []WrongPoint `json:"points,omitempty"`
	Bar     string       `json:"bar,omitempty"`
	Off     string       `json:"off,omitempty"`
	Corners float64      `json:"corners,omitempty"` // of the diagonal: how far the worst corner is off
	Dice    []string     `json:"dice,omitempty"`
}

func (w *Wrong) any() bool {
	return w.Error != "" || len(w.Points) > 0 || w.Bar != "" || w.Off != "" || w.Corners != 0 || len(w.Dice) > 0
}

// WrongPoint is a point that was read wrong.
type WrongPoint struct {
	Row        string  `json:"row"` // top or bottom
	Column     int     `json:"column"`
	Truth      int     `json:"truth"`
	Read       int     `json:"read"`
	Hidden     bool    `json:"hidden,omitempty"` // reported hidden, though nothing hides it
	Confidence float64 `json:"confidence"`
}

// compared is the comparison of one picture.
type compared struct {
	tally
	wrong Wrong
}

func (s *Score) compare(t *Truth, r *vision.Reading) *compared {
	c := &compared{}
	c.pictures = 1
	if t.Corners != nil {
		c.boards = 1
		c.corners(t, r)
		pointsRight := c.points(t, r, &s.points)
		c.off(t, r)
		if barRight := c.bar(t, r); pointsRight && barRight {
			c.positionsRight = 1
		}
	}
	c.diceOf(t, r, &s.dice)
	return c
}

func (c *compared) corners(t *Truth, r *vision.Reading) {
	if r == nil || r.Geometry == nil {
		return
	}
	q := *t.Corners
	diagonal := max(math.Hypot(q[0][0]-q[2][0], q[0][1]-q[2][1]), math.Hypot(q[1][0]-q[3][0], q[1][1]-q[3][1]))
	worst := 0.0
	for i, p := range r.Geometry.Corners {
		worst = max(worst, math.Hypot(p.X-q[i][0], p.Y-q[i][1])/diagonal)
	}
	if worst <= cornerNear {
		c.cornersRight = 1
		return
	}
	c.wrong.Corners = worst
}

// points compares the 24 points. A point reported hidden does not count when something hides it, or may hide it for
// all the truth tells; a point that can be seen and is reported hidden is wrong.
func (c *compared) points(t *Truth, r *vision.Reading, table *reliability) (allRight bool) {
	if r == nil {
		c.pointsSeen += 24
		return false
	}
	allRight = true
	shown := t.shown(r.Geometry)
	rows := []struct {
		name  string
		truth []int
		read  *[12]sighting.Point
	}{{"top", t.Top, &r.Top}, {"bottom", t.Bottom, &r.Bottom}}
	for k, row := range rows {
		for i, want := range row.truth {
			p := &row.read[i]
			if p.Hidden && t.Occluded && !shown[k][i] || t.mixed(row.name, i) {
				c.pointsHidden++
				continue
			}
			got, confidence := p.Counts.Best()
			right := got == want && !p.Hidden
			c.pointsSeen++
			table.add(float64(confidence), right)
			if right {
				c.pointsRight++
				continue
			}
			allRight = false
			c.wrong.Points = append(c.wrong.Points, WrongPoint{row.name, i, want, got, p.Hidden, float64(confidence)})
		}
	}
	return allRight
}

func (t *Truth) mixed(row string, column int) bool {
	return slices.Contains(t.Mixed, Mixed{row, column})
}

// off compares the checkers borne off, where the truth tells them.
func (c *compared) off(t *Truth, r *vision.Reading) {
	if t.Off == nil {
		return
	}
	for side, want := range [2]*int{rules.Light: t.Off.Light, rules.Dark: t.Off.Dark} {
		if want == nil {
			continue
		}
		c.offSides++
		if r == nil {
			continue
		}
		if got, _ := r.Off[side].Best(); got == *want {
			c.offRight++
		} else {
			c.wrong.Off += rules.Side(side).String() + " " + difference(*want, got) + " "
		}
	}
}

func (c *compared) bar(t *Truth, r *vision.Reading) bool {
	if t.Bar == nil {
		return true
	}
	if r == nil {
		return false
	}
	right := true
	for side, want := range [2]*int{rules.Light: t.Bar.Light, rules.Dark: t.Bar.Dark} {
		if got, _ := r.Bar[side].Best(); want != nil && got != *want && !(t.Occluded && !r.Bar[side].Visible) {
			right = false
			c.wrong.Bar += rules.Side(side).String() + " " + difference(*want, got) + " "
		}
	}
	return right
}

package referee

import (
	"time"

	"davar/rules/sighting"
)

// eyes is what the pictures of late add up to: the board since it was last touched, the dice, the cube.
type eyes struct {
	View   evidence      `json:"view"`  // the board since the last hand or movement
	Dice   dice          `json:"dice"`  //
	Cube   cubeView      `json:"cube"`  //
	Last   time.Duration `json:"last"`  // time of the last picture
	Clear  time.Duration `json:"clear"` // time of the last picture that could be judged
	Calm   time.Duration `json:"calm"`  // time of the last picture of a board untouched
	Gap    time.Duration `json:"gap"`   // how long the board was touched or out of sight before this view
	Stir   bool          `json:"stir"`  // the last picture showed a hand or movement
	StirAt time.Duration `json:"stir_at"`
	Spell  time.Duration `json:"spell"` // when it last became calm
}

// see takes one picture and reports whether it may be judged: clear and still.
func (e *eyes) see(s *sighting.Sighting) bool {
	e.Last = s.T
	if s.Scene != sighting.SceneClear {
		e.Stir, e.StirAt = true, s.T
		return false
	}
	e.Clear = s.T
	if calm(s) && e.Stir {
		e.Spell = s.T
	}
	e.Dice.see(s, e.Spell)
	if !calm(s) {
		e.Stir, e.StirAt = true, s.T
		return false
	}
	if e.Stir {
		e.Gap = s.T - e.Calm
		e.View = evidence{}
		e.Stir = false
	}
	e.Calm = s.T
	e.View.add(s)
	e.Cube.see(s, e.Spell)
	return true
}

// calm tells whether a picture shows the board untouched: nothing moves and no hand is over it.
func calm(s *sighting.Sighting) bool { return s.Still && s.Hand < 0.5 }

// cubeView is where the cube has lain of late, in still pictures.
type cubeView struct {
	Place    sighting.CubePlace `json:"place"`
	Value    int                `json:"value"`
	Pictures int                `json:"pictures"` // in a row that agree on the place
	Since    time.Duration      `json:"since"`    // time of the first of them
	To       time.Duration      `json:"to"`       // time of the last
	Sure     float32            `json:"sure"`     // summed probability of the place
	Values   int                `json:"values"`   // of them in a row that agree on the value
	Shown    time.Duration      `json:"shown"`    // time of the first of these
	Legible  float32            `json:"legible"`  // summed probability of the value in these
	Spell    time.Duration      `json:"spell"`    // beginning of the calm spell of the last of them
	Torn     bool               `json:"torn"`     // it was seen in two places although nothing moved
}

func (c *cubeView) see(s *sighting.Sighting, spell time.Duration) {
	if s.Cube == nil || s.Cube.PPlace < 0.5 {
		return
	}
	if spell != c.Spell {
		c.Torn = false
	}
	if s.Cube.Place != c.Place || c.Pictures == 0 {
		*c = cubeView{Place: s.Cube.Place, Since: s.T, Torn: c.Torn || c.Pictures > 0 && spell == c.Spell}
	}
	c.Spell, c.To = spell, s.T
	c.Pictures++
	c.Sure += s.Cube.PPlace
	switch {
	case s.Cube.Value == 0 || s.Cube.PValue < 0.5:
	case s.Cube.Value == c.Value:
		c.Values++
		c.Legible += s.Cube.PValue
	default:
		c.Value, c.Values, c.Legible, c.Shown = s.Cube.Value, 1, s.Cube.PValue, s.T
	}
}

const (
	// cubePictures is in how many still pictures in a row the cube must lie in a place to be believed.
	cubePictures = 4
	// cubeSure is how sure its place must be on the average to mean that somebody has moved it, and its value to
	// mean that it shows a wrong one: however many pictures of a cube nobody touches, they are one look at it.
	cubeSure = 0.93
)

// lies tells whether the cube has lain where it is for so long that its being there is no accident.
func (c *cubeView) lies() bool { return c.Pictures >= 2*cubePictures && c.To-c.Since >= strayFor }

// shows tells whether it has shown its value for as long.
func (c *cubeView) shows() bool { return c.Values >= 2*cubePictures && c.To-c.Shown >= strayFor }

// steady returns the place of the cube once it is beyond doubt.
func (c *cubeView) steady() (sighting.CubePlace, bool) {
	return c.Place, c.Pictures >= cubePictures && !c.Torn
}

// sure tells whether the place is so sure that the cube must have been moved if it should lie elsewhere.
func (c *cubeView) sure() bool { return c.Sure >= cubeSure*float32(c.Pictures) }

// legible tells whether the value is read so surely that it may be held against anybody.
func (c *cubeView) legible() bool { return c.Legible >= cubeSure*float32(c.Values) }

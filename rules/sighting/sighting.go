package sighting

import "time"

// MaxCount is the largest number of checkers on one point.
const MaxCount = 15

// Counts is a probability distribution over what stands on one point: index MaxCount+n is the probability
// that n checkers stand there, n > 0 light, n < 0 dark, 0 empty. The 31 values sum to 1.
type Counts [2*MaxCount + 1]float32

// P returns the probability of n (light positive, dark negative); 0 outside -15...15.
func (c *Counts) P(n int) float32 {
	if n < -MaxCount || n > MaxCount {
		return 0
	}
	return c[MaxCount+n]
}

// Best returns the most probable signed count and its probability.
func (c *Counts) Best() (n int, p float32) {
	for i, q := range c {
		if q > p {
			n, p = i-MaxCount, q
		}
	}
	return n, p
}

// Point is what is seen of one of the 24 triangles.
type Point struct {
	Counts Counts
	// Hidden is true when a hand or another thing covers the point or it moves: Counts then says nothing.
	Hidden bool
	// Mixed is the probability that checkers of both colours lie on the point (IRREG-11, M8).
	Mixed float32
}

// Pile is a distribution over the number of one side's checkers on the bar or in a tray: index n is the
// probability of n. Visible is false when the place cannot be seen (no tray in the picture, hand over the bar).
type Pile struct {
	P       [MaxCount + 1]float32
	Visible bool
}

// Best returns the most probable number and its probability.
func (p *Pile) Best() (n int, prob float32) {
	for i, q := range p.P {
		if q > prob {
			n, prob = i, q
		}
	}
	return n, prob
}

// Place says where a die lies as seen in the rectified picture (bar vertical).
type Place uint8

// Places of a die. LeftHalf and RightHalf are halves of the rectified picture, not of a player: with light at
// the bottom, light's own right half is RightHalf and dark's is LeftHalf (DICE-2).
const (
	LeftHalf Place = iota
	RightHalf
	OnBar
	OnChecker // lies on one or more checkers (DICE-3, DICE-8)
	Outside   // off the playing surface: tray, frame, table
)

var placeNames = [...]string{"left", "right", "bar", "checker", "outside"}

// String returns left, right, bar, checker or outside, the words of the truth files.
func (p Place) String() string {
	if int(p) < len(placeNames) {
		return placeNames[p]
	}
	return "unknown"
}

// Die is one die as seen.
type Die struct {
	Values [7]float32 // Values[v] is the probability that it shows v, 1...6; Values[0] that the number cannot be told
	Place  Place
	Half   Place   // LeftHalf or RightHalf: where its centre lies across the picture, also when Place is OnChecker
	Cocked float32 // probability that it leans and does not lie flat
	Real   float32 // probability that it is a die at all
	U, V   float32 // centre as a share of the rectified board: 0,0 top left, 1,1 bottom right; may lie outside 0...1
	Light  float32 // probability that the die's body is light (owner's colour where each side has its own pair); 0.5 unknown
}

// Best returns the most probable value (0 = cannot be told) and its probability.
func (d *Die) Best() (v int, p float32) {
	for i, q := range d.Values {
		if q > p {
			v, p = i, q
		}
	}
	return v, p
}

// CubePlace says where the doubling cube is, already translated to players.
type CubePlace uint8

// Places of the cube (CUBE-7). OfferedLeft and OfferedRight are halves of the rectified picture.
const (
	CubeMiddle CubePlace = iota
	CubeLight
	CubeDark
	CubeOfferedLeft
	CubeOfferedRight
)

var cubePlaceNames = [...]string{"middle", "light", "dark", "offered-left", "offered-right"}

// String returns middle, light, dark, offered-left or offered-right, the words of the truth files.
func (p CubePlace) String() string {
	if int(p) < len(cubePlaceNames) {
		return cubePlaceNames[p]
	}
	return "unknown"
}

// Cube is the doubling cube as seen.
type Cube struct {
	Value  int     // numeral on top: 2, 4, 8, 16, 32 or 64 (64 in the middle means value 1, SETUP-4); 0 = cannot be told
	PValue float32 // probability of Value
	Place  CubePlace
	PPlace float32 // probability of Place
}

// Scene says what kind of picture this is.
type Scene uint8

// Kinds of picture. Only SceneClear may be judged; a picture with a hand over part of the board is SceneClear
// with hidden points.
const (
	SceneClear   Scene = iota
	SceneMoving        // large movement: nothing in this picture is to be believed
	SceneDark          // too dark to read
	SceneBlurred       // out of focus or smeared
	SceneFrozen        // the camera repeats one picture
	SceneBumped        // the board is not where the calibration says; being found again
	SceneNoBoard       // no board in the picture
	SceneLost          // no picture: camera gone
)

var sceneNames = [...]string{"clear", "moving", "dark", "blurred", "frozen", "bumped", "no board", "lost"}

// String returns the scene in lower-case English words.
func (s Scene) String() string {
	if int(s) < len(sceneNames) {
		return sceneNames[s]
	}
	return "unknown"
}

// Sighting is one picture read. Points are numbered from light's side: Points[0] is light's 1 point, Points[23]
// light's 24 point, whatever the layout of the table.
type Sighting struct {
	T     time.Duration // when the picture was taken, since the match's first frame
	Frame int           // number of the frame in its source, from 0
	Scene Scene
	// Still is true when nothing moved anywhere on the board since the previous frame and no hand is over it.
	Still bool
	// Hand is the probability that a hand or arm is over the board.
	Hand float32
	// Reach is the probability, by rules.Side, that a hand of that player is over the board; both 0 when it cannot be
	// told whose hand it is.
	Reach  [2]float32
	Points [24]Point
	Bar    [2]Pile // indexed by rules.Side
	Off    [2]Pile // indexed by rules.Side
	Dice   []Die   // every die seen, best first; dice in the air or hidden are not listed
	// DiceHidden is true when dice may lie where this picture cannot show them (hand, movement).
	DiceHidden bool
	Cube       *Cube // nil when no cube is seen
}

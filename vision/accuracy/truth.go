package accuracy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Truth is what a picture truly shows (DESIGN section 7). Fields the product has no use for are not kept.
type Truth struct {
	Image    string        `json:"image"`
	Size     [2]int        `json:"size"`
	Corners  *[][2]float64 `json:"corners"` // TL, TR, BR, BL of the rectified view; null: no board in the picture
	Top      []int         `json:"top"`
	Bottom   []int         `json:"bottom"`
	Bar      *Pile         `json:"bar"`
	Off      *Pile         `json:"off"` // borne off, and to be seen
	Dice     []Die         `json:"dice"`
	Occluded bool          `json:"occluded"` // a hand hides part of the board
	Quality  string        `json:"quality"`  // of photographs: good or poor
	Faces    string        `json:"dice_faces"`
	State    string        `json:"state"` // of a film's key frame
	Mixed    []Mixed       `json:"mixed"`
	Checkers []Checker     `json:"checkers"` // of rendered pictures
}

// Checker is one checker of a rendered picture.
type Checker struct {
	Center  [2]float64 `json:"center"`
	Layer   int        `json:"layer"` // 0 lies on the board, 1 on checkers of layer 0
	Where   string     `json:"where"` // point, bar, off, tray
	Visible float64    `json:"vis"`   // the share of it that can be seen
}

// Pile holds a number of checkers for each side; null where it cannot be told.
type Pile struct {
	Light *int `json:"light"`
	Dark  *int `json:"dark"`
}

// Die is a die that lies in the picture.
type Die struct {
	Value     *int       `json:"value"` // null: nobody can tell
	Center    [2]float64 `json:"center"`
	On        string     `json:"on"`
	Cocked    bool       `json:"cocked"`
	Edge      float64    `json:"size_px"` // of the upper face; 0: not told
	Visible   *bool      `json:"visible"` // null: yes
	Ambiguous bool       `json:"ambiguous"`
}

// Mixed names a point on which both colours stand.
type Mixed struct {
	Side   string `json:"side"` // top or bottom
	Column int    `json:"col"`
}

// longestLine is the most a line of a truth file may hold.
const longestLine = 1 << 22

// ReadTruth reads a truth file: one JSON object a line. Empty lines are passed over. It fails on the first line
// that is not a truth, naming it.
func ReadTruth(r io.Reader) ([]Truth, error) {
	var truths []Truth
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	n := 0
	for lines.Scan() {
		n++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		var t Truth
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, fmt.Errorf("accuracy: read the truth: line %d: %w", n, err)
		}
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("accuracy: read the truth: line %d: %w", n, err)
		}
		truths = append(truths, t)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("accuracy: read the truth: line %d: %w", n+1, err)
	}
	return truths, nil
}

func (t *Truth) check() error {
	if t.Image == "" {
		return errors.New("image names no file")
	}
	if t.Corners == nil {
		return nil
	}
	if len(*t.Corners) != 4 {
		return fmt.Errorf("corners holds %d places, not 4", len(*t.Corners))
	}
	for name, row := range map[string][]int{"bottom": t.Bottom, "top": t.Top} {
		if len(row) != 12 {
			return fmt.Errorf("%s holds %d points, not 12", name, len(row))
		}
		for _, c := range row {
			if c < -15 || c > 15 {
				return fmt.Errorf("%s holds %d checkers on a point", name, c)
			}
		}
	}
	for _, d := range t.Dice {
		if d.Value != nil && (*d.Value < 1 || *d.Value > 6) {
			return fmt.Errorf("a die shows %d", *d.Value)
		}
	}
	return nil
}

package accuracy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"davar/rules"
)

// Happening is one line of a filmed game's events.jsonl: what truly happened.
type Happening struct {
	T         float64            `json:"t"` // seconds since the first frame
	Turn      int                `json:"turn"`
	Player    *rules.Side        `json:"player"`
	Type      string             `json:"type"` // start, roll, move, pickup, cube, incident, takeback, setup_corrected, end
	Dice      []int              `json:"dice"`
	Valid     *bool              `json:"valid"`
	Move      string             `json:"move"` // in the mover's numbering
	Legal     *bool              `json:"legal"`
	Action    string             `json:"action"` // of the cube: double, take, drop
	Value     int                `json:"value"`
	Kind      string             `json:"kind"` // of an incident
	Corrected *bool              `json:"corrected"`
	Ruling    map[string]*string `json:"ruling"` // the code to be announced in each mode; nil: nothing may be said
	Position  *Placement         `json:"position"`
}

// Placement is a position as the truth files write it: points 1 to 24 from light's side, positive = light.
type Placement struct {
	Points map[string]int     `json:"points"`
	Bar    map[rules.Side]int `json:"bar"`
	Off    map[rules.Side]int `json:"off"`
}

// Position returns the position, or an error when a count is none.
func (p *Placement) Position() (rules.Position, error) {
	var pos rules.Position
	for point := 1; point <= 24; point++ {
		n := p.Points[fmt.Sprint(point)]
		switch {
		case n < -rules.Checkers || n > rules.Checkers:
			return pos, fmt.Errorf("accuracy: read a position: %d checkers on point %d", n, point)
		case n > 0:
			pos.Checkers[rules.Light][point] = uint8(n)
		default:
			pos.Checkers[rules.Dark][25-point] = uint8(-n)
		}
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		bar, off := p.Bar[side], p.Off[side]
		if bar < 0 || bar > rules.Checkers || off < 0 || off > rules.Checkers {
			return pos, fmt.Errorf("accuracy: read a position: %d on the bar and %d off", bar, off)
		}
		pos.Checkers[side][rules.Bar], pos.Checkers[side][rules.Off] = uint8(bar), uint8(off)
	}
	return pos, nil
}

// ReadTruth reads an events.jsonl. The error names the line that cannot be read.
func ReadTruth(file io.Reader) ([]Happening, error) {
	var truth []Happening
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var h Happening
		if err := json.Unmarshal(lines.Bytes(), &h); err != nil {
			return nil, fmt.Errorf("accuracy: read events.jsonl: line %d: %w", n, err)
		}
		truth = append(truth, h)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("accuracy: read events.jsonl: %w", err)
	}
	return truth, nil
}

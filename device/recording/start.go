package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"davar/rules"
)

// StartPosition returns the position with which the film begins, or nil when that is the start of a game. In
// match.json points are numbered from light's side, light's checkers counted positive.
func (f *Film) StartPosition() (*rules.Position, error) {
	raw := bytes.TrimSpace(f.Start.Position)
	if len(raw) == 0 || raw[0] == '"' || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	var p struct {
		Points map[string]int
		Bar    map[rules.Side]uint8
		Off    map[rules.Side]uint8
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, fmt.Errorf("recording: read the start position of %s: %w", f.Dir, err)
	}
	var pos rules.Position
	for name, n := range p.Points {
		point, err := strconv.Atoi(name)
		if err != nil || point < 1 || point > 24 || n < -15 || n > 15 {
			return nil, fmt.Errorf("recording: read the start position of %s: %d checkers on point %q cannot be", f.Dir, n, name)
		}
		if n > 0 {
			pos.Checkers[rules.Light][point] = uint8(n)
		} else {
			pos.Checkers[rules.Dark][25-point] = uint8(-n)
		}
	}
	for _, side := range []rules.Side{rules.Light, rules.Dark} {
		pos.Checkers[side][rules.Bar] = p.Bar[side]
		pos.Checkers[side][rules.Off] = p.Off[side]
	}
	if err := pos.Check([2]int{}); err != nil {
		return nil, fmt.Errorf("recording: read the start position of %s: %w", f.Dir, err)
	}
	return &pos, nil
}

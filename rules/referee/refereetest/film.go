package refereetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"time"

	"davar/rules"
	"davar/rules/referee"
	"davar/rules/sighting"
)

// Film is a filmed game without its pictures: the truth of every key frame, and when it is shown.
type Film struct {
	Match  Match
	Keys   []KeyFrame
	Runs   []Run
	Inputs map[string][]referee.Input // presses and decisions by mode
}

// Match is the film's match.json.
type Match struct {
	Players struct {
		Light string `json:"light"`
		Dark  string `json:"dark"`
	} `json:"players"`
	Length   int             `json:"length"`
	Score    referee.Score   `json:"score"`
	Variant  string          `json:"variant"`
	Layout   referee.Layout  `json:"layout"`
	DiceSets int             `json:"dice_sets"`
	Cube     bool            `json:"cube"`
	Opening  Opening         `json:"opening"`
	Modes    map[string]Mode `json:"modes"`
}

// Opening says whether the opening roll is in the film, or who starts.
type Opening struct {
	Filmed  bool        `json:"filmed"`
	Starter *rules.Side `json:"starter"`
}

// Mode is one way to referee the film.
type Mode struct {
	TurnEnd string `json:"turn_end"`
	Inputs  string `json:"inputs"`
	Preset  string `json:"preset"`
}

// KeyFrame is the truth of one state of the table.
type KeyFrame struct {
	State   string         `json:"state"`
	Corners [4][2]float64  `json:"corners"`
	Top     [12]int        `json:"top"`
	Bottom  [12]int        `json:"bottom"`
	Bar     map[string]int `json:"bar"`
	Off     map[string]int `json:"off"`
	Dice    []truthDie     `json:"dice"`
	Air     []truthDie     `json:"dice_air"`
	Cube    *truthCube     `json:"cube"`
	Hand    bool           `json:"occluded"`
	Home    string         `json:"home"`
	Player  string         `json:"bottom_player"`
	Mixed   []mixedPoint   `json:"mixed"`
}

type truthDie struct {
	Value   int        `json:"value"`
	Center  [2]float64 `json:"center"`
	On      string     `json:"on"`
	Cocked  bool       `json:"cocked"`
	Owner   rules.Side `json:"owner"`
	Visible bool       `json:"visible"`
}

type truthCube struct {
	Value int    `json:"value"`
	Where string `json:"where"`
}

type mixedPoint struct {
	Row   string `json:"side"`
	Col   int    `json:"col"`
	Light int    `json:"light"`
	Dark  int    `json:"dark"`
}

// Run says that Count video frames from First on show one key frame; the runs follow the order of the key frames.
type Run struct {
	First int `json:"first"`
	Count int `json:"count"`
}

// OpenFilm reads a film's folder: match.json, frames.jsonl, truth.jsonl and the inputs of its modes. The video is
// not needed.
func OpenFilm(dir fs.FS) (*Film, error) {
	f := &Film{Inputs: map[string][]referee.Input{}}
	text, err := fs.ReadFile(dir, "match.json")
	if err != nil {
		return nil, fmt.Errorf("refereetest: open a film: %w", err)
	}
	if err := json.Unmarshal(text, &f.Match); err != nil {
		return nil, fmt.Errorf("refereetest: read match.json: %w", err)
	}
	if f.Keys, err = readLines[KeyFrame](dir, "truth.jsonl"); err != nil {
		return nil, err
	}
	if f.Runs, err = readLines[Run](dir, "frames.jsonl"); err != nil {
		return nil, err
	}
	if len(f.Runs) != len(f.Keys) {
		return nil, fmt.Errorf("refereetest: open a film: %d key frames, but frames.jsonl shows %d", len(f.Keys), len(f.Runs))
	}
	for name, mode := range f.Match.Modes {
		lines, err := readLines[inputLine](dir, mode.Inputs)
		if err != nil {
			return nil, err
		}
		for _, line := range lines {
			f.Inputs[name] = append(f.Inputs[name], line.input())
		}
	}
	return f, nil
}

type inputLine struct {
	TMS   int64       `json:"t_ms"`
	Press *rules.Side `json:"press"`
	referee.Decision
}

func (l inputLine) input() referee.Input {
	in := referee.Input{T: time.Duration(l.TMS) * time.Millisecond}
	if l.Press != nil {
		in.Press = &referee.Press{Side: *l.Press}
	} else {
		decision := l.Decision
		decision.By = "director"
		in.Decision = &decision
	}
	return in
}

func readLines[T any](dir fs.FS, name string) ([]T, error) {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, fmt.Errorf("refereetest: open a film: %w", err)
	}
	var rows []T
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("refereetest: read %s: line %d: %w", name, n, err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("refereetest: read %s: %w", name, err)
	}
	return rows, nil
}

// Settings returns how the film is refereed in that mode.
func (f *Film) Settings(mode string) referee.Settings {
	s := referee.DefaultSettings()
	s.Match = "film"
	s.Players = [2]string{f.Match.Players.Light, f.Match.Players.Dark}
	s.Length, s.Score, s.Layout = f.Match.Length, f.Match.Score, f.Match.Layout
	s.Cube, s.OpeningSeen = f.Match.Cube, f.Match.Opening.Filmed
	s.DiceSets = f.Match.DiceSets
	s.TurnEnd = f.Match.Modes[mode].TurnEnd
	return s
}

// Boards returns what lay on the table in each video frame.
func (f *Film) Boards() []Board {
	var boards []Board
	for i, run := range f.Runs {
		for range run.Count {
			boards = append(boards, f.Keys[i].board())
		}
	}
	return boards
}

// Stream returns all that happens in the film in that mode, in order: a sighting for each video frame as an eye of
// that noise gives it, and the presses and decisions in between.
func (f *Film) Stream(mode string, noise Noise, seed uint64) []referee.Input {
	var seen []referee.Input
	eye := NewEye(noise, seed)
	boards := f.Boards()
	for frame := range boards {
		t := time.Duration(frame) * time.Second / FrameRate
		if s, ok := eye.Look(&boards[frame], t, frame); ok {
			seen = append(seen, referee.Input{T: t, Sighting: &s})
		}
	}
	return Merge(seen, f.Inputs[mode])
}

// Merge joins two streams of inputs, each in order of time, into one; at equal times a's come first.
func Merge(a, b []referee.Input) []referee.Input {
	all := make([]referee.Input, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].T < a[0].T {
			all, b = append(all, b[0]), b[1:]
		} else {
			all, a = append(all, a[0]), a[1:]
		}
	}
	return append(append(all, a...), b...)
}

// board returns what lay on the table in the key frame.
func (k *KeyFrame) board() Board {
	b := Board{Hand: k.Hand, Air: len(k.Air) > 0}
	for col := range 12 {
		k.place(&b, k.lightPoint("bottom", col), k.Bottom[col])
		k.place(&b, k.lightPoint("top", col), k.Top[col])
	}
	for _, m := range k.Mixed {
		p := k.lightPoint(m.Row, m.Col)
		b.Position.Checkers[rules.Light][p] = uint8(m.Light)
		b.Position.Checkers[rules.Dark][25-p] = uint8(m.Dark)
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		b.Position.Checkers[side][rules.Bar] = uint8(k.Bar[side.String()])
		b.Position.Checkers[side][rules.Off] = uint8(k.Off[side.String()])
	}
	warp := newWarp(k.Corners)
	for _, d := range k.Dice {
		b.Dice = append(b.Dice, d.die(warp))
	}
	if k.Cube != nil {
		b.Cube = &sighting.Cube{Value: k.Cube.Value, PValue: 0.98, Place: cubePlace(k.Cube.Where), PPlace: 0.99}
	}
	return b
}

func (k *KeyFrame) place(b *Board, p, n int) {
	if n > 0 {
		b.Position.Checkers[rules.Light][p] = uint8(n)
	} else {
		b.Position.Checkers[rules.Dark][25-p] = uint8(-n)
	}
}

// lightPoint returns light's number of the point in that row and column of the rectified picture (DESIGN §5).
func (k *KeyFrame) lightPoint(row string, col int) int {
	if k.Home == "left" {
		col = 11 - col
	}
	p := 13 + col
	if row == "bottom" {
		p = 12 - col
	}
	if k.Player == "dark" {
		p = 25 - p
	}
	return p
}

func (d truthDie) die(w warp) Die {
	u, v := w.share(d.Center)
	die := Die{Value: d.Value, Cocked: d.Cocked, Owner: d.Owner, U: float32(u), V: float32(v), Covered: !d.Visible}
	if u > 0.5 {
		die.Half = sighting.RightHalf
	}
	switch d.On {
	case "right":
		die.Place = sighting.RightHalf
	case "bar":
		die.Place = sighting.OnBar
	case "checker":
		die.Place = sighting.OnChecker
	case "outside":
		die.Place = sighting.Outside
	}
	return die
}

func cubePlace(where string) sighting.CubePlace {
	for p := sighting.CubeMiddle; p <= sighting.CubeOfferedRight; p++ {
		if p.String() == where {
			return p
		}
	}
	return sighting.CubeMiddle
}

// Perfect returns a perfect sighting of each video frame.
func (f *Film) Perfect() []sighting.Sighting {
	var seen []sighting.Sighting
	for _, in := range f.Stream("", Noise{}, 0) {
		seen = append(seen, *in.Sighting)
	}
	return seen
}

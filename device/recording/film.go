package recording

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"davar/rules"
	"davar/rules/referee"
)

// Film is a filmed game. Its folder holds video.mp4 or the pictures named by frames.jsonl, and match.json.
type Film struct {
	Dir     string
	Players struct {
		Light string `json:"light"`
		Dark  string `json:"dark"`
	} `json:"players"`
	Length  int            `json:"length"`
	Score   referee.Score  `json:"score"`
	Variant string         `json:"variant"`
	Layout  referee.Layout `json:"layout"`
	Sets    int            `json:"dice_sets"` // pairs of dice in play, 1 or 2 (EQUIP-3)
	Cube    bool           `json:"cube"`
	Opening Opening        `json:"opening"`
	Start   struct {
		Position json.RawMessage `json:"position"` // "initial" or points, bar and off; see StartPosition
	} `json:"start"`
	Modes map[string]Mode `json:"modes"`
}

// Opening says how the first game begins.
type Opening struct {
	Filmed  bool        `json:"filmed"`  // the opening roll is in the film
	Starter *rules.Side `json:"starter"` // who is on roll when it is not
}

// Mode is one way to referee the film.
type Mode struct {
	TurnEnd string `json:"turn_end"` // clock or pickup
	Inputs  string `json:"inputs"`   // file of presses and decisions
	Preset  string `json:"preset"`   // the clock's
}

// Open reads match.json of the folder dir.
func Open(dir string) (*Film, error) {
	text, err := os.ReadFile(filepath.Join(dir, "match.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("recording: open %s: there is no match.json in it; a filmed game is a folder with video.mp4 and match.json", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("recording: open a filmed game: %w", err)
	}
	film := &Film{Dir: dir}
	if err := json.Unmarshal(text, film); err != nil {
		return nil, fmt.Errorf("recording: read %s: %w", filepath.Join(dir, "match.json"), err)
	}
	if len(film.Modes) == 0 {
		return nil, fmt.Errorf("recording: read %s: it names no modes; say in \"modes\" how a turn ends", filepath.Join(dir, "match.json"))
	}
	return film, nil
}

// ModeNames returns the modes in which the film can be refereed, sorted.
func (f *Film) ModeNames() []string {
	names := make([]string, 0, len(f.Modes))
	for name := range f.Modes {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Pictures returns where the film's pictures are: its video file or, if there is none, the folder itself.
func (f *Film) Pictures() string {
	video := filepath.Join(f.Dir, "video.mp4")
	if _, err := os.Stat(video); err == nil {
		return video
	}
	return f.Dir
}

// Inputs returns what buttons and director sent in the mode, in the order of time; first of all the position, if
// the film does not begin with the start of a game.
func (f *Film) Inputs(mode string) ([]referee.Input, error) {
	m, ok := f.Modes[mode]
	if !ok {
		return nil, fmt.Errorf("recording: referee %s: it has no mode %q; it has %s", f.Dir, mode, strings.Join(f.ModeNames(), ", "))
	}
	name := filepath.Join(f.Dir, filepath.Base(m.Inputs))
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("recording: read what the buttons sent: %w", err)
	}
	inputs, err := ParseInputs(text)
	if err != nil {
		return nil, fmt.Errorf("recording: read %s: %w", name, err)
	}
	if start, err := f.StartPosition(); err != nil {
		return nil, err
	} else if start != nil {
		set := &referee.Decision{What: referee.DecideSet, By: "director", Position: start}
		inputs = slices.Insert(inputs, 0, referee.Input{Decision: set})
	}
	return inputs, nil
}

// ParseInputs reads the lines of an inputs file: each an object with t_ms and either press or decision (DESIGN
// of a filmed game, section 7). Lines come back sorted by time; an error names the line.
func ParseInputs(text []byte) ([]referee.Input, error) {
	var inputs []referee.Input
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		in, err := parseInput(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		inputs = append(inputs, in)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(inputs, func(a, b referee.Input) int { return cmp.Compare(a.T, b.T) })
	return inputs, nil
}

func parseInput(line []byte) (referee.Input, error) {
	var raw struct {
		TMS   *int64      `json:"t_ms"`
		Press *rules.Side `json:"press"`
		referee.Decision
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return referee.Input{}, err
	}
	switch {
	case raw.TMS == nil || *raw.TMS < 0 || *raw.TMS > int64(24*time.Hour/time.Millisecond):
		return referee.Input{}, errors.New("t_ms must be a time between 0 and a day")
	case (raw.Press == nil) == (raw.What == ""):
		return referee.Input{}, errors.New("it must hold either press or decision")
	}
	in := referee.Input{T: time.Duration(*raw.TMS) * time.Millisecond}
	if raw.Press != nil {
		in.Press = &referee.Press{Side: *raw.Press}
		return in, nil
	}
	in.Decision = &raw.Decision
	if in.Decision.By == "" {
		in.Decision.By = "director"
	}
	return in, nil
}

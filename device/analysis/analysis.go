package analysis

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"davar/rules"
)

// Analysis is what is known about one match; it may grow game by game.
type Analysis struct {
	Match string `json:"match"`
	Plies int    `json:"plies"`
	Done  int    `json:"done"` // games analysed
	Of    int    `json:"of"`
	Plays []Play `json:"plays"` // in the order in which they were made
}

// Play is one roll and what was made of it. Equities are cubeful and normalised to the cube (EMG).
type Play struct {
	Seq   int64      `json:"seq"` // of the play's event
	Game  int        `json:"game"`
	Side  rules.Side `json:"side"`
	Error float64    `json:"error"` // equity given away, 0 = the best play
	Luck  float64    `json:"luck"`  // equity won by the roll
	Win   float64    `json:"win"`   // probability that Side wins the game after what he played; 0 when he danced
	// Forced is true when there was at most one play.
	Forced bool `json:"forced,omitempty"`
}

// Player is what a player's plays come to.
type Player struct {
	Decisions int     // plays that were not forced
	Error     float64 // equity given away in all
	Luck      float64
}

// Rate is the mean error of a decision in thousandths of a point.
func (p *Player) Rate() float64 {
	if p.Decisions == 0 {
		return 0
	}
	return 1000 * p.Error / float64(p.Decisions)
}

// Players sums up the plays, by side.
func (a *Analysis) Players() [2]Player {
	var sums [2]Player
	for i := range a.Plays {
		p := &a.Plays[i]
		s := &sums[p.Side&1]
		s.Luck += p.Luck
		if !p.Forced {
			s.Decisions++
			s.Error += p.Error
		}
	}
	return sums
}

// blunder is from which error on a play counts as one.
const blunder = 0.08

// Blunders returns side's largest errors of at least 0.08, the largest first, at most n of them.
func (a *Analysis) Blunders(side rules.Side, n int) []Play {
	var found []Play
	for _, p := range a.Plays {
		if p.Side == side && p.Error >= blunder {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b Play) int { return cmp.Compare(b.Error, a.Error) })
	return found[:min(n, len(found))]
}

// Play returns the analysis of the play with that number; ok is false when it has none.
func (a *Analysis) Play(seq int64) (p Play, ok bool) {
	for i := range a.Plays {
		if a.Plays[i].Seq == seq {
			return a.Plays[i], true
		}
	}
	return Play{}, false
}

// Folder returns where the analyses of the journal at path lie.
func Folder(path string) string { return strings.TrimSuffix(path, ".db") + ".analysis" }

func fileOf(folder, match string) string {
	safe := strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '~'
	}, match)
	return filepath.Join(folder, safe+".json")
}

// Load returns the analysis of a match kept in folder, nil when there is none.
func Load(folder, match string) (*Analysis, error) {
	data, err := os.ReadFile(fileOf(folder, match))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var a Analysis
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	if err != nil {
		return nil, fmt.Errorf("analysis: read that of match %s: %w", match, err)
	}
	return &a, nil
}

// Save keeps the analysis in folder.
func (a *Analysis) Save(folder string) error {
	data, err := json.Marshal(a)
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	path := fileOf(folder, a.Match)
	if err == nil {
		err = os.WriteFile(path+".part", data, 0o644)
	}
	if err == nil {
		err = os.Rename(path+".part", path)
	}
	if err != nil {
		return fmt.Errorf("analysis: keep that of match %s: %w", a.Match, err)
	}
	return nil
}

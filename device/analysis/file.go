package analysis

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"davar/device/durable"
)

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
	if err == nil {
		err = durable.Write(fileOf(folder, a.Match), data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("analysis: keep that of match %s: %w", a.Match, err)
	}
	return nil
}

// Written returns when the analysis of a match in folder was last written, in Unix nanoseconds; 0 when there is none.
func Written(folder, match string) int64 {
	info, err := os.Stat(fileOf(folder, match))
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

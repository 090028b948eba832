package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"davar/device/durable"
)

// shelf keeps one thing as JSON in a file; without a folder it keeps nothing.
type shelf struct{ path string }

func shelfIn(folder, name string) shelf {
	if folder == "" {
		return shelf{}
	}
	return shelf{filepath.Join(folder, name)}
}

// load reads what was kept; nothing kept yet leaves into as it is.
func (s shelf) load(into any) error {
	if s.path == "" {
		return nil
	}
	text, err := os.ReadFile(s.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("web: read %s: %w; move the file away to begin with none", s.path, err)
	}
	return nil
}

// save writes it so that a power cut leaves the old or the new, and readable for the program's own user alone.
func (s shelf) save(what any) error {
	if s.path == "" {
		return nil
	}
	text, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("web: write %s: %w", s.path, err)
	}
	if err := durable.Write(s.path, text, 0o600); err != nil {
		return fmt.Errorf("web: write %s: %w", s.path, err)
	}
	return nil
}

package recording

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"davar/device/durable"
)

//go:embed testdata/dev1
var bundled embed.FS

// Unpack writes the filmed game that travels with the program into the folder dir, made if it is missing, and
// opens it. Files that are there already with the right size are left alone.
func Unpack(dir string) (*Film, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("recording: unpack the filmed game: %w", err)
	}
	files, err := fs.Sub(bundled, "testdata/dev1")
	if err != nil {
		return nil, fmt.Errorf("recording: unpack the filmed game: %w", err)
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return unpackFile(files, name, filepath.Join(dir, name))
	})
	if err != nil {
		return nil, fmt.Errorf("recording: unpack the filmed game into %s: %w", dir, err)
	}
	return Open(dir)
}

func unpackFile(files fs.FS, name, target string) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	if info, err := os.Stat(target); err == nil && info.Size() == int64(len(text)) {
		return nil
	}
	return durable.Write(target, text, 0o644)
}

package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// holds tells whether the folder holds that one file with that text and mode.
func holds(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	info, _ := os.Stat(path)
	entries, _ := os.ReadDir(filepath.Dir(path))
	if err != nil || string(got) != text || info.Mode() != mode || len(entries) != 1 {
		t.Errorf("%s holds %q (%v) with mode %v among %v; want %q with %v alone", path, got, err, info, entries, text, mode)
	}
}

func TestAFileTakesTheOldOnesPlaceWithItsOwnMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for _, c := range []struct {
		text string
		mode os.FileMode
	}{{"first", 0o644}, {"second, of more bytes", 0o600}, {"", 0o640}} {
		if err := Write(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		holds(t, path, c.text, c.mode)
	}
}

func TestASecretIsNobodysToReadWhileItIsWrittenAndAPowerCutLeavesAFileThatIsKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	err := Fill(path, 0o600, func(f *os.File) error {
		if info, err := f.Stat(); err != nil || info.Mode() != 0o600 || info.Size() != 0 {
			t.Errorf("while it is written it is %v, %v", info, err)
		}
		if name := filepath.Base(f.Name()); !IsStray(name) || filepath.Dir(f.Name()) != filepath.Dir(path) {
			t.Errorf("it is written as %s", f.Name())
		}
		_, err := f.WriteString("whole")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, "whole", 0o600)
	if IsStray(filepath.Base(path)) {
		t.Error("a whole file counts as broken off")
	}
}

func TestAFileThatCannotBeFilledLeavesTheOldOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := Write(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	err := Fill(path, 0o644, func(f *os.File) error {
		_, _ = f.WriteString("ne")
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("it says %v", err)
	}
	holds(t, path, "old", 0o644)
	if err := Write(filepath.Join(path, "no folder"), nil, 0o644); err == nil {
		t.Error("a file in no folder is written")
	}
}

// Package durable writes files that are there whole or as they were before, also when the power goes at any moment: they
// are written aside, synchronised and renamed.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
)

// stray begins the name of what is being written.
const stray = "."

// IsStray tells whether a file's name is that of one that a power cut left half written. It holds nothing of worth.
func IsStray(name string) bool { return strings.HasPrefix(name, stray) }

// Write puts a file with that text in path's place, or leaves what was there. Its mode is as of os.WriteFile, also where a
// file was there before.
func Write(path string, text []byte, mode fs.FileMode) error {
	return Fill(path, mode, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}

// Fill is Write for what is not at hand at once: fill writes it, and may change owner and mode.
func Fill(path string, mode fs.FileMode, fill func(*os.File) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(mode))
	if err != nil {
		return err
	}
	if err = fill(f.File); err == nil {
		err = f.CloseAtomicallyReplace()
	}
	if err != nil {
		return errors.Join(err, f.Cleanup())
	}
	return SyncFolder(filepath.Dir(path)) // else the new name may be forgotten
}

// SyncFolder makes it last which files a folder holds, after one was renamed or removed.
func SyncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

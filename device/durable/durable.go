// Package durable writes files that are there whole or as they were before, also when the power goes at any moment: they
// are written aside, synchronised and renamed.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Part ends the name of what is being written. After a power cut such a file may be left, and holds nothing of worth.
const Part = ".part"

// Write puts a file with that text in path's place, or leaves what was there. Its mode is as of os.WriteFile, also where a
// file was there before. One writer at a time may write a file.
func Write(path string, text []byte, mode fs.FileMode) error {
	return Fill(path, mode, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}

// Fill is Write for what is not at hand at once: fill writes it, and may change owner and mode. The file is no longer open
// when Fill returns.
func Fill(path string, mode fs.FileMode, fill func(*os.File) error) error {
	aside := path + Part
	if err := os.Remove(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err = fill(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(aside, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(aside))
	}
	return SyncFolder(filepath.Dir(path))
}

// SyncFolder makes it last which files a folder holds, after one was renamed or removed.
func SyncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

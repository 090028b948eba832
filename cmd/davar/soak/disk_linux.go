package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// disk is the small file system that the match log lies on.
type disk struct {
	folder  string
	mounted bool
}

// diskSize has room for the match log of some hours; the rest is ballast when the disk is to be full.
const diskSize = "64m"

// mountDisk mounts a small file system on the folder. Where the system does not let this user, the folder itself is used,
// and is never full.
func mountDisk(folder string) (*disk, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("soak: make the disk: %w", err)
	}
	err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+diskSize)
	return &disk{folder, err == nil}, nil
}

func (d *disk) ballast() string { return filepath.Join(d.folder, "ballast") }

// fill leaves no room, until it is called with false.
func (d *disk) fill(on bool) error {
	if !on {
		return os.Remove(d.ballast())
	}
	f, err := os.Create(d.ballast())
	if err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, 64<<10)
	for len(block) > 0 {
		if _, err = f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2] // to the last byte
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (d *disk) unmount() {
	if d.mounted {
		_ = syscall.Unmount(d.folder, syscall.MNT_DETACH)
	}
}

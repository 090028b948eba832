package config

import (
	"path/filepath"
	"strings"
)

// ConsoleFolder is where the director's console keeps what it must remember: beside the match log.
func (c *Config) ConsoleFolder() string {
	return strings.TrimSuffix(c.Journal.Path, ".db") + ".console"
}

// CalibrationFile is where the table's calibration lies: the file that camera.calibration names, or else the one that the
// console writes.
func (c *Config) CalibrationFile() string {
	if c.Camera.Calibration != "" {
		return c.Camera.Calibration
	}
	return filepath.Join(c.ConsoleFolder(), "calibration.json")
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"davar/config"
	"davar/device/durable"
	"davar/vision"
)

// readCalibration reads a file written by davar calibrate.
func readCalibration(path string) (*vision.Calibration, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the calibration: %w; write one with davar calibrate", err)
	}
	c, err := vision.ReadCalibration(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// tableCalibration returns the calibration that the settings name, or else what the console has kept; nil: the board is
// found at the start.
func tableCalibration(c *config.Config) (*vision.Calibration, error) {
	path := c.CalibrationFile()
	if _, err := os.Stat(path); c.Camera.Calibration == "" && errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return readCalibration(path)
}

// writeCalibration writes the file that readCalibration reads.
func writeCalibration(path string, c *vision.Calibration) error {
	text, err := json.MarshalIndent(c, "", " ")
	if err == nil {
		err = durable.Write(path, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write the calibration: %w", err)
	}
	return nil
}
